// seed 1000754
// One statement updates what two initialisations begin, each a part of the elements.
#include <pencil.h>
static int either(int a, int b) { return a ^ b; }
static void zero(int *v) { *v = 0; }
static double dadd(double a, double b) { return a + b; }
static void dzero(double *v) { *v = 0; }
void again(int n, int m, const int b[static const restrict n], int c[static const restrict m])
{
#pragma scop
    for (int k = 0; k < m; k++)
        __pencil_reduction_var_init(&c[k], zero);
    for (int t = 0; t < 2; t++)
        for (int k = 0; k < m; k++)
            if (k % 2 == 0)
                __pencil_reduction_var_init(&c[k], zero);
    for (int i = n - 1; i >= 0; i--)
        for (int j = 0; j < m; j += 3)
            __pencil_reduction(&c[j], b[i] % 27, either);
#pragma endscop
}
void first_apart(int n, int m, const int a[static const restrict n][m], int c[static const restrict m])
{
#pragma scop
    if (m > 0)
        __pencil_reduction_var_init(&c[0], zero);
    for (int k = 1; k < m; k++)
        __pencil_reduction_var_init(&c[k], zero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            __pencil_reduction(&c[j], a[i][j], either);
#pragma endscop
}
void rounds(int n, int m, const int a[static const restrict n][m], int c[static const restrict m], int d[static const restrict 3][m])
{
#pragma scop
    for (int t = 0; t < 3; t++) {
        for (int k = 1; k < m; k += 2)
            __pencil_reduction_var_init(&c[k], zero);
        for (int k = 0; k < m; k += 2)
            __pencil_reduction_var_init(&c[k], zero);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                __pencil_reduction(&c[j], a[i][j] % 1000 * t, either);
        for (int j = 0; j < m; j++)
            d[t][j] = c[j];
    }
#pragma endscop
}
int either_branch(int n, int m, const int b[static const restrict n])
{
    int s;
#pragma scop
    if (n > m)
        __pencil_reduction_var_init(&s, zero);
    else
        __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, b[i], either);
#pragma endscop
    return s;
}
void in_order(int n, const double e[static const restrict n], double h[static const restrict 40])
{
#pragma scop
    for (int k = 0; k < 40; k++)
        __pencil_reduction_var_init(&h[k], dzero);
    for (int k = 4; k < 40; k++)
        __pencil_reduction_var_init(&h[k], dzero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&h[i % 40], e[i], dadd);
#pragma endscop
}
