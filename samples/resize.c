// A picture in another size, with bilinear interpolation between the four nearest pixels.
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

static float between(float a, float b, float share) { return a + (b - a) * share; }

void resize(int from_rows, int from_cols, const float src[static const restrict from_rows][from_cols], int to_rows,
            int to_cols, float dst[static const restrict to_rows][to_cols]) {
#pragma scop
    __pencil_assume(from_rows > 0 && from_cols > 0);
    __pencil_assume(to_rows > 0 && to_cols > 0);
    float row_scale = (float)from_rows / (float)to_rows;
    float col_scale = (float)from_cols / (float)to_cols;
    for (int r = 0; r < to_rows; r++)
        for (int c = 0; c < to_cols; c++) {
            // Pixels are squares: their centres lie at halves.
            float y = ((float)r + 0.5f) * row_scale - 0.5f;
            float x = ((float)c + 0.5f) * col_scale - 0.5f;
            int top = (int)floorf(y), left = (int)floorf(x);
            int y0 = clamp(top, 0, from_rows - 1), y1 = clamp(top + 1, 0, from_rows - 1);
            int x0 = clamp(left, 0, from_cols - 1), x1 = clamp(left + 1, 0, from_cols - 1);
            float upper = between(src[y0][x0], src[y0][x1], x - (float)left);
            float lower = between(src[y1][x0], src[y1][x1], x - (float)left);
            dst[r][c] = between(upper, lower, y - (float)top);
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
#ifdef INTEGER_DATA
    int rows = 2 * ROWS, cols = 2 * COLUMNS;
#else
    int rows = ROWS + 26, cols = COLUMNS - 17;
#endif
    float(*src)[COLUMNS] = calloc(ROWS, sizeof *src), (*dst)[cols] = calloc((size_t)rows, sizeof *dst);
    unsigned seed = 24;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) {
            seed = seed * 1664525u + 1013904223u;
            src[r][c] = value(seed);
        }
    resize(ROWS, COLUMNS, src, rows, cols, dst);
    double sum = 0.0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            sum += dst[r][c] * ((r + 3 * c) % 7 + 1);
    printf("resize %dx%d to %dx%d checksum %.9g\n", ROWS, COLUMNS, rows, cols, sum);
    free(src);
    free(dst);
    return 0;
}
