// A 2-D convolution whose border repeats the edge: subscripts are clamped, in a picture with a pitch.
// tolerance: 1e-5
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 61
#endif
#ifndef COLUMNS
#define COLUMNS 83
#endif
#define RADIUS 2

static void convolve(int rows, int cols, int step, const float src[restrict const static rows][step], int size,
                     const float kernel[restrict const static size][size], float dst[restrict const static rows][step]) {
#pragma scop
    __pencil_assume(rows > 0);
    __pencil_assume(cols > 0);
    __pencil_assume(step >= cols);
    __pencil_assume(size > 0 && size <= 15);
    __pencil_kill(dst);
#pragma pencil independent
    for (int r = 0; r < rows; r++)
#pragma pencil independent
        for (int c = 0; c < cols; c++) {
            float sum = 0.0f;
            for (int i = 0; i < size; i++)
                for (int j = 0; j < size; j++) {
                    int y = clamp(r + i - size / 2, 0, rows - 1);
                    int x = clamp(c + j - size / 2, 0, cols - 1);
                    sum += src[y][x] * kernel[i][j];
                }
            dst[r][c] = sum;
        }
    __pencil_kill(src);
    __pencil_kill(kernel);
#pragma endscop
}

// What other code calls: pictures are plain memory there.
void filter(int rows, int cols, int step, const float *src, int size, const float *kernel, float *dst) {
    convolve(rows, cols, step, (const float (*)[step])src, size, (const float (*)[size])kernel, (float (*)[step])dst);
}

static float value(unsigned seed) {
#ifdef INTEGER_DATA
    return (float)(seed >> 28);
#else
    return (float)(seed >> 8) / 16777216.0f;
#endif
}

int main(void) {
    int size = 2 * RADIUS + 1, step = COLUMNS + 5;
    float *src = calloc((size_t)ROWS * step, sizeof *src), *dst = calloc((size_t)ROWS * step, sizeof *dst);
    float kernel[(2 * RADIUS + 1) * (2 * RADIUS + 1)];
    unsigned seed = 21;
    for (int k = 0; k < ROWS * step; k++) {
        seed = seed * 1664525u + 1013904223u;
        src[k] = value(seed);
    }
    for (int k = 0; k < size * size; k++)
        kernel[k] = (float)(k % 5 + 1);
    filter(ROWS, COLUMNS, step, src, size, kernel, dst);
    double sum = 0.0;
    for (int k = 0; k < ROWS * step; k++)
        sum += dst[k] * (k % 7 + 1);
    printf("convolution %dx%d checksum %.9g\n", ROWS, COLUMNS, sum);
    free(src);
    free(dst);
    return 0;
}
