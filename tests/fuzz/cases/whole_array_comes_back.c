// seed 1020236
// Which part of `C` is touched has no bounds that isl can tell: the whole array goes back, so it has to come first.
#include <pencil.h>
static void izero(int *v) { *v = 0; }
static int iadd(int a, int b) { return a + b; }
void f(int n, int m, int C[static const restrict m])
{
#pragma scop
    if (n % 2 == 0)
        for (int t = 0; t < min(n, 3); t++) {
            for (int k = 0; k < m; k++)
                __pencil_reduction_var_init(&C[k], izero);
            for (int i = 0; i < 1; i++)
                for (int j = m - 1; j > 0; j -= 2)
                    __pencil_reduction(&C[j], 3, iadd);
        }
#pragma endscop
}
