/* Stub of <stdint.h> for pencilc's preprocessor; never given to a C compiler. */
#ifndef __PENCILC_STDINT_H
#define __PENCILC_STDINT_H
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef signed char int_least8_t;
typedef unsigned char uint_least8_t;
typedef signed char int_fast8_t;
typedef unsigned char uint_fast8_t;
#define INT8_MAX 127
#define INT8_MIN (-127 - 1)
#define UINT8_MAX 255
#define INT8_C(c) c
#define UINT8_C(c) c
typedef short int16_t;
typedef unsigned short uint16_t;
typedef short int_least16_t;
typedef unsigned short uint_least16_t;
typedef long int_fast16_t;
typedef unsigned long uint_fast16_t;
#define INT16_MAX 32767
#define INT16_MIN (-32767 - 1)
#define UINT16_MAX 65535
#define INT16_C(c) c
#define UINT16_C(c) c
typedef int int32_t;
typedef unsigned int uint32_t;
typedef int int_least32_t;
typedef unsigned int uint_least32_t;
typedef long int_fast32_t;
typedef unsigned long uint_fast32_t;
#define INT32_MAX 2147483647
#define INT32_MIN (-2147483647 - 1)
#define UINT32_MAX 4294967295U
#define INT32_C(c) c
#define UINT32_C(c) c##U
typedef long int64_t;
typedef unsigned long uint64_t;
typedef long int_least64_t;
typedef unsigned long uint_least64_t;
typedef long int_fast64_t;
typedef unsigned long uint_fast64_t;
#define INT64_MAX 9223372036854775807L
#define INT64_MIN (-9223372036854775807L - 1)
#define UINT64_MAX 18446744073709551615UL
#define INT64_C(c) c##L
#define UINT64_C(c) c##UL
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;
#define SIZE_MAX 18446744073709551615UL
#define PTRDIFF_MAX 9223372036854775807L
#define INTPTR_MAX 9223372036854775807L
#define INTMAX_MAX 9223372036854775807L
#endif
