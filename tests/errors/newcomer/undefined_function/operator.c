#include <pencil.h>
float sum(int n, const float a[static const restrict n])
{
    float s;
    __pencil_reduction_var_init(&s, init);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], plus);
    return s;
}
