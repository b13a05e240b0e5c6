// Figure 6 of "Reduction Drawing": the column means of PolyBench's correlation, with the NULL argument of the paper.
// tolerance: 1e-5
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 120
#endif
#ifndef COLUMNS
#define COLUMNS 100
#endif

static void initialize(float *val) { *val = 0.0; }
static float reduction_sum(float v1, float v2) { return v1 + v2; }

void kernel_correlation(int M, int N, const float data[static const restrict N][M],
                        float mean[static const restrict M]) {
    for (int j = 0; j < M; j++) {
        __pencil_reduction_var_init(&mean[j], initialize);
        for (int i = 0; i < N; i++)
            __pencil_reduction(&mean[j], data[i][j], reduction_sum, NULL);
        mean[j] /= N;
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
    float(*data)[columns] = calloc((size_t)rows, sizeof *data);
    float *mean = calloc((size_t)columns, sizeof *mean);
    unsigned seed = 13;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            seed = seed * 1664525u + 1013904223u;
            data[i][j] = value(seed);
        }
    kernel_correlation(columns, rows, data, mean);
    double checksum = 0.0;
    for (int j = 0; j < columns; j++)
        checksum += (j % 7 + 1) * (double)mean[j];
    printf("correlation rows=%d columns=%d checksum %.7g\n", rows, columns, checksum);
    free(data);
    free(mean);
    return 0;
}
