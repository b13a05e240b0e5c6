// PolyBench/C 4.2.1: the sum of two matrix-vector products.
#include <pencil.h>

void gesummv(int n, double alpha, double beta, const double A[static const restrict n][n],
             const double B[static const restrict n][n], double tmp[static const restrict n],
             const double x[static const restrict n], double y[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        tmp[i] = 0.0;
        y[i] = 0.0;
        for (int j = 0; j < n; j++) {
            tmp[i] = A[i][j] * x[j] + tmp[i];
            y[i] = B[i][j] * x[j] + y[i];
        }
        y[i] = alpha * tmp[i] + beta * y[i];
    }
#pragma endscop
}
