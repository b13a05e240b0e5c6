// What points of a matrix share: products of floats and of halves, and the shortest way in two steps.
#include <float.h>
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static void highest(float *v) { *v = FLT_MAX; }
static float add(float a, float b) { return a + b; }
static float smaller(float a, float b) { return a < b ? a : b; }

void product_float(int m, int n, int p, const float a[static const restrict m][p], const float b[static const restrict p][n],
                   float out[static const restrict m][n]) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum;
            __pencil_reduction_var_init(&sum, zero);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&sum, a[i][k] * b[k][j], add);
            out[i][j] = sum;
        }
}

void product_half(int m, int n, int p, const pencil_half a[static const restrict m][p],
                  const pencil_half b[static const restrict p][n], pencil_half out[static const restrict m][n]) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum;
            __pencil_reduction_var_init(&sum, zero);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&sum, pencil_half_to_float(a[i][k]) * pencil_half_to_float(b[k][j]), add);
            out[i][j] = pencil_float_to_half(sum);
        }
}

void min_plus(int m, int n, int p, const float a[static const restrict m][p], const float b[static const restrict p][n],
              float out[static const restrict m][n]) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float least;
            __pencil_reduction_var_init(&least, highest);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&least, a[i][k] + b[k][j], smaller);
            out[i][j] = least;
        }
}
