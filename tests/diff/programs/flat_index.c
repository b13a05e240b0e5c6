// sizes: n=0,1,33 m=1,7
// Subscripts that are not affine, rows as arguments of helpers, guards on locals, a host loop around kernels.
#include <math.h>
#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }
static float squares(int m, const float r[static const restrict m]) {
    float s = 0;
    for (int k = 0; k < m; k++)
        s += r[k] * r[k];
    return s;
}

float flat(int n, int m, const float a[static const restrict n * m]) {
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s, a[i * m + j], add);
    return s;
}

float by_rows(int n, int m, const float a[static const restrict n][m]) {
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, squares(m, a[i]), add);
    return s;
}

float guarded_locals(int n, const float a[static const restrict n]) {
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) {
        int negative = a[i] < 0;
        __pencil_reduction(&s, a[i], add);
        if (negative) {
            __pencil_reduction(&s, 1, add);
        } else {
            float w = a[i] * 2;
            __pencil_reduction(&s, w, add);
        }
    }
    return s;
}

float power(int m, int n, const float A[static const restrict n][n], float x[static const restrict n],
            float y[static const restrict n]) {
    float norm1 = 0;
    for (int t = 0; t < m; t++) {
        for (int i = 0; i < n; i++) {
            __pencil_reduction_var_init(&y[i], zero);
            for (int j = 0; j < n; j++)
                __pencil_reduction(&y[i], A[i][j] * x[j], add);
        }
        __pencil_reduction_var_init(&norm1, zero);
        for (int i = 0; i < n; i++)
            __pencil_reduction(&norm1, fabsf(y[i]), larger);
        norm1 += 1;
        for (int i = 0; i < n; i++)
            x[i] = y[i] / norm1;
    }
    return norm1;
}
