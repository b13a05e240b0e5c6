// sizes: n=0,1,33
// Every function of C99's math.h that CUDA has, in both precisions.
#include <math.h>
#include <pencil.h>

void single(int n, const float a[static const restrict n], const float b[static const restrict n],
            float r[static const restrict n][50]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float x = a[i] * 0.5f + 0.25f, y = b[i] + 1.5f;
        r[i][0] = acosf(x);
        r[i][1] = asinf(x);
        r[i][2] = atanf(x);
        r[i][3] = cosf(x);
        r[i][4] = sinf(x);
        r[i][5] = tanf(x);
        r[i][6] = acoshf(x);
        r[i][7] = asinhf(x);
        r[i][8] = atanhf(x);
        r[i][9] = coshf(x);
        r[i][10] = sinhf(x);
        r[i][11] = tanhf(x);
        r[i][12] = expf(x);
        r[i][13] = exp2f(x);
        r[i][14] = expm1f(x);
        r[i][15] = logf(x);
        r[i][16] = log2f(x);
        r[i][17] = log10f(x);
        r[i][18] = log1pf(x);
        r[i][19] = logbf(x);
        r[i][20] = cbrtf(x);
        r[i][21] = sqrtf(x);
        r[i][22] = fabsf(x);
        r[i][23] = erff(x);
        r[i][24] = erfcf(x);
        r[i][25] = lgammaf(x);
        r[i][26] = tgammaf(x);
        r[i][27] = ceilf(x);
        r[i][28] = floorf(x);
        r[i][29] = nearbyintf(x);
        r[i][30] = rintf(x);
        r[i][31] = roundf(x);
        r[i][32] = truncf(x);
        r[i][33] = atan2f(x, y);
        r[i][34] = powf(x, y);
        r[i][35] = hypotf(x, y);
        r[i][36] = fmodf(x, y);
        r[i][37] = remainderf(x, y);
        r[i][38] = copysignf(x, y);
        r[i][39] = nextafterf(x, y);
        r[i][40] = fdimf(x, y);
        r[i][41] = fmaxf(x, y);
        r[i][42] = fminf(x, y);
        r[i][43] = fmaf(x, y, x);
        r[i][44] = ldexpf(x, 3) + scalbnf(x, -2) + scalblnf(y, 4L);
        r[i][45] = ilogbf(x) + lrintf(x) + llrintf(y) + lroundf(x) + llroundf(y);
        int e;
        float whole;
        float part = frexpf(x, &e);
        r[i][46] = part + e;
        part = modff(y, &whole);
        r[i][47] = part * 2 + whole;
        part = remquof(x, y, &e);
        r[i][48] = part + (e & 1);
        r[i][49] = isnan(x) + 2 * isinf(x) + 4 * isfinite(y) + 8 * (signbit(x) != 0) + 16 * isnormal(y) +
                   32 * isgreater(x, y) + 64 * isless(x, y) + 128 * isgreaterequal(x, y) + 256 * islessequal(x, y) +
                   512 * islessgreater(x, y) + 1024 * isunordered(x, y) + 2048 * (fpclassify(x) == FP_NORMAL) +
                   4096 * isnan(nan(""));
    }
#pragma endscop
}

void twice(int n, const double a[static const restrict n], const double b[static const restrict n],
           double r[static const restrict n][50]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        double x = a[i] * 0.5 + 0.25, y = b[i] + 1.5;
        r[i][0] = acos(x);
        r[i][1] = asin(x);
        r[i][2] = atan(x);
        r[i][3] = cos(x);
        r[i][4] = sin(x);
        r[i][5] = tan(x);
        r[i][6] = acosh(x);
        r[i][7] = asinh(x);
        r[i][8] = atanh(x);
        r[i][9] = cosh(x);
        r[i][10] = sinh(x);
        r[i][11] = tanh(x);
        r[i][12] = exp(x);
        r[i][13] = exp2(x);
        r[i][14] = expm1(x);
        r[i][15] = log(x);
        r[i][16] = log2(x);
        r[i][17] = log10(x);
        r[i][18] = log1p(x);
        r[i][19] = logb(x);
        r[i][20] = cbrt(x);
        r[i][21] = sqrt(x);
        r[i][22] = fabs(x);
        r[i][23] = erf(x);
        r[i][24] = erfc(x);
        r[i][25] = lgamma(x);
        r[i][26] = tgamma(x);
        r[i][27] = ceil(x);
        r[i][28] = floor(x);
        r[i][29] = nearbyint(x);
        r[i][30] = rint(x);
        r[i][31] = round(x);
        r[i][32] = trunc(x);
        r[i][33] = atan2(x, y);
        r[i][34] = pow(x, y);
        r[i][35] = hypot(x, y);
        r[i][36] = fmod(x, y);
        r[i][37] = remainder(x, y);
        r[i][38] = copysign(x, y);
        r[i][39] = nextafter(x, y);
        r[i][40] = fdim(x, y);
        r[i][41] = fmax(x, y);
        r[i][42] = fmin(x, y);
        r[i][43] = fma(x, y, x);
        r[i][44] = ldexp(x, 3) + scalbn(x, -2) + scalbln(y, 4L);
        r[i][45] = ilogb(x) + lrint(x) + llrint(y) + lround(x) + llround(y);
        int e;
        double whole;
        double part = frexp(x, &e);
        r[i][46] = part + e;
        part = modf(y, &whole);
        r[i][47] = part * 2 + whole;
        part = remquo(x, y, &e);
        r[i][48] = part + (e & 1);
        r[i][49] = isnan(x) + 2 * isinf(x) + 4 * isfinite(y) + 8 * (signbit(x) != 0) + 16 * isnormal(y) +
                   32 * isgreater(x, y) + 64 * isless(x, y) + 128 * isgreaterequal(x, y) + 256 * islessequal(x, y) +
                   512 * islessgreater(x, y) + 1024 * isunordered(x, y) + 2048 * (fpclassify(x) == FP_NORMAL) +
                   4096 * isnan(nan(""));
    }
#pragma endscop
}
