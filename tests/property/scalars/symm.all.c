#include <pencil.h>

void symm(int m, int n, double alpha, double beta, double C[static const restrict m][n],
          const double A[static const restrict m][m], const double B[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double temp2, ab;
            ab = alpha * B[i][j];
            temp2 = 0;
            for (int k = 0; k < i; k++) {
                double a;
                a = A[i][k];
                C[k][j] += ab * a;
                temp2 += B[k][j] * a;
            }
            C[i][j] = beta * C[i][j] + ab * A[i][i] + alpha * temp2;
        }
#pragma endscop
}
