// seed 0
// The bin of an update is what the last one left: values that are put in order cannot be dealt out to threads.
#include <pencil.h>
static void zero(double *v) { *v = 0; }
static double add(double a, double b) { return a + b; }
void f(int n, int m, const int b[static const restrict n], const double e[static const restrict n], double h[static const restrict 40])
{
#pragma scop
    for (int k = 0; k < 40; k++)
        __pencil_reduction_var_init(&h[k], zero);
    for (int i = 0; i < n; i++) {
        int w = b[i] & 31;
        for (int j = 0; j < m; j++) {
            __pencil_reduction(&h[w], e[i] * 0.5 + j, add);
            w = (w * 5 + j) & 31;
        }
    }
#pragma endscop
}
