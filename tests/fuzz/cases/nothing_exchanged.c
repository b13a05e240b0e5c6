// seed 1001092
// A row of the whole grid whose stages reduce nothing: no thread waits for another.
#include <pencil.h>
#define BACK(x, y) for (int i = 0; i < n; i++) x[i] = y[n - 1 - i];
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
void f(int n, const int a[static const restrict n], int b[static const restrict n], int c[static const restrict n],
       int d[static const restrict n])
{
#pragma scop
    __pencil_assume(n > 0);
    // More loops than the planner tries every set of.
    BACK(b, a) BACK(c, b) BACK(b, c) BACK(c, b) BACK(b, c) BACK(c, b) BACK(b, c)
    int sum, bins[40];
    __pencil_reduction_var_init(&sum, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&sum, b[i] % 50, add);
    for (int i = 0; i < n; i++)
        d[i] = sum;
    for (int k = 0; k < 40; k++)
        __pencil_reduction_var_init(&bins[k], zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&bins[i * 7 % 40], b[i] % 9, add);
    for (int i = 0; i < n; i++)
        d[i] = bins[i * 7 % 40];
#pragma endscop
}
