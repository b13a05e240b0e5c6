// What the scripts of this folder call: rows of a matrix brought to mean 0 and deviation 1, and the largest element.
#include <float.h>
#include <limits.h>
#include <math.h>
#include <pencil.h>

typedef struct { float value; int row, column; } Best;

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

void standardize(int rows, int columns, const float x[static const restrict rows][columns],
                 float y[static const restrict rows][columns]) {
    for (int i = 0; i < rows; i++) {
        float sum, squares;
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&sum, x[i][j], add);
        float mean = sum / columns;
        __pencil_reduction_var_init(&squares, zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&squares, (x[i][j] - mean) * (x[i][j] - mean), add);
        for (int j = 0; j < columns; j++)
            y[i][j] = (x[i][j] - mean) / sqrtf(squares / columns);
    }
}

static void nothing(Best *best) { best->value = -FLT_MAX; best->row = INT_MAX; best->column = INT_MAX; }
static Best candidate(float value, int row, int column) { Best best = {value, row, column}; return best; }
static int is_before(Best a, Best b) { return a.row < b.row || (a.row == b.row && a.column < b.column); }
static Best larger(Best a, Best b) { return a.value > b.value || (a.value == b.value && is_before(a, b)) ? a : b; }

Best largest(int rows, int columns, const float x[static const restrict rows][columns]) {
    Best best;
    __pencil_reduction_var_init(&best, nothing);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&best, candidate(x[i][j], i, j), larger);
    return best;
}
