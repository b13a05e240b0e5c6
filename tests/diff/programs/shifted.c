// Sums that are shifted by what an earlier walk has found: rows that do not fit on the chip are walked over once for both.
// sizes: rows=0,1,3 columns=0,1,33,16500
#include <math.h>
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static void one(float *v) { *v = 1.0f; }
static void wide_zero(double *v) { *v = 0.0; }
static void lowest(float *v) { *v = -INFINITY; }
static void highest(double *v) { *v = INFINITY; }
static float add(float a, float b) { return a + b; }
static double wide_add(double a, double b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }
static double smaller(double a, double b) { return a < b ? a : b; }

// Two sums with weights behind one maximum; one of them begins with something, and one has a temporary.
void weighted(int rows, int columns, const float x[static const restrict rows][columns],
              const float w[static const restrict rows][columns], float y[static const restrict rows][columns]) {
#pragma scop
    for (int i = 0; i < rows; i++) {
        float max, sum, mean;
        __pencil_reduction_var_init(&max, lowest);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&max, 0.5f * x[i][j], larger);
        __pencil_reduction_var_init(&sum, one);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&sum, exp2f(0.5f * x[i][j] - max), add);
        __pencil_reduction_var_init(&mean, zero);
        for (int j = 0; j < columns; j++) {
            float e = exp2f(0.5f * x[i][j] - max);
            __pencil_reduction(&mean, w[i][j] * e, add);
        }
        for (int j = 0; j < columns; j++)
            y[i][j] = exp2f(0.5f * x[i][j] - max) / sum + mean / sum;
    }
#pragma endscop
}

// The shift is the smallest value, which makes exponentials large; in double, with another sign of the square.
void from_least(int rows, int columns, const double x[static const restrict rows][columns],
                double y[static const restrict rows][columns], double rest[static const restrict rows]) {
#pragma scop
    for (int i = 0; i < rows; i++) {
        double least, sum;
        __pencil_reduction_var_init(&least, highest);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&least, x[i][j], smaller);
        __pencil_reduction_var_init(&sum, wide_zero);
        __pencil_reduction_var_init(&rest[i], wide_zero);
        for (int j = 0; j < columns; j++) {
            __pencil_reduction(&sum, exp(0.125 * x[i][j] - least), wide_add);
            __pencil_reduction(&rest[i], (least - x[i][j]) * (least - x[i][j]), wide_add);
        }
        for (int j = 0; j < columns; j++)
            y[i][j] = (x[i][j] - least) / (1.0 + sum);
    }
#pragma endscop
}

// A residual that the first walk stores and the second one reads again; the deviations are wanted afterwards.
void residual_norm(int rows, int columns, const float x[static const restrict rows][columns],
                   const float r[static const restrict rows][columns], float z[static const restrict rows][columns],
                   float y[static const restrict rows][columns]) {
#pragma scop
    float away[rows][columns];
    for (int i = 0; i < rows; i++) {
        float mean, variance;
        __pencil_reduction_var_init(&mean, zero);
        for (int j = 0; j < columns; j++) {
            z[i][j] = x[i][j] + r[i][j];
            __pencil_reduction(&mean, z[i][j], add);
        }
        mean = mean / columns;
        __pencil_reduction_var_init(&variance, zero);
        for (int j = 0; j < columns; j++) {
            away[i][j] = z[i][j] - mean;
            __pencil_reduction(&variance, away[i][j] * away[i][j], add);
        }
        variance = variance / columns;
        for (int j = 0; j < columns; j++)
            y[i][j] = away[i][j] / sqrtf(variance + 0.001f);
    }
#pragma endscop
}

// One variable for both sums; columns, whose neighbours are contiguous; a weight of the row before the columns.
void columns_of(int rows, int columns, const float x[static const restrict columns][rows],
                float variance[static const restrict rows], float y[static const restrict columns][rows]) {
#pragma scop
    for (int i = 0; i < rows; i++) {
        float sum, mean;
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&sum, x[j][i], add);
        mean = sum / columns;
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&sum, (x[j][i] - mean) * (x[j][i] - mean), add);
        variance[i] = sum / columns;
        for (int j = 0; j < columns; j++)
            y[j][i] = (x[j][i] - mean) * (variance[i] > 0.01f ? 1.0f / sqrtf(variance[i]) : 0.0f);
    }
#pragma endscop
}

// A whole array, as often as there are rows, in place.
void again_and_again(int rows, int columns, float x[static const restrict columns]) {
#pragma scop
    for (int k = 0; k < rows % 4; k++) {
        float max, sum;
        __pencil_reduction_var_init(&max, lowest);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&max, x[j], larger);
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&sum, expf(x[j] - max), add);
        for (int j = 0; j < columns; j++)
            x[j] = x[j] * 0.5f + expf(x[j] - max) / sum;
    }
#pragma endscop
}

// Only some elements count; exponentials are an output of their own.
void masked(int rows, int columns, const float x[static const restrict rows][columns],
            const int mask[static const restrict columns], float e[static const restrict rows][columns],
            float y[static const restrict rows][columns]) {
#pragma scop
    float max[rows], sum[rows];
    for (int i = 0; i < rows; i++) {
        __pencil_reduction_var_init(&max[i], lowest);
        for (int j = 0; j < columns; j++)
            if (mask[j] > 0)
                __pencil_reduction(&max[i], x[i][j], larger);
    }
    for (int i = 0; i < rows; i++) {
        __pencil_reduction_var_init(&sum[i], zero);
        for (int j = 0; j < columns; j++) {
            e[i][j] = expf(x[i][j] - max[i]);
            if (mask[j] > 0)
                __pencil_reduction(&sum[i], e[i][j], add);
        }
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            y[i][j] = mask[j] > 0 ? e[i][j] / sum[i] : 0.0f;
#pragma endscop
}

// In place, as one would write it by hand, and in two steps; the largest value of a row may be minus infinity.
void in_place(int rows, int columns, float x[static const restrict rows][columns]) {
#pragma scop
    for (int i = 0; i < rows; i++) {
        float max, sum;
        __pencil_reduction_var_init(&max, lowest);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&max, x[i][j], larger);
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < columns; j++) {
            x[i][j] -= max;
            x[i][j] = expf(x[i][j]);
            __pencil_reduction(&sum, x[i][j], add);
        }
        for (int j = 0; j < columns; j++)
            x[i][j] /= sum;
    }
#pragma endscop
}

// Rows of different lengths, which are never stitched; those of later ones may be empty.
void shorter_rows(int rows, int columns, const float x[static const restrict rows][columns],
                  float sums[static const restrict rows], float variances[static const restrict rows]) {
#pragma scop
    for (int i = 0; i < rows; i++) {
        float max, mean;
        __pencil_reduction_var_init(&max, lowest);
        for (int j = 2 * i; j < columns; j++)
            __pencil_reduction(&max, x[i][j], larger);
        __pencil_reduction_var_init(&sums[i], zero);
        for (int j = 2 * i; j < columns; j++)
            __pencil_reduction(&sums[i], expf(x[i][j] - max), add);
        __pencil_reduction_var_init(&mean, zero);
        for (int j = 2 * i; j < columns; j++)
            __pencil_reduction(&mean, x[i][j], add);
        mean = mean / columns;
        __pencil_reduction_var_init(&variances[i], zero);
        for (int j = 2 * i; j < columns; j++)
            __pencil_reduction(&variances[i], (x[i][j] - mean) * (x[i][j] - mean), add);
    }
#pragma endscop
}
