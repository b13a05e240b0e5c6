#include <pencil.h>

void lu(int n, double A[static const restrict n][n]) {
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            double f;
            f = A[i][k] / A[k][k];
            A[i][k] = f;
            for (int j = k + 1; j < n; j++)
                A[i][j] -= f * A[k][j];
        }
#pragma endscop
}
