#include <pencil.h>

void trisolv(int n, const double L[static const restrict n][n], double x[static const restrict n],
             const double b[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        double s;
        s = b[i];
        for (int j = 0; j < i; j++)
            s -= L[i][j] * x[j];
        x[i] = s / L[i][i];
    }
#pragma endscop
}
