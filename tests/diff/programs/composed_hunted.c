// Composed kernels that were once wrong.
// sizes: rows=3,5 n=0,31 m=7
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static void dzero(double *v) { *v = 0.0; }
static float add(float a, float b) { return a + b; }
static double dadd(double a, double b) { return a + b; }

// The sum of a row has one accumulator a thread, and no grid to combine the values of blocks in.
void one_set(int rows, int n, int m, const double x[static const restrict rows][n][m],
             double y[static const restrict rows]) {
    for (int r = 0; r < rows; r++) {
        double d[n];
        float f[n];
        _Bool b[n];
        for (int i = 0; i < n; i++) {
            double dot;
            __pencil_reduction_var_init(&dot, dzero);
            for (int j = 0; j < m; j++)
                __pencil_reduction(&dot, x[r][i][j], dadd);
            d[i] = dot;
            f[i] = (float)i;
            b[i] = i % 3 == 0;
        }
        __pencil_reduction_var_init(&y[r], dzero);
        for (int i = 0; i < n; i++)
            __pencil_reduction(&y[r], d[i] * f[i] + b[i], dadd);
    }
}
