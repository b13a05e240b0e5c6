#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
void triangle(int n, const float x[static const restrict n][n], float y[static const restrict n][n]) {
    for (int i = 0; i < n; i++) {
        float total;
        __pencil_reduction_var_init(&total, zero);
        __pencil_reduction_var_init(&total, zero);
        for (int j = 0; j <= i; j++)
            __pencil_reduction(&total, x[i][j], add);
        for (int j = 0; j <= i; j++)
            y[i][j] = x[i][j] / (total + 1.0f);
    }
}
