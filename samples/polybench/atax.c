// PolyBench/C 4.2.1: y = A^T (A x).
#include <pencil.h>

void atax(int m, int n, const double A[static const restrict m][n], const double x[static const restrict n],
          double y[static const restrict n], double tmp[static const restrict m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = 0;
    for (int i = 0; i < m; i++) {
        tmp[i] = 0.0;
        for (int j = 0; j < n; j++)
            tmp[i] = tmp[i] + A[i][j] * x[j];
        for (int j = 0; j < n; j++)
            y[j] = y[j] + A[i][j] * tmp[i];
    }
#pragma endscop
}
