#include <pencil.h>
static void lowest(float *v) { *v = -1e38f; }
float peak(int n, const float a[static const restrict n])
{
    float m;
    __pencil_reduction_var_init(&m, lowest);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&m, a[i], maximum);
    return m;
}
