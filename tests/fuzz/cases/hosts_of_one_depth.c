// seed 1000127
// Loops on the host beside each other, of which the source has one: the front of the other is a long long.
#include <pencil.h>
static void high(int *v) { *v = 1000; }
static int minimum(int a, int b) { return a < b ? a : b; }
void f(int n, int m, const int a[static const restrict n + 1][m], int b[static const restrict n + 1])
{
#pragma scop
    for (int t = 0; t < 3; t++)
        for (int i = 1; i < n - 1; i++) {
            int r;
            __pencil_reduction_var_init(&r, high);
            for (int j = 0; j < m; j++)
                __pencil_reduction(&r, a[min(i * 2, n)][j] + b[clamp(i - 1, 0, n - 1)], minimum);
            b[i] = r;
        }
    for (int k = 0; k < n; k += 4)
        for (int i = k; i < min(k + 4, n); i++)
            b[i] = b[min(i * 2, n)] % 47 - i % 7;
#pragma endscop
}
