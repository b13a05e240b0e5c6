#include <pencil.h>
static int add(int a, int b) { return a + b; }

int sum(int n, int start, const int a[static const restrict n])
{
    int s;
    __pencil_reduction_var_init(&s, start);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    return s;
}
