// seed 0
// The values of two reductions are sorted one after the other: what else the loop does is not done twice.
#include <pencil.h>
static int add(int a, int b) { return a + b; }
static void zero(int *v) { *v = 0; }
static double dadd(double a, double b) { return a + b; }
static void dzero(double *v) { *v = 0; }
void f(int n, int b[static const restrict n], double e[static const restrict n], double w[static const restrict 40000], int s[static const restrict 1])
{
#pragma scop
    for (int k = 0; k < 40000; k++)
        __pencil_reduction_var_init(&w[k], dzero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&w[i * 977 % 40000], b[i] % 9 * 0.5, dadd);
    for (int i = 0; i < n; i++)
        e[i] = w[i * 977 % 40000];
    for (int i = 0; i < n; i++)
        b[i] = 3 * (b[i] % 50);
    __pencil_reduction_var_init(&s[0], zero);
    for (int k = 0; k < n; k++)
        __pencil_reduction(&s[0], b[k] % 50, add);
#pragma endscop
}
