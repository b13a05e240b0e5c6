#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int count(int a, int b)
{
    if (b > 0)
        a++;
    return a;
}

int positives(int n, const int a[static const restrict n])
{
    int c;
    __pencil_reduction_var_init(&c, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&c, a[i], count);
    return c;
}
