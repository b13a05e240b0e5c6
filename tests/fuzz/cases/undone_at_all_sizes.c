#include <pencil.h>
static void izero(int *v) { *v = 0; }
static int iadd(int a, int b) { return a + b; }
void f(int n, int m, int z, const int A[static const restrict n][m], int C[static const restrict m], const int col[static const restrict z], int B[static const restrict n])
{
#pragma scop
    __pencil_assume(n > 0);
    for (int k = 0; k < m; k++)
        __pencil_reduction_var_init(&C[k], izero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            __pencil_reduction_var_init(&C[j], izero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            __pencil_reduction(&C[j], A[i][j], iadd);
    for (int i = 0; i < n; i++)
        B[i] = z > 0 ? col[0] : 1;
#pragma endscop
}
