// An affine warp: every pixel of the result looks up where it comes from; outside of the source it is 0.
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

typedef struct {
    float linear[2][2];
    float shift[2];
} Transform;

typedef struct {
    float row, col;
} Position;

static Position source_of(Transform t, int r, int c) {
    Position p = {.col = t.linear[1][0] * (float)r + t.linear[1][1] * (float)c + t.shift[1],
                  .row = t.linear[0][0] * (float)r + t.linear[0][1] * (float)c + t.shift[0]};
    return p;
}

static float pixel(int rows, int cols, const float src[static const restrict rows][cols], int r, int c) {
    if (r < 0 || r >= rows || c < 0 || c >= cols)
        return 0.0f;
    return src[r][c];
}

void warp(int src_rows, int src_cols, const float src[static const restrict src_rows][src_cols], int rows, int cols,
          float dst[static const restrict rows][cols], Transform transform) {
#pragma scop
    __pencil_assume(src_rows > 0 && src_cols > 0);
#pragma pencil independent
    for (int r = 0; r < rows; r++)
#pragma pencil independent
        for (int c = 0; c < cols; c++) {
            Position at = source_of(transform, r, c);
            int top = (int)floorf(at.row), left = (int)floorf(at.col);
            float down = at.row - (float)top, right = at.col - (float)left;
            float sum = (1.0f - down) * (1.0f - right) * pixel(src_rows, src_cols, src, top, left);
            sum += (1.0f - down) * right * pixel(src_rows, src_cols, src, top, left + 1);
            sum += down * (1.0f - right) * pixel(src_rows, src_cols, src, top + 1, left);
            sum += down * right * pixel(src_rows, src_cols, src, top + 1, left + 1);
            dst[r][c] = sum;
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
    Transform transform = {{{0.5f, -0.25f}, {0.25f, 0.75f}}, {3.5f, -2.0f}};
#else
    Transform transform = {{{0.92f, -0.31f}, {0.29f, 0.87f}}, {3.7f, -2.1f}};
#endif
    float(*src)[COLUMNS] = calloc(ROWS, sizeof *src), (*dst)[COLUMNS] = calloc(ROWS, sizeof *dst);
    unsigned seed = 25;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) {
            seed = seed * 1664525u + 1013904223u;
            src[r][c] = value(seed);
        }
    warp(ROWS, COLUMNS, src, ROWS, COLUMNS, dst, transform);
    double sum = 0.0;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            sum += dst[r][c] * ((r + 3 * c) % 7 + 1);
    printf("warp %dx%d checksum %.9g\n", ROWS, COLUMNS, sum);
    free(src);
    free(dst);
    return 0;
}
