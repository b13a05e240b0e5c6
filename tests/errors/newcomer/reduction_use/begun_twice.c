#include <pencil.h>
static void zero(float *x) { *x = 0; }
static float add(float a, float b) { return a + b; }
void f(int n, const float a[static const restrict n], float o[static const restrict n])
{
#pragma scop
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    for (int i = 0; i < n; i++)
        o[i] = a[i] / s;
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, o[i], add);
    o[0] = s;
#pragma endscop
}
