#include <pencil.h>
static int calls;
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { calls++; return a + b; }

int sum(int n, const int a[static const restrict n])
{
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    return s;
}
