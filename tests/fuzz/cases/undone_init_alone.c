// seed 1000124
// The second initialisation is undone and reaches no update: a kernel with nothing in it was not even launched.
#include <pencil.h>
static int add(int a, int b) { return a + b; }
static void zero(int *v) { *v = 0; }
static int both(int a, int b) { return a & b; }
static void all(int *v) { *v = -1; }
void f(int n, int m, const int A[static const restrict n][m], int C[static const restrict m])
{
#pragma scop
    for (int k = 0; k < m; k++)
        __pencil_reduction_var_init(&C[k], zero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j += 3)
            __pencil_reduction(&C[j], A[i][j] % 100 + j, add);
    for (int k = 0; k < m; k++)
        __pencil_reduction_var_init(&C[k], all);
    for (int i = 0; i < n; i++)
        for (int j = m - 1; j >= m; j--)
            __pencil_reduction(&C[j], A[i][j], both);
    __pencil_kill(C);
    for (int i = 0; i < m; i++)
        C[m - 1 - i] = i % 7;
#pragma endscop
}
