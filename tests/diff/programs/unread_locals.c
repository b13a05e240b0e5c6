// Local arrays of run-time extent that are stored to and never read: nothing of them is generated, storage included.
// sizes: n=0,1,33 m=1,34
#include <pencil.h>

void unread(int n, const int x[static const restrict n], int y[static const restrict n]) {
#pragma scop
    int t[n];
    for (int i = 0; i < n; i++) t[i] = x[i];
    for (int i = 0; i < n; i++) y[i] = i;
#pragma endscop
}

void overwritten(int n, int m, const int x[static const restrict n][m], int y[static const restrict n]) {
#pragma scop
    __pencil_assume(m > 0);
    int t[n][m], u[n];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) t[i][j] = x[i][j] * 3;
        u[i] = t[i][0];
        y[i] = x[i][0];
    }
    for (int i = 0; i < n; i++) u[i] = u[i] + y[i];
#pragma endscop
}
