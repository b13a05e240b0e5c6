/* The sequential program with every floating type one step wider: `gcc -include wide.h`.
 *
 * pencil_half and pencil_bfloat16 become float, float becomes double, double becomes long double, and the functions of
 * math.h those of long double.  The headers that the program may include come first: their types stay.
 */
#ifndef PENCILC_WIDE_H
#define PENCILC_WIDE_H
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <pencil.h>
#include <math.h>

typedef float pencilc_narrow;
typedef double pencilc_float;
typedef long double pencilc_double;

/* min, max and clamp of one more type. */
static inline PENCIL_UNUSED long double pencil_min_ldouble(long double x, long double y) { return y < x ? y : x; }
static inline PENCIL_UNUSED long double pencil_max_ldouble(long double x, long double y) { return x < y ? y : x; }
static inline PENCIL_UNUSED long double pencil_clamp_ldouble(long double x, long double lo, long double hi)
{
    return pencil_min_ldouble(pencil_max_ldouble(x, lo), hi);
}
#undef PENCIL_SELECT
#define PENCIL_SELECT(what, common)                                                                               \
    __extension__ _Generic((common), int: pencil_##what##_int, unsigned int: pencil_##what##_uint,                 \
                           long: pencil_##what##_long, unsigned long: pencil_##what##_ulong,                      \
                           long long: pencil_##what##_llong, unsigned long long: pencil_##what##_ullong,          \
                           pencilc_narrow: pencil_##what##_float, pencilc_float: pencil_##what##_double,          \
                           pencilc_double: pencil_##what##_ldouble)
#ifndef PENCIL_NO_FCLAMPF
#define fclampf pencil_clamp_double
#endif
#ifndef PENCIL_NO_FCLAMP
#define fclamp pencil_clamp_ldouble
#endif
#ifndef PENCIL_NO_MIXF
static inline PENCIL_UNUSED double pencilc_mixf(double x, double y, double a) { return x + (x - y) * a; }
#define mixf pencilc_mixf
#endif
#ifndef PENCIL_NO_MIX
static inline PENCIL_UNUSED long double pencilc_mix(long double x, long double y, long double a)
{
    return x + (x - y) * a;
}
#define mix pencilc_mix
#endif

#define pencil_half pencilc_narrow
#define pencil_bfloat16 pencilc_narrow
#define pencil_half_to_float(x) ((pencilc_float)(x))
#define pencil_bfloat16_to_float(x) ((pencilc_float)(x))
#define pencil_float_to_half(x) ((pencilc_narrow)(x))
#define pencil_float_to_bfloat16(x) ((pencilc_narrow)(x))
#define float pencilc_float
#define double pencilc_double

/* The functions of math.h: those of the widest type serve both. */
#define acos acosl
#define acosf acosl
#define acosh acoshl
#define acoshf acoshl
#define asin asinl
#define asinf asinl
#define asinh asinhl
#define asinhf asinhl
#define atan atanl
#define atanf atanl
#define atan2 atan2l
#define atan2f atan2l
#define atanh atanhl
#define atanhf atanhl
#define cbrt cbrtl
#define cbrtf cbrtl
#define ceil ceill
#define ceilf ceill
#define copysign copysignl
#define copysignf copysignl
#define cos cosl
#define cosf cosl
#define cosh coshl
#define coshf coshl
#define erf erfl
#define erff erfl
#define erfc erfcl
#define erfcf erfcl
#define exp expl
#define expf expl
#define exp2 exp2l
#define exp2f exp2l
#define expm1 expm1l
#define expm1f expm1l
#define fabs fabsl
#define fabsf fabsl
#define fdim fdiml
#define fdimf fdiml
#define floor floorl
#define floorf floorl
#define fma fmal
#define fmaf fmal
#define fmax fmaxl
#define fmaxf fmaxl
#define fmin fminl
#define fminf fminl
#define fmod fmodl
#define fmodf fmodl
#define frexp frexpl
#define frexpf frexpl
#define hypot hypotl
#define hypotf hypotl
#define ilogb ilogbl
#define ilogbf ilogbl
#define ldexp ldexpl
#define ldexpf ldexpl
#define lgamma lgammal
#define lgammaf lgammal
#define llrint llrintl
#define llrintf llrintl
#define llround llroundl
#define llroundf llroundl
#define log logl
#define logf logl
#define log10 log10l
#define log10f log10l
#define log1p log1pl
#define log1pf log1pl
#define log2 log2l
#define log2f log2l
#define logb logbl
#define logbf logbl
#define lrint lrintl
#define lrintf lrintl
#define lround lroundl
#define lroundf lroundl
#define nearbyint nearbyintl
#define nearbyintf nearbyintl
#define nextafter nextafterl
#define nextafterf nextafterl
#define pow powl
#define powf powl
#define remainder remainderl
#define remainderf remainderl
#define remquo remquol
#define remquof remquol
#define rint rintl
#define rintf rintl
#define round roundl
#define roundf roundl
#define scalbln scalblnl
#define scalblnf scalblnl
#define scalbn scalbnl
#define scalbnf scalbnl
#define sin sinl
#define sinf sinl
#define sinh sinhl
#define sinhf sinhl
#define sqrt sqrtl
#define sqrtf sqrtl
#define tan tanl
#define tanf tanl
#define tanh tanhl
#define tanhf tanhl
#define tgamma tgammal
#define tgammaf tgammal
#define trunc truncl
#define truncf truncl
#endif
