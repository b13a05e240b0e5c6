// PolyBench/C 4.2.1: a matrix-vector product and one with the transposed matrix.
#include <pencil.h>

void mvt(int n, double x1[static const restrict n], double x2[static const restrict n],
         const double y_1[static const restrict n], const double y_2[static const restrict n],
         const double A[static const restrict n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x1[i] = x1[i] + A[i][j] * y_1[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x2[i] = x2[i] + A[j][i] * y_2[j];
#pragma endscop
}
