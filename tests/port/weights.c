#include <math.h>
#include <stddef.h>

/* Weighted mean and deviation; weights may be NULL. */
double weighted_mean(const double *x, const double *weights, size_t n, double *deviation)
{
    double sw = 0, s = 0;
    for (size_t i = 0; i < n; i++) {
        double w = weights ? weights[i] : 1.0;
        sw += w;
        s += w * x[i];
    }
    double mean = sw > 0 ? s / sw : 0;
    double q = 0;
    for (size_t i = 0; i < n; i++) {
        double w = weights ? weights[i] : 1.0;
        q += w * (x[i] - mean) * (x[i] - mean);
    }
    if (deviation)
        *deviation = sw > 0 ? sqrt(q / sw) : 0;
    return mean;
}
