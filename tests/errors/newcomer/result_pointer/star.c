#include <pencil.h>
static void zero(double *v) { *v = 0; }
static double add(double a, double b) { return a + b; }

void norm(int n, const double x[static const restrict n], double *out)
{
#pragma scop
    double s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, x[i] * x[i], add);
    *out = s;
#pragma endscop
}
