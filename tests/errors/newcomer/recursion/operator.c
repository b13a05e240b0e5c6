#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }

int common(int n, const int a[static const restrict n])
{
    int g;
    __pencil_reduction_var_init(&g, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&g, a[i], gcd);
    return g;
}
