// sizes: n=1,2,5,33
// Points of a domain around which no loop is left, and updates outside of every loop.
#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }

int holes(int n, const int a[static const restrict n]) {
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        if (i > 3 || i == 1)
            __pencil_reduction(&s, a[i], add);
    return s;
}

int one_more(int n, const int a[static const restrict n]) {
    int s;
    __pencil_assume(n > 0);
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    __pencil_reduction(&s, a[0] * 5, add);
    return s;
}
