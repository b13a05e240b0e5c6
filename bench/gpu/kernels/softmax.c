// Softmax of every row: a maximum, a sum that depends on it, and the rows scaled by it.
#include <float.h>
#include <math.h>
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static void lowest(float *v) { *v = -FLT_MAX; }
static float add(float a, float b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }

void softmax(int rows, int columns, const float x[static const restrict rows][columns],
             float y[static const restrict rows][columns]) {
    for (int i = 0; i < rows; i++) {
        float high, total;
        __pencil_reduction_var_init(&high, lowest);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&high, x[i][j], larger);
        __pencil_reduction_var_init(&total, zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&total, expf(x[i][j] - high), add);
        for (int j = 0; j < columns; j++)
            y[i][j] = expf(x[i][j] - high) / total;
    }
}
