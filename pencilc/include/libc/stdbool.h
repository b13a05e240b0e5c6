/* Stub of <stdbool.h> for pencilc's preprocessor; never given to a C compiler. */
#ifndef __PENCILC_STDBOOL_H
#define __PENCILC_STDBOOL_H
#define bool _Bool
#define true 1
#define false 0
#define __bool_true_false_are_defined 1
#endif
