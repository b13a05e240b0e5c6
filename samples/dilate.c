// Greyscale dilation: the largest pixel under a structuring element, without the pixels outside of the picture.
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
#define SIZE 5

void dilate(int rows, int cols, int step, const unsigned char src[static const restrict rows][step], int height,
            int width, const unsigned char element[static const restrict height][width], int anchor_row,
            int anchor_col, unsigned char dst[static const restrict rows][step]) {
#pragma scop
    __pencil_assume(rows > 0 && cols > 0);
    __pencil_assume(step >= cols);
    __pencil_assume(height > 0 && height <= 16 && width > 0 && width <= 16);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) {
            unsigned char largest = 0;
            for (int i = 0; i < height; i++)
                for (int j = 0; j < width; j++) {
                    int y = r + i - anchor_row, x = c + j - anchor_col;
                    if (element[i][j] != 0 && y >= 0 && y < rows && x >= 0 && x < cols)
                        largest = src[y][x] > largest ? src[y][x] : largest;
                }
            dst[r][c] = largest;
        }
#pragma endscop
}

int main(void) {
    unsigned char element[SIZE][SIZE];
    int step = COLUMNS + 1;
    unsigned char(*src)[step] = calloc(ROWS, sizeof *src), (*dst)[step] = calloc(ROWS, sizeof *dst);
    unsigned seed = 23;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) {
            seed = seed * 1664525u + 1013904223u;
            src[r][c] = (unsigned char)(seed >> 24);
        }
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            element[i][j] = (unsigned char)(abs(i - SIZE / 2) + abs(j - SIZE / 2) <= SIZE / 2);
    dilate(ROWS, COLUMNS, step, src, SIZE, SIZE, element, SIZE / 2, SIZE / 2, dst);
    long sum = 0;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            sum += dst[r][c] * ((r + 3 * c) % 7 + 1);
    printf("dilate %dx%d checksum %ld\n", ROWS, COLUMNS, sum);
    free(src);
    free(dst);
    return 0;
}
