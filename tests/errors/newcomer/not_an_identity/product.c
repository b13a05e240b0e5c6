#include <pencil.h>
static void zero(double *v) { *v = 0; }
static double mul(double a, double b) { return a * b; }

double product(int n, const double a[static const restrict n])
{
    double p;
    __pencil_reduction_var_init(&p, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&p, a[i], mul);
    return p;
}
