// Rows that a stage loads and stores again, and columns whose elements are gathered where their number is used.
// sizes: n=0,1,33,1009 m=1,34
#include <pencil.h>

void centred(int n, const unsigned a[static const restrict n], unsigned b[static const restrict n],
             unsigned s[static const restrict 1]) {
#pragma scop
    s[0] = 4;
    for (int i = 0; i < n; i++) s[0] += a[i];
    for (int i = 0; i < n; i++) b[i] = b[i] - s[0];
#pragma endscop
}

void columns(int n, int m, unsigned b[static const restrict m], unsigned x[static const restrict n][m],
             const unsigned y[static const restrict n][m], const unsigned a[static const restrict n]) {
#pragma scop
    for (int j = 0; j < m; j++) {
        b[j] = 0;
        for (int i = 0; i < n; i++) b[j] += x[i][j] * a[i];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) x[i][j] = y[i][j] ^ b[j];
#pragma endscop
}
