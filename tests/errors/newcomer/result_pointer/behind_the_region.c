#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }

void mean(const float *x, int n, float *mean)
{
    float m;
    __pencil_reduction_var_init(&m, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&m, x[i], add);
    *mean = m / n;
}
