// isl overwrites its memory while it looks for the values of B, and takes the process with it (seed 1050645).
#include <pencil.h>
static int icut(int x, int n) { return x < 0 ? 0 : x >= n ? n - 1 : x; }
static void ilow(int *v) { *v = -2147483647 - 1; }
static int imaximum(int a, int b) { return a > b ? a : b; }
void f(int n, int m, long long q, int B[static const restrict n], const int C[static const restrict m])
{
#pragma scop
    __pencil_assume(n > 0);
    if (n > m)
        for (int i1 = n - 1; i1 >= 0; i1--)
            B[i1] = B[icut(i1 * 2, n)] + i1;
    for (unsigned i3 = 0; i3 < min(q, n); i3 += 3) {
        int r5;
        __pencil_reduction_var_init(&r5, ilow);
        for (int i4 = 3; i4 < m; i4++)
            if (i4 == 3)
                __pencil_reduction(&r5, C[i4] - B[icut(i4 * 2, n)], imaximum);
        B[i3] = r5;
    }
#pragma endscop
}
