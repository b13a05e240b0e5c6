#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float smaller(float a, float b) { return a < b ? a : b; }

float lowest(int n, const float a[static const restrict n])
{
    float m;
    __pencil_reduction_var_init(&m, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&m, a[i], smaller);
    return m;
}
