#include <pencil.h>

void syr2k(int n, int m, double alpha, double beta, double C[static const restrict n][n],
           const double A[static const restrict n][m], const double B[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double s;
            s = C[i][j] * beta;
            for (int k = 0; k < m; k++)
                s += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
            C[i][j] = s;
        }
#pragma endscop
}
