// Sums of the rows and of the columns of a matrix.
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

void row_sums(int rows, int columns, const float a[static const restrict rows][columns],
              float out[static const restrict rows]) {
    for (int i = 0; i < rows; i++) {
        __pencil_reduction_var_init(&out[i], zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&out[i], a[i][j], add);
    }
}

void column_sums(int rows, int columns, const float a[static const restrict rows][columns],
                 float out[static const restrict columns]) {
    for (int j = 0; j < columns; j++)
        __pencil_reduction_var_init(&out[j], zero);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&out[j], a[i][j], add);
}

void three_column_sums(int rows, const float a[static const restrict rows][3], float out[static const restrict 3]) {
    for (int c = 0; c < 3; c++)
        __pencil_reduction_var_init(&out[c], zero);
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < 3; c++)
            __pencil_reduction(&out[c], a[i][c], add);
}
