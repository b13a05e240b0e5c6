#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
int sum(n, a) int n; int a[]; {
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    return s;
}
