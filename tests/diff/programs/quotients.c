// Quotients that stay in the row for a later stage, rows divided in place, divided by two values, and of doubles.
// sizes: n=0,1,33 m=1,33,129,1025
#include <math.h>
#include <pencil.h>
static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }
static void dzero(double *v) { *v = 0.0; }
static double dadd(double a, double b) { return a + b; }

void kept(int n, int m, const float x[static const restrict n][m], float y[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        float sum, squares, e[m];
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&sum, fabsf(x[i][j]), add);
        for (int j = 0; j < m; j++) e[j] = x[i][j] / (sum + 1.0f);
        __pencil_reduction_var_init(&squares, zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&squares, e[j] * e[j], add);
        for (int j = 0; j < m; j++) y[i][j] = e[j] / sqrtf(squares + 1.0f);
    }
}

void in_place(int n, int m, float x[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        float sum;
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&sum, x[i][j] * x[i][j], add);
        float norm = sqrtf(sum);
        for (int j = 0; j < m; j++) x[i][j] /= norm;
    }
}

void by_two(int n, int m, float scale, const float x[static const restrict n][m], float y[static const restrict n][m],
            float z[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        float sum;
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&sum, x[i][j], add);
        for (int j = 0; j < m; j++) {
            y[i][j] = x[i][j] / sum + 1.0f / scale;
            z[i][j] = -(x[i][j] / scale);
        }
    }
}

void doubles(int n, int m, const double x[static const restrict n][m], double y[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        double sum;
        __pencil_reduction_var_init(&sum, dzero);
        for (int j = 0; j < m; j++) __pencil_reduction(&sum, exp(x[i][j]), dadd);
        for (int j = 0; j < m; j++) y[i][j] = exp(x[i][j]) / sum;
    }
}

void whole(int m, const float x[static const restrict m], float y[static const restrict m]) {
    float sum;
    __pencil_reduction_var_init(&sum, zero);
    for (int j = 0; j < m; j++) __pencil_reduction(&sum, x[j], add);
    for (int j = 0; j < m; j++) y[j] = x[j] / sum;
}
