#include <pencil.h>

void covariance(int m, int n, double float_n, double data[static const restrict n][m],
                double cov[static const restrict m][m], double mean[static const restrict m]) {
#pragma scop
    for (int j = 0; j < m; j++) {
        double s;
        s = 0.0;
        for (int i = 0; i < n; i++)
            s += data[i][j];
        mean[j] = s / float_n;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            data[i][j] -= mean[j];
    for (int i = 0; i < m; i++)
        for (int j = i; j < m; j++) {
            double s;
            s = 0.0;
            for (int k = 0; k < n; k++)
                s += data[k][i] * data[k][j];
            s /= float_n - 1.0;
            cov[i][j] = s;
            cov[j][i] = s;
        }
#pragma endscop
}
