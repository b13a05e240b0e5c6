// Rows of different lengths, whose sums are shifted by what the same row, or another one, has found.
// sizes: n=0,1,33 t=0,2
#include <math.h>
#include <pencil.h>
static void zero(float *v) { *v = 0.0f; }
static void lowest(float *v) { *v = -INFINITY; }
static float add(float a, float b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }
void crossed(int n, const float x[static const restrict n][n], float m[static const restrict n], float s[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&m[i], lowest);
        for (int j = 0; j <= i; j++)
            __pencil_reduction(&m[i], x[i][j], larger);
    }
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j <= i; j++)
            __pencil_reduction(&s[i], expf(x[i][j] - m[n - 1 - i]), add);
    }
#pragma endscop
}
void apart(int n, const float x[static const restrict n][n], float m[static const restrict n], float s[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&m[i], lowest);
        for (int j = 0; j <= i; j++)
            __pencil_reduction(&m[i], x[i][j], larger);
    }
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j <= i; j++)
            __pencil_reduction(&s[i], expf(x[i][j] - m[i]), add);
    }
#pragma endscop
}
void same(int n, const float x[static const restrict n][n], float y[static const restrict n][n], float s[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float mean;
        __pencil_reduction_var_init(&mean, zero);
        for (int j = i; j < n; j++)
            __pencil_reduction(&mean, x[i][j], add);
        mean /= n;
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = i; j < n; j++) {
            y[i][j] = x[i][j] - mean;
            __pencil_reduction(&s[i], y[i][j] * y[i][j], add);
        }
        for (int j = i; j < n; j++)
            y[i][j] = y[i][j] / (1.0f + s[i]);
    }
#pragma endscop
}
void host(int n, int t, float x[static const restrict n][n], float s[static const restrict n]) {
#pragma scop
    for (int k = 0; k < t; k++) {
        for (int i = 0; i < n; i++) {
            float m;
            __pencil_reduction_var_init(&m, lowest);
            for (int j = 0; j <= i; j++)
                __pencil_reduction(&m, x[i][j], larger);
            __pencil_reduction_var_init(&s[i], zero);
            for (int j = 0; j <= i; j++)
                __pencil_reduction(&s[i], expf(x[i][j] - m), add);
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                x[i][j] = 0.5f * x[i][j] + s[(i + j) % n];
    }
#pragma endscop
}
