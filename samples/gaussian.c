// A separable Gaussian filter: two passes, with a temporary picture of run-time size between them.
// tolerance: 1e-5
#include <math.h>
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 61
#endif
#ifndef COLUMNS
#define COLUMNS 83
#endif
#define TAPS 7

void gaussian(int rows, int cols, int step, const float src[static const restrict rows][step], int taps,
              const float weight[static const restrict taps], float dst[static const restrict rows][step]) {
#pragma scop
    __pencil_assume(rows > 0);
    __pencil_assume(cols > 0);
    __pencil_assume(step >= cols);
    __pencil_assume(taps > 0 && taps <= 64);
    {
        float across[rows][cols];
        __pencil_kill(dst);
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < cols; c++) {
                float sum = 0.0f;
                for (int t = 0; t < taps; t++)
                    sum += src[r][clamp(c + t - taps / 2, 0, cols - 1)] * weight[t];
                across[r][c] = sum;
            }
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < cols; c++) {
                float sum = 0.0f;
                for (int t = 0; t < taps; t++)
                    sum += across[clamp(r + t - taps / 2, 0, rows - 1)][c] * weight[t];
                dst[r][c] = sum;
            }
        __pencil_kill(across);
    }
#pragma endscop
}

static float value(unsigned seed) {
#ifdef INTEGER_DATA
    return (float)(seed >> 28);
#else
    return (float)(seed >> 8) / 16777216.0f;
#endif
}

int main(void) {
    int step = COLUMNS + 3;
    float(*src)[step] = calloc(ROWS, sizeof *src), (*dst)[step] = calloc(ROWS, sizeof *dst), weight[TAPS];
    unsigned seed = 22;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) {
            seed = seed * 1664525u + 1013904223u;
            src[r][c] = value(seed);
        }
    for (int t = 0; t < TAPS; t++) {
#ifdef INTEGER_DATA
        weight[t] = (float)(TAPS / 2 + 1 - abs(t - TAPS / 2));
#else
        weight[t] = expf(-0.25f * (float)((t - TAPS / 2) * (t - TAPS / 2)));
#endif
    }
    gaussian(ROWS, COLUMNS, step, src, TAPS, weight, dst);
    double sum = 0.0;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            sum += dst[r][c] * ((r + 3 * c) % 7 + 1);
    printf("gaussian %dx%d checksum %.9g\n", ROWS, COLUMNS, sum);
    free(src);
    free(dst);
    return 0;
}
