#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }

void count(int n, const int x[static const restrict n], int *total)
{
#pragma scop
    __pencil_reduction_var_init(total, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(total, x[i] > 0, add);
#pragma endscop
}
