// seed 1000420
// The rows of lanes are one, whose number nothing names.
#include <pencil.h>
static int least(int a, int b) { return a < b ? a : b; }
static void high(int *v) { *v = 1 << 30; }
void f(int n, int m, const int b[static const restrict n], int c[static const restrict m])
{
#pragma scop
    for (int k = 0; k < m; k++)
        __pencil_reduction_var_init(&c[k], high);
    for (int i = 0; i < n / 2; i++)
        for (int j = 0; j <= m - 1; j++)
            if (j == 3)
                __pencil_reduction(&c[j], b[i / 2] % 45, least);
#pragma endscop
}
