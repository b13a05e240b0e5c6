/* Stub of <signal.h> for pencilc's preprocessor; never given to a C compiler. */
#ifndef __PENCILC_SIGNAL_H
#define __PENCILC_SIGNAL_H
typedef int sig_atomic_t;
#define SIGABRT 6
#define SIGFPE 8
#define SIGINT 2
#define SIGSEGV 11
#define SIGTERM 15
void (*signal(int, void (*)(int)))(int);
int raise(int);
#endif
