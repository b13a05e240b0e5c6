/* Stub of <errno.h> for pencilc's preprocessor; never given to a C compiler. */
#ifndef __PENCILC_ERRNO_H
#define __PENCILC_ERRNO_H
extern int errno;
#define EDOM 33
#define EILSEQ 84
#define EINVAL 22
#define ENOENT 2
#define ENOMEM 12
#define ERANGE 34
#endif
