// One sum for each column of a matrix: the kept dimension is the contiguous one.
// The variables are initialised in another loop nest than the one that updates them.
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

void column_sums(int rows, int columns, const float a[static const restrict rows][columns],
                 float sums[static const restrict columns]) {
    for (int j = 0; j < columns; j++)
        __pencil_reduction_var_init(&sums[j], zero);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&sums[j], a[i][j], add);
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
    float *sums = calloc((size_t)columns, sizeof *sums);
    unsigned seed = 11;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            seed = seed * 1664525u + 1013904223u;
            a[i][j] = value(seed);
        }
    column_sums(rows, columns, a, sums);
    double checksum = 0.0;
    for (int j = 0; j < columns; j++)
        checksum += (j % 7 + 1) * (double)sums[j];
    printf("column_sums rows=%d columns=%d checksum %.7g\n", rows, columns, checksum);
    free(a);
    free(sums);
    return 0;
}
