#include <pencil.h>

void two_mm(int ni, int nj, int nk, int nl, double alpha, double beta, double tmp[static const restrict ni][nj],
            const double A[static const restrict ni][nk], const double B[static const restrict nk][nj],
            const double C[static const restrict nj][nl], double D[static const restrict ni][nl]) {
#pragma scop
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            double s;
            s = 0.0;
            for (int k = 0; k < nk; ++k)
                s += alpha * A[i][k] * B[k][j];
            tmp[i][j] = s;
        }
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nl; j++) {
            double s;
            s = D[i][j] * beta;
            for (int k = 0; k < nj; ++k)
                s += tmp[i][k] * C[k][j];
            D[i][j] = s;
        }
#pragma endscop
}
