#include <math.h>
static void zero(double *v) { *v = 0; }
static double add(double a, double b) { return a + b; }

double norm(int n, const double a[static const restrict n])
{
    double s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i] * a[i], add);
    return sqrt(s);
}
