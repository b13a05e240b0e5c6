// Loops whose bounds are read from arrays, in the forms that programs have (tests/diff/test_ragged.py).
#include <pencil.h>
#include <math.h>
static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }
static void low(float *v) { *v = -INFINITY; }
static float larger(float a, float b) { return a > b ? a : b; }
float total(int n, int nnz, const int start[static const restrict n + 1],
    const float v[static const restrict nnz]) {
    float t;
#pragma scop
    __pencil_reduction_var_init(&t, zero);
    for (int i = 0; i < n; i++)
        for (int j = start[i]; j < start[i + 1]; j++)
            __pencil_reduction(&t, v[j] * (float)(i % 3), add);
#pragma endscop
    return t;
}
void begins(int n, int nnz, const int start[static const restrict n + 1],
    const float v[static const restrict nnz], float s[static const restrict n],
    float m[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        int begin = start[i], end = start[i + 1];
        float sum, most;
        __pencil_reduction_var_init(&sum, zero);
        __pencil_reduction_var_init(&most, low);
        for (int j = begin; j < end; j++) {
            __pencil_reduction(&sum, v[j], add);
            __pencil_reduction(&most, v[j], larger);
        }
        s[i] = sum;
        m[i] = begin < end ? most : 0.0f;
    }
}
void lengths(int n, int m, const int start[static const restrict n], const float a[static const restrict n][m],
    int s[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        s[i] = 0;
        for (int j = 0; j < start[i]; j++)
            if (j < m && a[i][j] > 0.0f)
                s[i] += j;
    }
#pragma endscop
}
void lse(int n, int nnz, const int start[static const restrict n + 1], const float v[static const restrict nnz],
    float s[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        float sum, most;
        __pencil_reduction_var_init(&most, low);
        for (int j = start[i]; j < start[i + 1]; j++)
            __pencil_reduction(&most, v[j], larger);
        __pencil_reduction_var_init(&sum, zero);
        for (int j = start[i]; j < start[i + 1]; j++)
            __pencil_reduction(&sum, expf(v[j] - most), add);
        s[i] = sum;
    }
}
void block(int n, int nnz, const int start[static const restrict n + 1],
    const float v[static const restrict nnz][4], float s[static const restrict n][4]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++) {
            __pencil_reduction_var_init(&s[i][k], zero);
            for (int j = start[i]; j <= start[i + 1] - 1; j++)
                __pencil_reduction(&s[i][k], v[j][k], add);
        }
}
void nested(int n, int nnz, const int start[static const restrict n + 1],
    const float v[static const restrict nnz], float s[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int k = start[i]; k < start[i + 1]; k++)
            if (k < n)
            for (int j = start[k]; j < start[k + 1]; j++)
                __pencil_reduction(&s[i], v[j] * (float)(k & 3), add);
    }
}
void unknown(int n, int nnz, const int start[static const restrict n + 1],
    const float v[static const restrict nnz], float s[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = start[i]; j < start[i + 1]; j++)
            __pencil_reduction(&s[i], v[(j * 7) % nnz], add);
    }
}
float lone(int n, int nnz, const int start[static const restrict n + 1],
    const float v[static const restrict nnz]) {
    float t;
#pragma scop
    __pencil_reduction_var_init(&t, zero);
    for (int j = start[0]; j < start[n]; j++)
        __pencil_reduction(&t, v[j], add);
#pragma endscop
    return t;
}
void columns(int n, int m, int nnz, const int start[static const restrict n + 1], const int col[static const restrict nnz], const float v[static const restrict nnz],
             const float x[static const restrict m][16], float y[static const restrict n][16]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 16; k++) {
            __pencil_reduction_var_init(&y[i][k], zero);
            for (int j = start[i]; j < start[i + 1]; j++)
                __pencil_reduction(&y[i][k], v[j] * x[col[j]][k], add);
        }
}
void histo(int n, int m, int nnz, const int start[static const restrict n + 1], const int col[static const restrict nnz], const float v[static const restrict nnz],
             const float x[static const restrict n], float y[static const restrict m]) {
    for (int k = 0; k < m; k++)
        __pencil_reduction_var_init(&y[k], zero);
    for (int i = 0; i < n; i++)
            for (int j = start[i]; j < start[i + 1]; j++)
                __pencil_reduction(&y[col[j]], v[j] * x[i], add);
}
