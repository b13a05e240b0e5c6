// sizes: n=0,1,2,33 m=0,1,40 p=3 lo=0,1
// Locals of loops that begin below zero and that several kernels use: the memory that each iteration has begins at the
// least value of the counter.
#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
static int larger(int a, int b) { return a > b ? a : b; }
void rows(int n, int m, int a[static const restrict n][m], int o[static const restrict n])
{
#pragma scop
    for (int i = 1 - n; i <= 0; i++) {
        int r;
        __pencil_reduction_var_init(&r, zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&r, a[-i][j], add);
        for (int j = 0; j < m; j++)
            a[-i][j] = r + j;
        o[-i] = r;
    }
#pragma endscop
}
void centred(int n, int m, int lo, int a[static const restrict n][m], int o[static const restrict n])
{
    __pencil_assume(0 <= lo && lo <= n);
#pragma scop
    for (int i = -lo; i < n - lo; i++) {
        int r, most;
        __pencil_reduction_var_init(&r, zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&r, a[i + lo][j], add);
        __pencil_reduction_var_init(&most, zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&most, a[i + lo][j] - r, larger);
        for (int j = 0; j < m; j++)
            a[i + lo][j] = r + j - most;
        o[i + lo] = most;
    }
#pragma endscop
}
void both(int n, int m, int p, int a[static const restrict n][m][p], int o[static const restrict n][m])
{
#pragma scop
    for (int i = n - 1; i >= 0; i--)
        for (int k = -m; k < 0; k++) {
            int r;
            __pencil_reduction_var_init(&r, zero);
            for (int j = 0; j < p; j++)
                __pencil_reduction(&r, a[i][-k - 1][j], add);
            for (int j = 0; j < p; j++)
                a[i][-k - 1][j] = r + j;
            o[i][k + m] = r;
        }
#pragma endscop
}
void places(int n, int m, int a[static const restrict n][m], int o[static const restrict n])
{
#pragma scop
    for (int i = -n; i < 0; i++) {
        int h[5];
        for (int k = 0; k < 5; k++)
            __pencil_reduction_var_init(&h[k], zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&h[(a[i + n][j] & 15) % 5], 1, add);
        for (int j = 0; j < m; j++)
            a[i + n][j] = h[j % 5] + j;
        o[i + n] = h[0] - h[4];
    }
#pragma endscop
}
void buffers(int n, int m, int a[static const restrict n][m], int o[static const restrict n])
{
#pragma scop
    for (int i = 1 - n; i <= 0; i++) {
        int row[m], r;
        for (int j = 0; j < m; j++)
            row[j] = a[-i][m - 1 - j];
        __pencil_reduction_var_init(&r, zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&r, row[j], add);
        for (int j = 0; j < m; j++)
            a[-i][j] = row[j] - r;
        o[-i] = r;
    }
#pragma endscop
}
void differ(int n, int m, int a[static const restrict n][m], int b[static const restrict 2 * n + 1],
            int o[static const restrict 2 * n + 1])
{
#pragma scop
    for (int i = -n; i <= n; i++) {
        int r = b[i + n];
        if (i < 0) {
            __pencil_reduction_var_init(&r, zero);
            for (int j = 0; j < m; j++)
                __pencil_reduction(&r, a[i + n][j], add);
            for (int j = 0; j < m; j++)
                a[i + n][j] = r + j;
        }
        o[i + n] = r;
    }
#pragma endscop
}
