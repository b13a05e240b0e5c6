#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }

void histogram(int n, const unsigned char a[static const restrict n], int h[static const restrict 256])
{
#pragma scop
    for (int k = 0; k < 256; k++)
        __pencil_reduction_var_init(h[k], zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(h[a[i]], 1, add);
#pragma endscop
}
