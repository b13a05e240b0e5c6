/* Stub of <time.h> for pencilc's preprocessor; never given to a C compiler. */
#ifndef __PENCILC_TIME_H
#define __PENCILC_TIME_H
#include <stddef.h>
typedef long time_t;
typedef long clock_t;
struct timespec { time_t tv_sec; long tv_nsec; };
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
time_t time(time_t *);
clock_t clock(void);
double difftime(time_t, time_t);
int clock_gettime(int, struct timespec *);
struct tm *localtime(const time_t *);
#endif
