// seed 1001092
#include <pencil.h>
static void izero(int *v) { *v = 0; }
static void ihigh(int *v) { *v = 2147483647; }
static int ixor(int a, int b) { return a ^ b; }
static int iminimum(int a, int b) { return b < a ? b : a; }
void f1001092(int n, int m, int A[static const restrict n][m], int B[static const restrict n], int C[static const restrict m], double E[static const restrict n])
{
#pragma scop
    __pencil_assume(n > 0);
    if (n % 2 == 0) {
        for (int i1 = 0; i1 < n; i1++) {
            if (i1 != 1)
                B[i1] = (m > 0 ? C[0] % 50 : 0) + i1;
            for (int j2 = 0; j2 < m; j2++)
                C[j2] = C[j2] % 50 * 3 + B[i1] % 50;
        }
    }
    for (int t3 = 0; t3 < min(n, 3); t3++) {
        for (int k4 = 0; k4 < m; k4++)
            __pencil_reduction_var_init(&C[k4], ihigh);
        for (unsigned i5 = 0; i5 < n; i5 += 3)
            for (int i6 = 0; i6 <= m - 1; i6++)
                if (i5 == 0)
                    __pencil_reduction(&C[i6], A[i5][i6] % 100 + ((int)i5 & 3), iminimum);
        for (int i7 = 1; i7 < n - 1; i7++) {
            int r9;
            __pencil_reduction_var_init(&r9, izero);
            for (int i8 = m - 1; i8 >= 0; i8--)
                __pencil_reduction(&r9, B[clamp(i8 + 0, 0, n - 1)] % 27, ixor);
            B[i7] = r9 % 1000 - 4;
        }
    }
#pragma endscop
}
