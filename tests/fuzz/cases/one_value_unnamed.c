// seed 1072756
// One value of a loop, told by a condition: isl puts it where the counter was, and nothing names the counter.
#include <pencil.h>
static int iand(int a, int b) { return a & b; }
static void iall(int *v) { *v = -1; }
void f(int n, int m, long long q, int A[static const restrict n][m], int C[static const restrict m])
{
#pragma scop
    __pencil_assume(m > 0);
    for (int k16 = 0; k16 < m; k16++)
        __pencil_reduction_var_init(&C[k16], iall);
    for (int i18 = 0; i18 < m; i18 += 3)
        for (unsigned long i17 = 0; i17 < min(q, n); i17 += 3) {
            if (i18 == 3) {
                __pencil_reduction(&C[i18], A[i17][i18] % 100 + (i18 > 2 ? 1 : -1), iand);
            }
        }
#pragma endscop
}
