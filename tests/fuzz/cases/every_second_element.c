// Every second element is begun and updated by one pair of statements, the others by another: no thread does both.
#include <pencil.h>
static void izero(int *v) { *v = 0; }
static int igcd(int a, int b)
{
    while (b != 0) {
        int t = a % b;
        a = b;
        b = t;
    }
    return a < 0 ? -a : a;
}
void f(int n, int m, const int B[static const restrict n], int C[static const restrict m])
{
#pragma scop
    __pencil_assume(m > 0);
    for (int k3 = 0; k3 < m; k3++)
        __pencil_reduction_var_init(&C[k3], izero);
    for (int i1 = 0; i1 < 2; i1++) for (int j2 = 0; j2 < m; j2++) if (j2 % 2 == 0)
        __pencil_reduction_var_init(&C[j2], izero);
    for (int i4 = 0; i4 < n; i4 += 2)
        for (int i5 = m - 1; i5 > 0; i5 -= 2) {
            __pencil_reduction(&C[i5], B[i4 / 2] % 17 + (i5 % 7), igcd);
        }
#pragma endscop
}
