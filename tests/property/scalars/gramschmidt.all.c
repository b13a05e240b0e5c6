#include <math.h>
#include <pencil.h>

void gramschmidt(int m, int n, double A[static const restrict m][n], double R[static const restrict n][n],
                 double Q[static const restrict m][n]) {
#pragma scop
    for (int k = 0; k < n; k++) {
        double nrm, r;
        nrm = 0.0;
        for (int i = 0; i < m; i++)
            nrm += A[i][k] * A[i][k];
        r = sqrt(nrm);
        R[k][k] = r;
        for (int i = 0; i < m; i++)
            Q[i][k] = A[i][k] / r;
        for (int j = k + 1; j < n; j++) {
            double s;
            s = 0.0;
            for (int i = 0; i < m; i++)
                s += Q[i][k] * A[i][j];
            R[k][j] = s;
            for (int i = 0; i < m; i++) {
                double t;
                t = Q[i][k] * s;
                A[i][j] = A[i][j] - t;
            }
        }
    }
#pragma endscop
}
