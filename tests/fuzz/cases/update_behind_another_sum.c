// seed 1030520
// The only update of a bin stands behind a sum that has nothing to do with it: it comes behind its initialisation.
#include <pencil.h>
static void ihigh(int *v) { *v = 2147483647; }
static int iminimum(int a, int b) { return b < a ? b : a; }
static void dlow(double *v) { *v = -1e300; }
static double dmaximum(double a, double b) { return a < b ? b : a; }
void f(int n, int m, int B[static const restrict n], const int C[static const restrict m],
       double H[static const restrict 40], const double L[static const restrict m])
{
#pragma scop
    __pencil_assume(m > 0);
    int s;
    __pencil_reduction_var_init(&s, ihigh);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) __pencil_reduction(&s, C[i] % 44, iminimum);
    for (int k = 0; k < 40; k++) __pencil_reduction_var_init(&H[k], dlow);
    for (int i = 0; i < min(1, m); i++) __pencil_reduction(&H[C[i] & 15], L[0] * 0.5 - 1, dmaximum);
    if (n > 0) B[0] = B[0] % 1000 + s % 1000;
#pragma endscop
}
