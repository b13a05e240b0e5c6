#include <math.h>
#include <stdlib.h>
#include <string.h>
#define IDX(i, j) ((i) * (nx) + (j))
int jacobi(double *u, const double *f, int nx, int ny, double h, double tol, int maxit)
{
    size_t bytes = sizeof(double) * nx * ny;
    double *v = malloc(bytes);
    int it;
    if (v == NULL)
        return -1;
    for (it = 0; it < maxit; it++) {
        double res = 0.0;
        memcpy(v, u, sizeof(double) * nx * ny);
        for (int i = 1; i < ny - 1; i++)
            for (int j = 1; j < nx - 1; j++) {
                u[IDX(i, j)] = 0.25 * (v[IDX(i - 1, j)] + v[IDX(i + 1, j)] + v[IDX(i, j - 1)] + v[IDX(i, j + 1)] - h * h * f[IDX(i, j)]);
                double d = v[IDX(i, j)] - u[IDX(i, j)];
                res += d * d;
            }
        if (sqrt(res) < tol)
            break;
    }
    free(v);
    return it;
}
