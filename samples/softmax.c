// Softmax and its logarithm over the rows of a matrix, in one nest and as separate loops with temporaries.
// tolerance: 1e-5
#include <math.h>
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 67
#endif
#ifndef COLUMNS
#define COLUMNS 131
#endif

static void zero(float *v) { *v = 0.0f; }
static void lowest(float *v) { *v = -INFINITY; }
static float add(float a, float b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }

void softmax(int rows, int columns, const float x[static const restrict rows][columns],
             float y[static const restrict rows][columns]) {
    for (int i = 0; i < rows; i++) {
        float max, sum;
        __pencil_reduction_var_init(&max, lowest);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&max, x[i][j], larger);
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&sum, expf(x[i][j] - max), add);
        for (int j = 0; j < columns; j++)
            y[i][j] = expf(x[i][j] - max) / sum;
    }
}

void log_softmax(int rows, int columns, const float x[static const restrict rows][columns],
                 float y[static const restrict rows][columns]) {
    for (int i = 0; i < rows; i++) {
        float max, sum;
        __pencil_reduction_var_init(&max, lowest);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&max, x[i][j], larger);
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&sum, expf(x[i][j] - max), add);
        float offset = max + logf(sum);
        for (int j = 0; j < columns; j++)
            y[i][j] = x[i][j] - offset;
    }
}

// As a library of single operations would do it; no temporary is stored where a row fits on the chip.
void softmax_loops(int rows, int columns, const float x[static const restrict rows][columns],
                   float y[static const restrict rows][columns]) {
    float max[rows], sum[rows], e[rows][columns];
    for (int i = 0; i < rows; i++) {
        __pencil_reduction_var_init(&max[i], lowest);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&max[i], x[i][j], larger);
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            e[i][j] = expf(x[i][j] - max[i]);
    for (int i = 0; i < rows; i++) {
        __pencil_reduction_var_init(&sum[i], zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&sum[i], e[i][j], add);
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            y[i][j] = e[i][j] / sum[i];
}

// With INTEGER_DATA all values of a row are equal, so every exponential is one and the sums are exact.
static float value(unsigned seed, int row) {
#ifdef INTEGER_DATA
    (void)seed;
    return (float)(row % 7);
#else
    (void)row;
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
    unsigned seed = 15;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            seed = seed * 1664525u + 1013904223u;
            x[i][j] = value(seed, i);
        }
    double checksum = 0.0;
    softmax(rows, columns, x, y);
    checksum += sum_of(rows, columns, y);
    log_softmax(rows, columns, x, y);
    checksum += sum_of(rows, columns, y);
    softmax_loops(rows, columns, x, y);
    checksum += sum_of(rows, columns, y);
    printf("softmax rows=%d columns=%d checksum %.6g\n", rows, columns, checksum);
    free(x);
    free(y);
    return 0;
}
