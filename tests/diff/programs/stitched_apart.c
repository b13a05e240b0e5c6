// Kernels that are stitched although others stand between them, and others that must not be.
// sizes: n=0,1,33 m=0,1,31,131 l=0,33 t=2
#include <math.h>
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

// The sum over y needs neither rows nor their sums: it comes first, and the rows stay on the chip.
void scaled(int n, int m, int l, const float x[static const restrict n][m], const float y[static const restrict l],
            float z[static const restrict n][m]) {
    float s[n], total;
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s[i], fabsf(x[i][j]) + 1.0f, add);
    }
    __pencil_reduction_var_init(&total, zero);
    for (int k = 0; k < l; k++)
        __pencil_reduction(&total, y[k], add);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            z[i][j] = x[i][j] / s[i] * total;
}

// The sum over all rows needs every row's sum, and every row needs it: no row can be finished before.
void shares(int n, int m, const float x[static const restrict n][m], float z[static const restrict n][m]) {
    float s[n], total;
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s[i], fabsf(x[i][j]) + 1.0f, add);
    }
    __pencil_reduction_var_init(&total, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&total, s[i], add);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            z[i][j] = x[i][j] * s[i] / total;
}

// What the first loop makes of rows is turned around before the last one reads it: rows differ, nothing is stitched.
void turned(int n, const float x[static const restrict n][n], float z[static const restrict n][n]) {
    float s[n], t[n];
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j < n; j++)
            __pencil_reduction(&s[i], x[i][j], add);
    }
    for (int i = 0; i < n; i++)
        t[i] = s[n - 1 - i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            z[i][j] = x[i][j] + t[i];
}

// Two chains, line after line: each is stitched, and what they have in common is read by both.
void woven(int n, int m, const float x[static const restrict n][m], const float y[static const restrict m][n],
           float u[static const restrict n][m], float v[static const restrict m][n]) {
    float a[n], b[m];
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&a[i], zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&a[i], x[i][j], add);
    }
    for (int j = 0; j < m; j++) {
        __pencil_reduction_var_init(&b[j], zero);
        for (int i = 0; i < n; i++)
            __pencil_reduction(&b[j], y[j][i], add);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            u[i][j] = x[i][j] - a[i] / m;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            v[j][i] = y[j][i] - b[j] / n;
}

// The same in each round of a loop on the host.
void rounds(int t, int n, int m, int l, float x[static const restrict n][m], const float y[static const restrict l]) {
#pragma scop
    for (int r = 0; r < t; r++) {
        float s[n], total;
        for (int i = 0; i < n; i++) {
            __pencil_reduction_var_init(&s[i], zero);
            for (int j = 0; j < m; j++)
                __pencil_reduction(&s[i], fabsf(x[i][j]) + 1.0f, add);
        }
        __pencil_reduction_var_init(&total, zero);
        for (int k = 0; k < l; k++)
            __pencil_reduction(&total, y[k] + r, add);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                x[i][j] = x[i][j] / s[i] + total / (l + 1);
    }
#pragma endscop
}
