#include <pencil.h>
#define larger(a, b) ((a) > (b) ? (a) : (b))
static void lowest(int *v) { *v = -2147483647; }

int peak(int n, const int a[static const restrict n])
{
    int m;
    __pencil_reduction_var_init(&m, lowest);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&m, a[i], larger);
    return m;
}
