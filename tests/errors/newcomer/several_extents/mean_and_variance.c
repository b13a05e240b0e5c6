#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }

void mean_var(const float *x, int n, float *mean, float *var)
{
#pragma scop
    float m;
    float v;
    __pencil_reduction_var_init(&m, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&m, x[i], add);
    m /= n;
    __pencil_reduction_var_init(&v, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&v, (x[i] - m) * (x[i] - m), add);
    *mean = m;
    *var = v / n;
#pragma endscop
}
