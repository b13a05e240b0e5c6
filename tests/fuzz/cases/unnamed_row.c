// seed 1000004
// A row of 64 bits over 32-bit iterations that the body does not name.
#include <pencil.h>
static long long ladd(long long a, long long b) { return a + b; }
static void lzero(long long *v) { *v = 0; }
long long f(int n, int m, const long long L[static const restrict m])
{
    long long s;
#pragma scop
    __pencil_reduction_var_init(&s, lzero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k <= j; k++)
                __pencil_reduction(&s, L[m - 1] % 1000, ladd);
#pragma endscop
    return s;
}
