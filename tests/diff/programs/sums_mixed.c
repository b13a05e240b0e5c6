// Sums whose elements have another type than the sum, and sums that are shifted by an earlier result.
// sizes: n=0,1,33,700 m=33
#include <float.h>
#include <math.h>
#include <pencil.h>

static void zero(double *v) { *v = 0.0; }
static double add(double a, double b) { return a + b; }
static void zerof(float *v) { *v = 0; }
static float addf(float a, float b) { return a + b; }
static void low(float *v) { *v = -FLT_MAX; }
static float larger(float a, float b) { return a > b ? a : b; }

double wider(int n, const float a[static const restrict n], const short b[static const restrict n]) {
    double s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) {
        float e = a[i] * 2.0f;
        __pencil_reduction(&s, e, add);
        __pencil_reduction(&s, b[i] & 7, add);
        __pencil_reduction(&s, a[i] > 0, add);
        __pencil_reduction(&s, 1, add);
    }
    return s;
}

void columns(int n, int m, const float a[static const restrict n][m], double s[static const restrict m]) {
#pragma scop
    for (int j = 0; j < m; j++) {
        s[j] = 0;
        for (int i = 0; i < n; i++)
            s[j] += a[i][j];
    }
#pragma endscop
}

void shifted(int n, int m, const float a[static const restrict n][m], float o[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        float max;
        __pencil_reduction_var_init(&max, low);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&max, a[i][j], larger);
        float sum;
        __pencil_reduction_var_init(&sum, zerof);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&sum, exp2f(a[i][j] - max), addf);
        o[i] = max + sum;
    }
}

float squares(int n, const float a[static const restrict n]) {
    float s, v;
    __pencil_reduction_var_init(&s, zerof);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], addf);
    float mean = s / (float)n;
    __pencil_reduction_var_init(&v, zerof);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&v, (a[i] - mean) * (a[i] - mean), addf);
    return v;
}
