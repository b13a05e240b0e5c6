#include <pencil.h>

void trmm(int m, int n, double alpha, const double A[static const restrict m][m],
          double B[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            for (int k = i + 1; k < m; k++) {
                double t;
                t = A[k][i] * B[k][j];
                B[i][j] += t;
            }
            B[i][j] = alpha * B[i][j];
        }
#pragma endscop
}
