/* Stub of <stdarg.h> for pencilc's preprocessor; never given to a C compiler. */
#ifndef __PENCILC_STDARG_H
#define __PENCILC_STDARG_H
typedef char *va_list;
void va_start();
void va_end();
void va_copy();
#define va_arg(list, type) (*(type *)(list))
#endif
