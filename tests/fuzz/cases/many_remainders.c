// Subscripts that are sums of remainders: isl looked for their ends for 20 seconds, and one thread was left of it all.
#include <pencil.h>
static int icut(int x, int n) { return x < 0 ? 0 : x >= n ? n - 1 : x; }
void f(int n, int m, double E[static const restrict n], const double P[static const restrict n], int C[static const restrict m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        E[i] = P[icut(i % 2 + (i + 1) % 3 + (i + 2) % 4 + (i + 3) % 5 + (i + 4) % 6, n)] * 0.5;
    for (int j = 0; j < m; j++)
        C[icut(j % 2 + (j + 1) % 3 + (j + 2) % 4, m)] = 7;
#pragma endscop
}
