// PolyBench/C 4.2.1: the product of a 3-D array and a matrix, in place.
#include <pencil.h>

void doitgen(int nr, int nq, int np, double A[static const restrict nr][nq][np],
             const double C4[static const restrict np][np], double sum[static const restrict np]) {
#pragma scop
    for (int r = 0; r < nr; r++)
        for (int q = 0; q < nq; q++) {
            for (int p = 0; p < np; p++) {
                sum[p] = 0.0;
                for (int s = 0; s < np; s++)
                    sum[p] += A[r][q][s] * C4[s][p];
            }
            for (int p = 0; p < np; p++)
                A[r][q][p] = sum[p];
        }
#pragma endscop
}
