#include <pencil.h>

void doitgen(int nr, int nq, int np, double A[static const restrict nr][nq][np],
             const double C4[static const restrict np][np], double sum[static const restrict np]) {
#pragma scop
    for (int r = 0; r < nr; r++)
        for (int q = 0; q < nq; q++) {
            for (int p = 0; p < np; p++) {
                double t;
                t = 0.0;
                for (int s = 0; s < np; s++)
                    t += A[r][q][s] * C4[s][p];
                sum[p] = t;
            }
            for (int p = 0; p < np; p++)
                A[r][q][p] = sum[p];
        }
#pragma endscop
}
