// seed 0
// Values of two reductions are sorted, and only those of one are loaded in chunks: the host counts the chunks of each.
#include <pencil.h>
static double add(double a, double b) { return a + b; }
static void zero(double *v) { *v = 0; }
static int place(int i, int bins) { return (i & 0xffff) * 977 % bins; }
void f(int n, const char x[static const restrict n], double w[static const restrict 40000], double v[static const restrict 30000], double u[static const restrict 20000])
{
#pragma scop
    for (int k = 0; k < 40000; k++)
        __pencil_reduction_var_init(&w[k], zero);
    for (int k = 0; k < 30000; k++)
        __pencil_reduction_var_init(&v[k], zero);
    for (int k = 0; k < 20000; k++)
        __pencil_reduction_var_init(&u[k], zero);
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&w[place(i, 40000)], i % 9 * 0.5, add);
        __pencil_reduction(&v[place(x[i] & 127, 30000)], 0.25 * (i % 7), add);
        if (x[i] > 3)
            __pencil_reduction(&u[place(i, 20000)], 3.0, add);
    }
#pragma endscop
}
