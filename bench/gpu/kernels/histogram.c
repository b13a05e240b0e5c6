// A histogram: how often each bin occurs.
#include <pencil.h>

static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }

void histogram(int n, int bins, const int at[static const restrict n], int counts[static const restrict bins]) {
    for (int b = 0; b < bins; b++)
        __pencil_reduction_var_init(&counts[b], zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&counts[at[i]], 1, add);
}
