// sizes: n=0,1,33 m=0,7
// Updates in several loops, a variable that is reduced twice, reductions inside an element, kept triangles.
#include <pencil.h>
static void zero(float *v) { *v = 0; }
static void lowest(float *v) { *v = -1e30f; }
static float add(float a, float b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }

float two_arrays(int n, int m, const float a[static const restrict n], const float b[static const restrict m]) {
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int k = 0; k < n; k++)
        __pencil_reduction(&s, a[k], add);
    for (int k = 0; k < m; k++)
        __pencil_reduction(&s, b[k], add);
    return s;
}

float twice(int n, const float a[static const restrict n]) {
    float s, r = 0;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    r += s;
    __pencil_reduction_var_init(&s, lowest);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i] - r, larger);
    return r - s;
}

float sum_of_row_maxima(int n, int m, const float a[static const restrict n][m]) {
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) {
        float t;
        __pencil_reduction_var_init(&t, lowest);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&t, a[i][j], larger);
        __pencil_reduction(&s, t, add);
    }
    return s;
}

void gram(int n, int m, const float a[static const restrict n][m], float s[static const restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            __pencil_reduction_var_init(&s[i][j], zero);
            for (int k = 0; k < m; k++)
                __pencil_reduction(&s[i][j], a[i][k] * a[j][k], add);
        }
}

float four_bins(int n, const float a[static const restrict n]) {
    float h[4];
    for (int k = 0; k < 4; k++)
        __pencil_reduction_var_init(&h[k], zero);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++)
            __pencil_reduction(&h[k], a[i] * k, add);
    return h[1];
}

// Updates between two loops: the first kernel does them before it hands on what it has.
void between(int n, int m, const float a[static const restrict n][m], const float b[static const restrict n][m + 3],
             float c[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&c[i], zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&c[i], a[i][j], add);
        if (m > 0)
            __pencil_reduction(&c[i], 100 * a[i][0], add);
        for (int j = 0; j < m + 3; j++)
            __pencil_reduction(&c[i], b[i][j], add);
    }
#pragma endscop
}
