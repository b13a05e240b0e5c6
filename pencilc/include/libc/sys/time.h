/* Stub of <sys/time.h> for pencilc's preprocessor; never given to a C compiler. */
#ifndef __PENCILC_SYS_TIME_H
#define __PENCILC_SYS_TIME_H
#include <time.h>
struct timeval { time_t tv_sec; long tv_usec; };
int gettimeofday(struct timeval *, void *);
#endif
