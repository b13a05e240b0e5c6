#include <pencil.h>

void jacobi_1d(int tsteps, int n, double A[static const restrict n], double B[static const restrict n]) {
#pragma scop
    for (int t = 0; t < tsteps; t++) {
        for (int i = 1; i < n - 1; i++) {
            double s;
            s = A[i - 1] + A[i] + A[i + 1];
            B[i] = 0.33333 * s;
        }
        for (int i = 1; i < n - 1; i++) {
            double s;
            s = B[i - 1] + B[i] + B[i + 1];
            A[i] = 0.33333 * s;
        }
    }
#pragma endscop
}
