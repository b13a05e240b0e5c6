#include <pencil.h>

void gemver(int n, double alpha, double beta, double A[static const restrict n][n],
            const double u1[static const restrict n], const double v1[static const restrict n],
            const double u2[static const restrict n], const double v2[static const restrict n],
            double w[static const restrict n], double x[static const restrict n],
            const double y[static const restrict n], const double z[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        double a, b;
        a = u1[i];
        b = u2[i];
        for (int j = 0; j < n; j++)
            A[i][j] = A[i][j] + a * v1[j] + b * v2[j];
    }
    for (int i = 0; i < n; i++) {
        double s;
        s = x[i];
        for (int j = 0; j < n; j++)
            s = s + beta * A[j][i] * y[j];
        x[i] = s;
    }
    for (int i = 0; i < n; i++)
        x[i] = x[i] + z[i];
    for (int i = 0; i < n; i++) {
        double s;
        s = w[i];
        for (int j = 0; j < n; j++)
            s = s + alpha * A[i][j] * x[j];
        w[i] = s;
    }
#pragma endscop
}
