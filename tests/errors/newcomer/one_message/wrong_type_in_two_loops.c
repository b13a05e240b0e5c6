#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }

double sum(int n, const double a[static const restrict n], const double b[static const restrict n])
{
    double s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, b[i], add);
    return s;
}
