/* pencil.h: makes a PENCIL program plain sequential C for gcc and clang.
 *
 * `__pencil_reduction(&v, e, op)` is `v = op(v, e)`; `__pencil_reduction_var_init(&v, init)` is `init(&v)`.
 * `pencil_half` and `pencil_bfloat16` are storage types of 16 bits: no arithmetic, but exact conversion to float
 * (`pencil_half_to_float`, `pencil_bfloat16_to_float`) and conversion from float to the nearest value, ties to even
 * (`pencil_float_to_half`, `pencil_float_to_bfloat16`; any NaN becomes 0x7fff).
 *
 * `#define PENCIL_NO_<NAME>` before the include (PENCIL_NO_MIN, PENCIL_NO_MIXF, ...) leaves one name out,
 * PENCIL_NO_MATH all of math.h.
 */
#ifndef PENCILC_PENCIL_H
#define PENCILC_PENCIL_H

/* The functions of math.h, which the public PENCIL headers declare too. */
#ifndef PENCIL_NO_MATH
#include <math.h>
#endif

/* The qualifiers of an array parameter, `float A[pencil_attributes n]`, as the public PENCIL headers name them. */
#ifndef pencil_attributes
#define pencil_attributes static const restrict
#endif

#ifdef __PENCILC__
/* What pencilc itself sees: it knows the builtins, and that `min`, `max` and `clamp` take any type. */
#if !defined(PENCIL_NO_MIN) && !defined(min)
void min();
#endif
#if !defined(PENCIL_NO_MAX) && !defined(max)
void max();
#endif
#if !defined(PENCIL_NO_CLAMP) && !defined(clamp)
void clamp();
#endif
#if !defined(PENCIL_NO_IMIN) && !defined(imin)
int imin(int, int);
#endif
#if !defined(PENCIL_NO_IMAX) && !defined(imax)
int imax(int, int);
#endif
#if !defined(PENCIL_NO_ICLAMP) && !defined(iclamp)
int iclamp(int, int, int);
#endif
#if !defined(PENCIL_NO_FCLAMPF) && !defined(fclampf)
float fclampf(float, float, float);
#endif
#if !defined(PENCIL_NO_FCLAMP) && !defined(fclamp)
double fclamp(double, double, double);
#endif
#if !defined(PENCIL_NO_MIXF) && !defined(mixf)
float mixf(float, float, float);
#endif
#if !defined(PENCIL_NO_MIX) && !defined(mix)
double mix(double, double, double);
#endif
typedef struct pencil_half pencil_half;
typedef struct pencil_bfloat16 pencil_bfloat16;
float pencil_half_to_float(pencil_half);
float pencil_bfloat16_to_float(pencil_bfloat16);
pencil_half pencil_float_to_half(float);
pencil_bfloat16 pencil_float_to_bfloat16(float);
#ifndef NULL
#define NULL ((void *)0)
#endif

#else /* a C compiler */

#if defined(__GNUC__)
#pragma GCC system_header
#define PENCIL_UNUSED __attribute__((unused))
#else
#define PENCIL_UNUSED
#endif
#include <stddef.h>

/* The operator is the third argument; a fourth one (NULL) is accepted and ignored. `pencilc verify` brings its own. */
#define PENCIL_FIRST(a, ...) a
#ifndef __pencil_reduction
#define __pencil_reduction(variable, element, ...) \
    ((void)(*(variable) = PENCIL_FIRST(__VA_ARGS__, 0)(*(variable), element)))
#endif
#define __pencil_reduction_var_init(variable, init) ((void)init(variable))

/* The arguments are looked at (no warning about unused variables) but never evaluated. */
#define __pencil_assume(e) ((void)sizeof((e) ? 1 : 0))
#define __pencil_assert(e) ((void)sizeof((e) ? 1 : 0))
#define __pencil_kill(...) ((void)sizeof((__VA_ARGS__)))
#define __pencil_use(...) ((void)sizeof((__VA_ARGS__)))
#define __pencil_def(...) ((void)sizeof((__VA_ARGS__)))
#define __pencil_maybe() (pencil_maybe_value)
static volatile int pencil_maybe_value PENCIL_UNUSED = 0;

/* `__attribute__((pencil_access(f)))` becomes an empty attribute list. */
#define pencil_access(summary)

/* min(x, y) is `y < x ? y : x`, max(x, y) is `x < y ? y : x`, clamp(x, lo, hi) is min(max(x, lo), hi),
 * each in the common type of its arguments, which are evaluated once. */
#define PENCIL_GENERIC(name, type)                                                                                \
    static inline PENCIL_UNUSED type pencil_min_##name(type x, type y) { return y < x ? y : x; }                   \
    static inline PENCIL_UNUSED type pencil_max_##name(type x, type y) { return x < y ? y : x; }                   \
    static inline PENCIL_UNUSED type pencil_clamp_##name(type x, type lo, type hi)                                 \
    {                                                                                                             \
        return pencil_min_##name(pencil_max_##name(x, lo), hi);                                                   \
    }
PENCIL_GENERIC(int, int)
PENCIL_GENERIC(uint, unsigned int)
PENCIL_GENERIC(long, long)
PENCIL_GENERIC(ulong, unsigned long)
PENCIL_GENERIC(llong, long long)
PENCIL_GENERIC(ullong, unsigned long long)
PENCIL_GENERIC(float, float)
PENCIL_GENERIC(double, double)
#undef PENCIL_GENERIC

#if defined(__GNUC__)
#define PENCIL_SELECT(what, common)                                                                               \
    __extension__ _Generic((common), int: pencil_##what##_int, unsigned int: pencil_##what##_uint,                 \
                           long: pencil_##what##_long, unsigned long: pencil_##what##_ulong,                      \
                           long long: pencil_##what##_llong, unsigned long long: pencil_##what##_ullong,          \
                           float: pencil_##what##_float, double: pencil_##what##_double)
#else
#define PENCIL_SELECT(what, common)                                                                               \
    _Generic((common), int: pencil_##what##_int, unsigned int: pencil_##what##_uint, long: pencil_##what##_long,   \
             unsigned long: pencil_##what##_ulong, long long: pencil_##what##_llong,                              \
             unsigned long long: pencil_##what##_ullong, float: pencil_##what##_float,                            \
             double: pencil_##what##_double)
#endif

#if !defined(PENCIL_NO_MIN) && !defined(min)
#define min(x, y) PENCIL_SELECT(min, (x) + (y))(x, y)
#endif
#if !defined(PENCIL_NO_MAX) && !defined(max)
#define max(x, y) PENCIL_SELECT(max, (x) + (y))(x, y)
#endif
#if !defined(PENCIL_NO_CLAMP) && !defined(clamp)
#define clamp(x, lo, hi) PENCIL_SELECT(clamp, (x) + (lo) + (hi))(x, lo, hi)
#endif
#if !defined(PENCIL_NO_IMIN) && !defined(imin)
static inline PENCIL_UNUSED int imin(int x, int y) { return y < x ? y : x; }
#endif
#if !defined(PENCIL_NO_IMAX) && !defined(imax)
static inline PENCIL_UNUSED int imax(int x, int y) { return x < y ? y : x; }
#endif
#if !defined(PENCIL_NO_ICLAMP) && !defined(iclamp)
static inline PENCIL_UNUSED int iclamp(int x, int lo, int hi) { return pencil_clamp_int(x, lo, hi); }
#endif
#if !defined(PENCIL_NO_FCLAMPF) && !defined(fclampf)
static inline PENCIL_UNUSED float fclampf(float x, float lo, float hi) { return pencil_clamp_float(x, lo, hi); }
#endif
#if !defined(PENCIL_NO_FCLAMP) && !defined(fclamp)
static inline PENCIL_UNUSED double fclamp(double x, double lo, double hi) { return pencil_clamp_double(x, lo, hi); }
#endif
#if !defined(PENCIL_NO_MIXF) && !defined(mixf)
static inline PENCIL_UNUSED float mixf(float x, float y, float a) { return x + (x - y) * a; }
#endif
#if !defined(PENCIL_NO_MIX) && !defined(mix)
static inline PENCIL_UNUSED double mix(double x, double y, double a) { return x + (x - y) * a; }
#endif

typedef struct { unsigned short bits; } pencil_half;
typedef struct { unsigned short bits; } pencil_bfloat16;
typedef union { unsigned bits; float value; } pencil_float_bits;

static inline PENCIL_UNUSED float pencil_half_to_float(pencil_half x)
{
    const unsigned rest = x.bits & 0x7fffu;
    pencil_float_bits result;
    if (rest < 0x0400u) /* subnormal: a multiple of 2^-24 */
        result.value = (float)rest / 16777216.0f;
    else
        result.bits = (rest << 13) + (rest < 0x7c00u ? 0x38000000u : 0x70000000u);
    result.bits |= (x.bits & 0x8000u) << 16;
    return result.value;
}

static inline PENCIL_UNUSED pencil_half pencil_float_to_half(float x)
{
    pencil_float_bits from;
    pencil_half result;
    unsigned sign, rest;
    from.value = x;
    sign = from.bits >> 16 & 0x8000u;
    rest = from.bits & 0x7fffffffu;
    if (rest > 0x7f800000u) { /* not a number */
        sign = 0;
        rest = 0x7fffu;
    } else if (rest >= 0x477ff000u) { /* 65520 and more */
        rest = 0x7c00u;
    } else if (rest >= 0x38800000u) { /* 2^-14 and more */
        rest = (rest - 0x38000000u + 0xfffu + (rest >> 13 & 1u)) >> 13;
    } else { /* the last bit of 0.5 + x stands for 2^-24 */
        from.bits = rest;
        from.value += 0.5f;
        rest = from.bits - 0x3f000000u;
    }
    result.bits = (unsigned short)(sign | rest);
    return result;
}

static inline PENCIL_UNUSED float pencil_bfloat16_to_float(pencil_bfloat16 x)
{
    pencil_float_bits result;
    result.bits = (unsigned)x.bits << 16;
    return result.value;
}

static inline PENCIL_UNUSED pencil_bfloat16 pencil_float_to_bfloat16(float x)
{
    pencil_float_bits from;
    pencil_bfloat16 result;
    from.value = x;
    if ((from.bits & 0x7fffffffu) > 0x7f800000u)
        result.bits = 0x7fff;
    else
        result.bits = (unsigned short)((from.bits + 0x7fffu + (from.bits >> 16 & 1u)) >> 16);
    return result;
}

#endif /* __PENCILC__ */
#endif /* PENCILC_PENCIL_H */
