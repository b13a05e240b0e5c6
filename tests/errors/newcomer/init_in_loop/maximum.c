#include <pencil.h>
static void lowest(int *v) { *v = -2147483647; }
static int larger(int a, int b) { return a > b ? a : b; }

int peak(int n, const int a[static const restrict n])
{
    int m;
    for (int i = 0; i < n; i++)
    {
        __pencil_reduction_var_init(&m, lowest);
        __pencil_reduction(&m, a[i], larger);
    }
    return m;
}
