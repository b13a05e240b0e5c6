// PolyBench/C 4.2.1: multiple matrix-vector products.
#include <pencil.h>

void gemver(int n, double alpha, double beta, double A[static const restrict n][n],
            const double u1[static const restrict n], const double v1[static const restrict n],
            const double u2[static const restrict n], const double v2[static const restrict n],
            double w[static const restrict n], double x[static const restrict n],
            const double y[static const restrict n], const double z[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x[i] = x[i] + beta * A[j][i] * y[j];
    for (int i = 0; i < n; i++)
        x[i] = x[i] + z[i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            w[i] = w[i] + alpha * A[i][j] * x[j];
#pragma endscop
}
