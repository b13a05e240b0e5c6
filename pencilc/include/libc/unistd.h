/* Stub of <unistd.h> for pencilc's preprocessor; never given to a C compiler. */
#ifndef __PENCILC_UNISTD_H
#define __PENCILC_UNISTD_H
#include <stddef.h>
unsigned int sleep(unsigned int);
int usleep(unsigned int);
int getopt(int, char *const *, const char *);
extern char *optarg;
extern int optind;
long sysconf(int);
int isatty(int);
#endif
