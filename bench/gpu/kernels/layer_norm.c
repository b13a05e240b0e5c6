// Layer normalisation of every row, with a mean that the variance depends on.
#include <math.h>
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

void layer_norm(int rows, int columns, float epsilon, const float x[static const restrict rows][columns],
                const float gamma[static const restrict columns], const float beta[static const restrict columns],
                float y[static const restrict rows][columns]) {
    for (int i = 0; i < rows; i++) {
        float sum, squares;
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&sum, x[i][j], add);
        float mean = sum / (float)columns;
        __pencil_reduction_var_init(&squares, zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&squares, (x[i][j] - mean) * (x[i][j] - mean), add);
        float factor = 1.0f / sqrtf(squares / (float)columns + epsilon);
        for (int j = 0; j < columns; j++)
            y[i][j] = (x[i][j] - mean) * factor * gamma[j] + beta[j];
    }
}
