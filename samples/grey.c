// Colour conversion: three bytes a pixel to one, in fixed-point arithmetic that is exact everywhere.
// tolerance: 0
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 61
#endif
#ifndef COLUMNS
#define COLUMNS 83
#endif

typedef unsigned char uchar;

enum { SHIFT = 14, RED = 4899, GREEN = 9617, BLUE = 1868, CHANNELS = 3 };

void grey(int rows, int cols, int src_step, int dst_step,
          const uchar src[static const restrict rows][src_step][CHANNELS],
          uchar dst[static const restrict rows][dst_step]) {
#pragma scop
    __pencil_assume(rows > 0 && cols > 0);
    __pencil_assume(src_step >= cols && dst_step >= cols);
    __pencil_kill(dst);
#pragma pencil independent
    for (int r = 0; r < rows; r++)
#pragma pencil independent
        for (int c = 0; c < cols; c++) {
            unsigned sum = src[r][c][0] * (unsigned)RED + src[r][c][1] * (unsigned)GREEN + src[r][c][2] * (unsigned)BLUE;
            dst[r][c] = (uchar)((sum + (1u << (SHIFT - 1))) >> SHIFT);
        }
#pragma endscop
}

int main(void) {
    uchar(*src)[COLUMNS][CHANNELS] = calloc(ROWS, sizeof *src), (*dst)[COLUMNS + 2] = calloc(ROWS, sizeof *dst);
    unsigned seed = 26;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            for (int k = 0; k < CHANNELS; k++) {
                seed = seed * 1664525u + 1013904223u;
                src[r][c][k] = (uchar)(seed >> 24);
            }
    grey(ROWS, COLUMNS, COLUMNS, COLUMNS + 2, src, dst);
    long sum = 0;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            sum += dst[r][c] * ((r + 3 * c) % 7 + 1);
    printf("grey %dx%d checksum %ld\n", ROWS, COLUMNS, sum);
    free(src);
    free(dst);
    return 0;
}
