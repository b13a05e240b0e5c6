#include <pencil.h>
static void one(int *v) { *v = 1; }

int product(int n, const int a[static const restrict n])
{
    int p;
    __pencil_reduction_var_init(&p, one);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&p, a[i], *);
    return p;
}
