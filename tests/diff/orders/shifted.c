// Shifted sums over rows that do not fit on the chip: what depends on them is an output.
#include <math.h>
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static void lowest(float *v) { *v = -INFINITY; }
static float add(float a, float b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }

// sums[i]: of expf(x[i][j] - the largest)
void exponentials(int rows, int columns, const float x[static const restrict rows][columns],
                  float sums[static const restrict rows], float y[static const restrict rows][columns]) {
    for (int i = 0; i < rows; i++) {
        float max;
        __pencil_reduction_var_init(&max, lowest);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&max, x[i][j], larger);
        __pencil_reduction_var_init(&sums[i], zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&sums[i], expf(x[i][j] - max), add);
        for (int j = 0; j < columns; j++)
            y[i][j] = expf(x[i][j] - max) / sums[i];
    }
}

// sums[i]: of the squares of what x[i][j] is away from the mean
void squares(int rows, int columns, const float x[static const restrict rows][columns],
             float sums[static const restrict rows], float y[static const restrict rows][columns]) {
    for (int i = 0; i < rows; i++) {
        float mean;
        __pencil_reduction_var_init(&mean, zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&mean, x[i][j], add);
        mean = mean / columns;
        __pencil_reduction_var_init(&sums[i], zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&sums[i], (x[i][j] - mean) * (x[i][j] - mean), add);
        for (int j = 0; j < columns; j++)
            y[i][j] = (x[i][j] - mean) / sqrtf(sums[i] + 1e-20f);
    }
}
