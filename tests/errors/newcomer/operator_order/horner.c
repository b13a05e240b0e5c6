#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int digit(int a, int b) { return 10 * a + b; }

int number(int n, const int a[static const restrict n])
{
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], digit);
    return s;
}
