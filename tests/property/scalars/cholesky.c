#include <math.h>
#include <pencil.h>

void cholesky(int n, double A[static const restrict n][n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        double d;
        for (int j = 0; j < i; j++) {
            double s;
            s = A[i][j];
            for (int k = 0; k < j; k++)
                s -= A[i][k] * A[j][k];
            A[i][j] = s / A[j][j];
        }
        d = A[i][i];
        for (int k = 0; k < i; k++)
            d -= A[i][k] * A[i][k];
        A[i][i] = sqrt(d);
    }
#pragma endscop
}
