#include <math.h>

void norms(const double *a, int rows, int cols, double *one, double *inf, double *frob)
{
    double most = 0, widest = 0, sq = 0;
    for (int j = 0; j < cols; j++) {
        double s = 0;
        for (int i = 0; i < rows; i++)
            s += fabs(a[i * cols + j]);
        if (s > most) most = s;
    }
    for (int i = 0; i < rows; i++) {
        double s = 0;
        for (int j = 0; j < cols; j++) {
            s += fabs(a[i * cols + j]);
            sq += a[i * cols + j] * a[i * cols + j];
        }
        widest = fmax(widest, s);
    }
    *one = most;
    *inf = widest;
    *frob = sqrt(sq);
}
