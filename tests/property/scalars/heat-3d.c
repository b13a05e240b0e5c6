#include <pencil.h>

void heat_3d(int tsteps, int n, double A[static const restrict n][n][n], double B[static const restrict n][n][n]) {
#pragma scop
    for (int t = 1; t <= tsteps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++) {
                    double c;
                    c = A[i][j][k];
                    B[i][j][k] = 0.125 * (A[i + 1][j][k] - 2.0 * c + A[i - 1][j][k]) +
                                 0.125 * (A[i][j + 1][k] - 2.0 * c + A[i][j - 1][k]) +
                                 0.125 * (A[i][j][k + 1] - 2.0 * c + A[i][j][k - 1]) + c;
                }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++) {
                    double c;
                    c = B[i][j][k];
                    A[i][j][k] = 0.125 * (B[i + 1][j][k] - 2.0 * c + B[i - 1][j][k]) +
                                 0.125 * (B[i][j + 1][k] - 2.0 * c + B[i][j - 1][k]) +
                                 0.125 * (B[i][j][k + 1] - 2.0 * c + B[i][j][k - 1]) + c;
                }
    }
#pragma endscop
}
