// Plain C: nobody has marked the reductions.  Integer sums, extremes, rows, columns and a histogram are found by
// themselves; the floating dot product is reordered because its loop carries a `reduction` clause.
// tolerance: 1e-5
#include <limits.h>
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 61
#endif
#define COLUMNS 83
#define BINS 16

// One pass for the three results of the whole picture, one each for rows, columns and bins.
void survey(int rows, int columns, const unsigned char picture[static const restrict rows][columns],
            int extremes[static const restrict 2], long row[static const restrict rows],
            long column[static const restrict columns], int bins[static const restrict BINS]) {
#pragma scop
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            if (picture[i][j] < extremes[0]) extremes[0] = picture[i][j];
            extremes[1] = extremes[1] > picture[i][j] ? extremes[1] : picture[i][j];
            row[i] += picture[i][j];
            column[j] += picture[i][j];
            bins[picture[i][j] / (256 / BINS)]++;
        }
    }
#pragma endscop
}

float dot(int n, const float a[static const restrict n], const float b[static const restrict n]) {
    float sum = 0.0f;
#pragma scop
#pragma pencil independent reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
#pragma endscop
    return sum;
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
    int n = rows * COLUMNS;
    unsigned char *picture = calloc((size_t)n, sizeof *picture);
    float *a = calloc((size_t)n, sizeof *a), *b = calloc((size_t)n, sizeof *b);
    long *row = calloc((size_t)rows, sizeof *row), column[COLUMNS] = {0};
    int extremes[2] = {INT_MAX, INT_MIN}, bins[BINS] = {0};
    unsigned seed = 7;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        picture[i] = (unsigned char)(seed >> 24);
        a[i] = value(seed);
        b[i] = (float)(i % 5);
    }
    survey(rows, COLUMNS, (const unsigned char (*)[COLUMNS])picture, extremes, row, column, bins);
    long rows_sum = 0, columns_sum = 0, bins_sum = 0;
    for (int i = 0; i < rows; i++) rows_sum += (i + 1) * row[i];
    for (int j = 0; j < COLUMNS; j++) columns_sum += (j + 1) * column[j];
    for (int b_ = 0; b_ < BINS; b_++) bins_sum += (b_ + 1) * bins[b_];
    printf("plain rows=%d checksum %d %d %ld %ld %ld %.7g\n", rows, extremes[0], extremes[1], rows_sum, columns_sum,
           bins_sum, dot(n, a, b));
    free(picture);
    free(a);
    free(b);
    free(row);
    return 0;
}
