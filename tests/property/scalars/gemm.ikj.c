#include <pencil.h>

void gemm(int ni, int nj, int nk, double alpha, double beta, double C[static const restrict ni][nj],
          const double A[static const restrict ni][nk], const double B[static const restrict nk][nj]) {
#pragma scop
    for (int i = 0; i < ni; i++) {
        for (int j = 0; j < nj; j++)
            C[i][j] *= beta;
        for (int k = 0; k < nk; k++) {
            double t;
            t = alpha * A[i][k];
            for (int j = 0; j < nj; j++)
                C[i][j] += t * B[k][j];
        }
    }
#pragma endscop
}
