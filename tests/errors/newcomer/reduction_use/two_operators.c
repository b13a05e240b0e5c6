#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
static int larger(int a, int b) { return a > b ? a : b; }
int mixed(int n, const int a[static const restrict n])
{
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&s, a[i], add);
        __pencil_reduction(&s, a[i], larger);
    }
    return s;
}
