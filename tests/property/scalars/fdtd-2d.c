#include <pencil.h>

void fdtd_2d(int tmax, int nx, int ny, double ex[static const restrict nx][ny],
             double ey[static const restrict nx][ny], double hz[static const restrict nx][ny],
             const double fict[static const restrict tmax]) {
#pragma scop
    for (int t = 0; t < tmax; t++) {
        for (int j = 0; j < ny; j++) {
            double f;
            f = fict[t];
            ey[0][j] = f;
        }
        for (int i = 1; i < nx; i++)
            for (int j = 0; j < ny; j++) {
                double d;
                d = hz[i][j] - hz[i - 1][j];
                ey[i][j] = ey[i][j] - 0.5 * d;
            }
        for (int i = 0; i < nx; i++)
            for (int j = 1; j < ny; j++) {
                double d;
                d = hz[i][j] - hz[i][j - 1];
                ex[i][j] = ex[i][j] - 0.5 * d;
            }
        for (int i = 0; i < nx - 1; i++)
            for (int j = 0; j < ny - 1; j++) {
                double d;
                d = ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j];
                hz[i][j] = hz[i][j] - 0.7 * d;
            }
    }
#pragma endscop
}
