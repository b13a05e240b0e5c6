#include <math.h>
#include <pencil.h>

void cholesky(int n, double A[static const restrict n][n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double w;
            for (int k = 0; k < j; k++) {
                double t;
                t = A[i][k] * A[j][k];
                A[i][j] -= t;
            }
            w = A[i][j] / A[j][j];
            A[i][j] = w;
        }
        for (int k = 0; k < i; k++) {
            double w;
            w = A[i][k];
            A[i][i] -= w * w;
        }
        A[i][i] = sqrt(A[i][i]);
    }
#pragma endscop
}
