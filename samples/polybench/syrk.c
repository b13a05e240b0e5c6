// PolyBench/C 4.2.1: a symmetric rank-k update.
#include <pencil.h>

void syrk(int n, int m, double alpha, double beta, double C[static const restrict n][n],
          const double A[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            C[i][j] *= beta;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++)
                C[i][j] += alpha * A[i][k] * A[j][k];
    }
#pragma endscop
}
