#include <pencil.h>

void three_mm(int ni, int nj, int nk, int nl, int nm, double E[static const restrict ni][nj],
              const double A[static const restrict ni][nk], const double B[static const restrict nk][nj],
              double F[static const restrict nj][nl], const double C[static const restrict nj][nm],
              const double D[static const restrict nm][nl], double G[static const restrict ni][nl]) {
#pragma scop
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            double s;
            s = 0.0;
            for (int k = 0; k < nk; ++k)
                s += A[i][k] * B[k][j];
            E[i][j] = s;
        }
    for (int i = 0; i < nj; i++)
        for (int j = 0; j < nl; j++) {
            double s;
            s = 0.0;
            for (int k = 0; k < nm; ++k)
                s += C[i][k] * D[k][j];
            F[i][j] = s;
        }
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nl; j++) {
            double s;
            s = 0.0;
            for (int k = 0; k < nj; ++k)
                s += E[i][k] * F[k][j];
            G[i][j] = s;
        }
#pragma endscop
}
