// Root-mean-square normalisation of every row.
#include <math.h>
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

void rms_norm(int rows, int columns, float epsilon, const float x[static const restrict rows][columns],
              const float gamma[static const restrict columns], float y[static const restrict rows][columns]) {
    for (int i = 0; i < rows; i++) {
        float squares;
        __pencil_reduction_var_init(&squares, zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&squares, x[i][j] * x[i][j], add);
        float factor = 1.0f / sqrtf(squares / (float)columns + epsilon);
        for (int j = 0; j < columns; j++)
            y[i][j] = x[i][j] * factor * gamma[j];
    }
}
