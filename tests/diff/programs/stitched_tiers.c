// A softmax whose rows take every form of the stitched kernel, and its parts where they are too long or too few.
// sizes: rows=3,5,70 columns=0,1,7,129,260,600,1030,2050,4100,8193
#include <math.h>
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static void lowest(float *v) { *v = -INFINITY; }
static float add(float a, float b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }

void softmax(int rows, int columns, const float x[static const restrict rows][columns],
             float y[static const restrict rows][columns], float total[static const restrict rows]) {
    for (int i = 0; i < rows; i++) {
        float max;
        __pencil_reduction_var_init(&max, lowest);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&max, x[i][j], larger);
        __pencil_reduction_var_init(&total[i], zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&total[i], expf(x[i][j] - max), add);
        for (int j = 0; j < columns; j++)
            y[i][j] = expf(x[i][j] - max) / total[i];
    }
}
