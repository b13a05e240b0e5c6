#include <pencil.h>

void atax(int m, int n, const double A[static const restrict m][n], const double x[static const restrict n],
          double y[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = 0;
    for (int i = 0; i < m; i++) {
        double s;
        s = 0.0;
        for (int j = 0; j < n; j++)
            s = s + A[i][j] * x[j];
        for (int j = 0; j < n; j++)
            y[j] = y[j] + A[i][j] * s;
    }
#pragma endscop
}
