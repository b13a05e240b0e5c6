#include <math.h>
#include <pencil.h>

void correlation(int m, int n, double float_n, double data[static const restrict n][m],
                 double corr[static const restrict m][m], double mean[static const restrict m],
                 double stddev[static const restrict m]) {
#pragma scop
    double eps;
    eps = 0.1;
    for (int j = 0; j < m; j++) {
        double s;
        s = 0.0;
        for (int i = 0; i < n; i++)
            s += data[i][j];
        mean[j] = s / float_n;
    }
    for (int j = 0; j < m; j++) {
        double s;
        s = 0.0;
        for (int i = 0; i < n; i++) {
            double d;
            d = data[i][j] - mean[j];
            s += d * d;
        }
        s /= float_n;
        s = sqrt(s);
        stddev[j] = s <= eps ? 1.0 : s;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double d;
            d = data[i][j] - mean[j];
            data[i][j] = d / (sqrt(float_n) * stddev[j]);
        }
    for (int i = 0; i < m - 1; i++) {
        corr[i][i] = 1.0;
        for (int j = i + 1; j < m; j++) {
            double s;
            s = 0.0;
            for (int k = 0; k < n; k++)
                s += data[k][i] * data[k][j];
            corr[i][j] = s;
            corr[j][i] = s;
        }
    }
    corr[m - 1][m - 1] = 1.0;
#pragma endscop
}
