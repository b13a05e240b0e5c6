#include <pencil.h>
static void zero(double *v) { *v = 0; }

double sum(int n, const double a[static const restrict n])
{
    double s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], "+");
    return s;
}
