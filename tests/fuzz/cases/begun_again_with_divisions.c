// Elements begun several times under conditions with remainders: isl did not get through with who is begun last.
#include <pencil.h>
static int icut(int x, int n) { return x < 0 ? 0 : x >= n ? n - 1 : x; }
static void izero(int *v) { *v = 0; }
static void ilow(int *v) { *v = -2147483647 - 1; }
static int imaximum(int a, int b) { return a > b ? a : b; }
static int igcd(int a, int b)
{
    while (b != 0) {
        int t = a % b;
        a = b;
        b = t;
    }
    return a < 0 ? -a : a;
}
void f1122315(int n, int m, const int A[static const restrict n][m], int B[static const restrict n], int C[static const restrict m])
{
#pragma scop
    __pencil_assume(m > 0);
    __pencil_assume(n > 0);
    for (int k3 = 0; k3 < m; k3++)
        __pencil_reduction_var_init(&C[k3], ilow);
    for (int i1 = 0; i1 < n; i1++) for (int j2 = 0; j2 < m; j2++) if (j2 % 2 == 0)
        __pencil_reduction_var_init(&C[j2], ilow);
    for (int i4 = 0; i4 < n / 2; i4++)
        for (int i5 = 1; i5 < m - 1; i5++) {
            if (i4 != 3) {
                __pencil_reduction(&C[i5], A[clamp(i4 + 1, 0, n - 1)][icut(0, m)] % 6 + (i4 > 2 ? 1 : -1), imaximum);
            }
        }
    int t7;
    for (unsigned char i6 = 0; i6 < min(m, 100); i6 += 3) {
        t7 = C[icut(1, m)] % 23;
        C[i6] = t7 + t7;
    }
    for (int k10 = 0; k10 < m; k10++)
        __pencil_reduction_var_init(&C[k10], izero);
    for (int i8 = 0; i8 < 2; i8++) for (int j9 = 0; j9 < m; j9++) if (j9 > 3)
        __pencil_reduction_var_init(&C[j9], izero);
    for (int i11 = 0; i11 < n; i11++)
        for (int i12 = 3; i12 < m; i12++) {
            if (i12 % 3 == 1) {
                __pencil_reduction(&C[i12], B[icut(i12 * 2, n)] % 42 - (i12 > 2 ? 1 : -1), igcd);
            }
        }
    for (int b13 = 0; b13 < n; b13 += 4)
        for (int i14 = b13; i14 < min(b13 + 4, n); i14++)
            B[i14] = B[clamp(i14 + 2, 0, n - 1)] % 46 + B[i14] % 41 + 0;
#pragma endscop
}
