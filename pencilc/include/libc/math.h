/* Stub of <math.h> for pencilc's preprocessor; never given to a C compiler. */
#ifndef __PENCILC_MATH_H
#define __PENCILC_MATH_H
double acos(double); double asin(double); double atan(double); double cos(double); double sin(double);
double tan(double); double acosh(double); double asinh(double); double atanh(double); double cosh(double);
double sinh(double); double tanh(double); double exp(double); double exp2(double); double expm1(double);
double log(double); double log2(double); double log10(double); double log1p(double); double logb(double);
double cbrt(double); double sqrt(double); double fabs(double); double erf(double); double erfc(double);
double lgamma(double); double tgamma(double); double ceil(double); double floor(double); double nearbyint(double);
double rint(double); double round(double); double trunc(double);
double atan2(double, double); double pow(double, double); double hypot(double, double); double fmod(double, double); double remainder(double, double);
double copysign(double, double); double nextafter(double, double); double fdim(double, double); double fmax(double, double); double fmin(double, double);

double fma(double, double, double); double ldexp(double, int); double scalbn(double, int); double scalbln(double, long);
int ilogb(double); long lrint(double); long long llrint(double); long lround(double); long long llround(double);
double frexp(double, int *); double modf(double, double *); double nan(const char *); double remquo(double, double, int *);
float acosf(float); float asinf(float); float atanf(float); float cosf(float); float sinf(float);
float tanf(float); float acoshf(float); float asinhf(float); float atanhf(float); float coshf(float);
float sinhf(float); float tanhf(float); float expf(float); float exp2f(float); float expm1f(float);
float logf(float); float log2f(float); float log10f(float); float log1pf(float); float logbf(float);
float cbrtf(float); float sqrtf(float); float fabsf(float); float erff(float); float erfcf(float);
float lgammaf(float); float tgammaf(float); float ceilf(float); float floorf(float); float nearbyintf(float);
float rintf(float); float roundf(float); float truncf(float);
float atan2f(float, float); float powf(float, float); float hypotf(float, float); float fmodf(float, float); float remainderf(float, float);
float copysignf(float, float); float nextafterf(float, float); float fdimf(float, float); float fmaxf(float, float); float fminf(float, float);

float fmaf(float, float, float); float ldexpf(float, int); float scalbnf(float, int); float scalblnf(float, long);
int ilogbf(float); long lrintf(float); long long llrintf(float); long lroundf(float); long long llroundf(float);
float frexpf(float, int *); float modff(float, float *); float nanf(const char *); float remquof(float, float, int *);
int isnan(); int isinf(); int isfinite(); int isnormal(); int signbit(); int fpclassify();
int isgreater(); int isless(); int isgreaterequal(); int islessequal(); int islessgreater(); int isunordered();
double j0(double); double j1(double); double jn(int, double); double y0(double); double y1(double); double yn(int, double);
float j0f(float); float j1f(float); float jnf(int, float); float y0f(float); float y1f(float); float ynf(int, float);
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define HUGE_VAL 1e999
#define HUGE_VALF 1e999f
#define INFINITY 1e999f
#define NAN (1e999f * 0.0f)
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif
