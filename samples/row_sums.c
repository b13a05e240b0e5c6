// One sum for each row of a matrix: the reduced dimension is the contiguous one.
// tolerance: 1e-5
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
static float add(float a, float b) { return a + b; }

void row_sums(int rows, int columns, const float a[static const restrict rows][columns],
              float sums[static const restrict rows]) {
    for (int i = 0; i < rows; i++) {
        __pencil_reduction_var_init(&sums[i], zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&sums[i], a[i][j], add);
    }
}

static float value(unsigned seed) {
#ifdef INTEGER_DATA
    return (float)(seed >> 28);
#else
    return (float)(seed >> 8) / 16777216.0f;
#endif
}

int main(int argc, char **argv) {
    int rows = argc > 1 ? atoi(argv[1]) : ROWS;
    int columns = argc > 2 ? atoi(argv[2]) : COLUMNS;
    float(*a)[columns] = calloc((size_t)rows, sizeof *a);
    float *sums = calloc((size_t)rows, sizeof *sums);
    unsigned seed = 10;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            seed = seed * 1664525u + 1013904223u;
            a[i][j] = value(seed);
        }
    row_sums(rows, columns, a, sums);
    double checksum = 0.0;
    for (int i = 0; i < rows; i++)
        checksum += (i % 7 + 1) * (double)sums[i];
    printf("row_sums rows=%d columns=%d checksum %.7g\n", rows, columns, checksum);
    free(a);
    free(sums);
    return 0;
}
