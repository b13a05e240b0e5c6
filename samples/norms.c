// What normalises the rows of a matrix: layer norm, RMS norm, L2 norm, variance and standardisation.
// tolerance: 1e-5
#include <math.h>
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 61
#endif
#ifndef COLUMNS
#define COLUMNS 138
#endif

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

void layer_norm(int rows, int columns, const float x[static const restrict rows][columns],
                const float gain[static const restrict columns], const float bias[static const restrict columns],
                float y[static const restrict rows][columns]) {
    for (int i = 0; i < rows; i++) {
        float mean, squares;
        __pencil_reduction_var_init(&mean, zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&mean, x[i][j], add);
        mean /= columns;
        __pencil_reduction_var_init(&squares, zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&squares, (x[i][j] - mean) * (x[i][j] - mean), add);
        float scale = 1.0f / sqrtf(squares / columns + 1e-5f);
        for (int j = 0; j < columns; j++)
            y[i][j] = (x[i][j] - mean) * scale * gain[j] + bias[j];
    }
}

void rms_norm(int rows, int columns, const float x[static const restrict rows][columns],
              const float gain[static const restrict columns], float y[static const restrict rows][columns]) {
    for (int i = 0; i < rows; i++) {
        float squares;
        __pencil_reduction_var_init(&squares, zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&squares, x[i][j] * x[i][j], add);
        float scale = 1.0f / sqrtf(squares / columns + 1e-5f);
        for (int j = 0; j < columns; j++)
            y[i][j] = x[i][j] * scale * gain[j];
    }
}

// In place: the row is read and overwritten once.
void l2_normalise(int rows, int columns, float x[static const restrict rows][columns],
                  float norms[static const restrict rows]) {
    for (int i = 0; i < rows; i++) {
        __pencil_reduction_var_init(&norms[i], zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&norms[i], x[i][j] * x[i][j], add);
        norms[i] = sqrtf(norms[i]);
        for (int j = 0; j < columns; j++)
            x[i][j] /= norms[i] + 1e-12f;
    }
}

// Separate loops with results of their own: the means and variances are wanted, too.
void standardise(int rows, int columns, const float x[static const restrict rows][columns],
                 float mean[static const restrict rows], float variance[static const restrict rows],
                 float y[static const restrict rows][columns]) {
    for (int i = 0; i < rows; i++) {
        __pencil_reduction_var_init(&mean[i], zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&mean[i], x[i][j], add);
        mean[i] /= columns;
    }
    for (int i = 0; i < rows; i++) {
        __pencil_reduction_var_init(&variance[i], zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&variance[i], (x[i][j] - mean[i]) * (x[i][j] - mean[i]), add);
        variance[i] /= columns;
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            y[i][j] = variance[i] > 0 ? (x[i][j] - mean[i]) / sqrtf(variance[i]) : 0.0f;
}

// With INTEGER_DATA the values are two apart from each other and the mean of a row is whole.
static float value(unsigned seed, int column) {
#ifdef INTEGER_DATA
    (void)seed;
    return (float)(column % 2 * 2);
#else
    (void)column;
    return (float)(seed >> 8) / 16777216.0f;
#endif
}

static double sum_of(int rows, int columns, float y[rows][columns]) {
    double checksum = 0.0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            checksum += ((i + j) % 7 + 1) * (double)y[i][j];
    return checksum;
}

int main(int argc, char **argv) {
    int rows = argc > 1 ? atoi(argv[1]) : ROWS;
    int columns = argc > 2 ? atoi(argv[2]) : COLUMNS;
    float(*x)[columns] = calloc((size_t)rows, sizeof *x);
    float(*y)[columns] = calloc((size_t)rows, sizeof *y);
    float *gain = calloc((size_t)columns, sizeof *gain), *bias = calloc((size_t)columns, sizeof *bias);
    float *mean = calloc((size_t)rows, sizeof *mean), *variance = calloc((size_t)rows, sizeof *variance);
    unsigned seed = 16;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            seed = seed * 1664525u + 1013904223u;
            x[i][j] = value(seed, j);
        }
    for (int j = 0; j < columns; j++) {
        gain[j] = (float)(j % 5 + 1);
        bias[j] = (float)(j % 3);
    }
    double checksum = 0.0;
    layer_norm(rows, columns, x, gain, bias, y);
    checksum += sum_of(rows, columns, y);
    rms_norm(rows, columns, x, gain, y);
    checksum += sum_of(rows, columns, y);
    standardise(rows, columns, x, mean, variance, y);
    checksum += sum_of(rows, columns, y);
    l2_normalise(rows, columns, x, mean);
    checksum += sum_of(rows, columns, x);
    for (int i = 0; i < rows; i++)
        checksum += (double)mean[i] + (double)variance[i];
    printf("norms rows=%d columns=%d checksum %.6g\n", rows, columns, checksum);
    free(x);
    free(y);
    free(gain);
    free(bias);
    free(mean);
    free(variance);
    return 0;
}
