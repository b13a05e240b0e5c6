// What one thread runs in source order, with a branch that is never taken: what stands there alone has no place.
// sizes: n=0,1,33
#include <pencil.h>

void never_taken(int n, int a[static const restrict 64], const int b[static const restrict n][n],
                 int o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        a[(i * 7) % 64] = a[(i * 3) % 64] % 100 + 1;
    for (int i = 0; i < n; i++)
        a[(i * 5) % 64] += a[i % 64] % 100;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++)
            if (i == n - 1)
                o[j] = b[i][j];
#pragma endscop
}
