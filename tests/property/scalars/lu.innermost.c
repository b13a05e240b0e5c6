#include <pencil.h>

void lu(int n, double A[static const restrict n][n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++) {
                double t;
                t = A[i][k] * A[k][j];
                A[i][j] -= t;
            }
            A[i][j] /= A[j][j];
        }
        for (int j = i; j < n; j++)
            for (int k = 0; k < i; k++) {
                double t;
                t = A[i][k] * A[k][j];
                A[i][j] -= t;
            }
    }
#pragma endscop
}
