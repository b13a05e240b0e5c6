// seed 1021600
// What the first initialisation starts has its result before what the second one starts begins, in one source loop; the
// second is done again and again before any update.
#include <pencil.h>
static void ihigh(int *v) { *v = 2147483647; }
static int iminimum(int a, int b) { return b < a ? b : a; }
static void izero(int *v) { *v = 0; }
static int iadd(int a, int b) { return a + b; }
static int icut(int x, int n) { return x < 0 ? 0 : x < n ? x : n - 1; }
void f(int n, int m, int A[static const restrict n][m], int C[static const restrict m], int G[static const restrict 40])
{
#pragma scop
    __pencil_assume(m > 0);
    __pencil_assume(n > 0);
    for (int k3 = 0; k3 < m; k3++)
        __pencil_reduction_var_init(&C[k3], ihigh);
    for (int i1 = 0; i1 < n; i1++) for (int j2 = 0; j2 < m; j2++) if (j2 > 3)
        __pencil_reduction_var_init(&C[j2], ihigh);
    for (int i4 = n - 1; i4 >= 0; i4--)
        for (unsigned char i5 = 0; i5 < min(m, 100); i5 += 3) {
            if (i5 != 4) {
                __pencil_reduction(&C[i5], A[icut(i4 * 2, n)][i5] % 47, iminimum);
            }
        }
    for (int k6 = 0; k6 < 40; k6++)
        __pencil_reduction_var_init(&G[k6], izero);
    for (int i7 = 0; i7 < min(n, m); i7++) {
        __pencil_reduction(&G[C[m - 1 - i7] & 7], C[i7] % 21 - C[m - 1 - i7] % 6 - min((i7 & 3), C[i7] < 3), iadd);
    }
#pragma endscop
}
