#include <pencil.h>

void syrk(int n, int m, double alpha, double beta, double C[static const restrict n][n],
          const double A[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            C[i][j] *= beta;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++) {
                double t;
                t = alpha * A[i][k];
                C[i][j] += t * A[j][k];
            }
    }
#pragma endscop
}
