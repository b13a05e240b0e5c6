#include <pencil.h>

void durbin(int n, const double r[static const restrict n], double y[static const restrict n]) {
    double z[n];
#pragma scop
    double alpha, beta;
    y[0] = -r[0];
    beta = 1.0;
    alpha = -r[0];
    for (int k = 1; k < n; k++) {
        double sum;
        beta = (1 - alpha * alpha) * beta;
        sum = 0.0;
        for (int i = 0; i < k; i++)
            sum += r[k - i - 1] * y[i];
        alpha = -(r[k] + sum) / beta;
        for (int i = 0; i < k; i++) {
            double t;
            t = alpha * y[k - i - 1];
            z[i] = y[i] + t;
        }
        for (int i = 0; i < k; i++)
            y[i] = z[i];
        y[k] = alpha;
    }
#pragma endscop
}
