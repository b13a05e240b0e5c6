/* Stub of <stddef.h> for pencilc's preprocessor; never given to a C compiler. */
#ifndef __PENCILC_STDDEF_H
#define __PENCILC_STDDEF_H
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef int wchar_t;
#ifndef NULL
#define NULL ((void *)0)
#endif
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
