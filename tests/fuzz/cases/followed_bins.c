// seed 1112056
// Scalars before values that go to bins, which a statement behind them uses: each thread wrote them to memory.
#include <pencil.h>
static void iall(int *v) { *v = -1; }
static void dzero(double *v) { *v = 0; }
static int iand(int a, int b) { return a & b; }
static double dadd(double a, double b) { return a + b; }
void f1112058(int n, int m, int B[static const restrict n], const int C[static const restrict m], double E[static const restrict n])
{
#pragma scop
    int s;
    __pencil_reduction_var_init(&s, iall);
    for (int i = m - 1; i >= m; i--)
        __pencil_reduction(&s, C[i], iand);
    int w = s % 1000 + n;
    double bins[40000];
    for (int k = 0; k < 40000; k++)
        __pencil_reduction_var_init(&bins[k], dzero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&bins[i * 977 % 40000], B[i] % 50 * 0.5, dadd);
    for (int i = 0; i < n; i++)
        E[i] = bins[i * 977 % 40000];
    if (n > 0) {
        B[0] = B[0] % 1000 + s % 1000;
        B[0] = B[0] % 1000 + w % 1000;
    }
#pragma endscop
}
