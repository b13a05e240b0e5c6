#include <pencil.h>

void mvt(int n, double x1[static const restrict n], double x2[static const restrict n],
         const double y_1[static const restrict n], const double y_2[static const restrict n],
         const double A[static const restrict n][n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        double s;
        s = x1[i];
        for (int j = 0; j < n; j++)
            s = s + A[i][j] * y_1[j];
        x1[i] = s;
    }
    for (int i = 0; i < n; i++) {
        double s;
        s = x2[i];
        for (int j = 0; j < n; j++)
            s = s + A[j][i] * y_2[j];
        x2[i] = s;
    }
#pragma endscop
}
