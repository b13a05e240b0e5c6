// sizes: n=1,2,9,33 m=1,3,40
// Sums along combinations of loops: each has a row of its own, and no bins.
#include <math.h>
#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
static void lowest(float *v) { *v = -1e30f; }
static float larger(float a, float b) { return a > b ? a : b; }

void products_of_polynomials(int n, int m, const int a[static const restrict n], const int b[static const restrict m],
                             int c[static const restrict n + m]) {
    for (int k = 0; k < n + m - 1; k++)
        __pencil_reduction_var_init(&c[k], zero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            __pencil_reduction(&c[i + j], a[i] % 100 * (b[j] % 100), add);
}

void correlation(int n, int m, const int a[static const restrict n], const int b[static const restrict m],
                 int c[static const restrict n + m]) {
    for (int k = 0; k < n + m - 1; k++)
        __pencil_reduction_var_init(&c[k], zero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            __pencil_reduction(&c[i - j + m - 1], a[i] % 100 * (b[j] % 100), add);
}

void below_the_diagonal(int n, const float a[static const restrict n][n], float top[static const restrict n]) {
    for (int k = 0; k < n; k++)
        __pencil_reduction_var_init(&top[k], lowest);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            __pencil_reduction(&top[i - j], a[i][j], larger);
}

void spread_window(int n, int m, const int a[static const restrict n][m], const int w[static const restrict 3][3],
                   int c[static const restrict n + 2][m + 2]) {
    for (int i = 0; i < n + 2; i++)
        for (int j = 0; j < m + 2; j++)
            __pencil_reduction_var_init(&c[i][j], zero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    __pencil_reduction(&c[i + k][j + l], a[i][j] % 100 * (w[k][l] % 100), add);
}

void summed_in_order(int n, int m, const float a[static const restrict n], const float b[static const restrict m],
                     float c[static const restrict n + m]) {
#pragma scop
    for (int k = 0; k < n + m - 1; k++)
        c[k] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[i + j] += a[i] * b[j];
#pragma endscop
}

void twice(int n, int m, const int a[static const restrict n], const int b[static const restrict m],
           int c[static const restrict 2 * n + m]) {
    for (int k = 0; k < 2 * n + m; k++)
        __pencil_reduction_var_init(&c[k], zero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            __pencil_reduction(&c[2 * i + j], a[i] % 100, add);
            __pencil_reduction(&c[2 * i + j + 1], b[j] % 100, add);
        }
    for (int k = 0; k < 2 * n + m; k++)
        c[k] = c[k] / 2;
}
