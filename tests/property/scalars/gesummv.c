#include <pencil.h>

void gesummv(int n, double alpha, double beta, const double A[static const restrict n][n],
             const double B[static const restrict n][n], const double x[static const restrict n],
             double y[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        double t, s;
        t = 0.0;
        s = 0.0;
        for (int j = 0; j < n; j++) {
            double e;
            e = x[j];
            t = A[i][j] * e + t;
            s = B[i][j] * e + s;
        }
        y[i] = alpha * t + beta * s;
    }
#pragma endscop
}
