// Histograms of oriented gradients of several pictures, without the final normalisation: every pixel adds the length of
// its gradient to the bin of its direction in the four cells around it, weighted by how near they are.
// tolerance: 1e-4
#include <math.h>
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef FRAMES
#define FRAMES 2
#endif
#ifndef ROWS
#define ROWS 61
#endif
#ifndef COLUMNS
#define COLUMNS 47
#endif

#define CELL 8
#define BINS 9

static void zero(float *sum) { *sum = 0.0f; }
static float add(float a, float b) { return a + b; }

// Which of the directions, taken without sign, is the nearest below; by comparisons, which round nothing.
static int direction(float gx, float gy) {
    float x = gy < 0.0f ? -gx : gx;
    float y = gy < 0.0f ? -gy : gy;
    int bin = 0;
    for (int k = 1; k < BINS; k++)
        if (y * cosf(3.14159265f * (float)k / (float)BINS) >= x * sinf(3.14159265f * (float)k / (float)BINS))
            bin = k;
    return bin;
}

// The weight that a pixel at place `at` has in the nearer (0) or the farther (1) of the two cells beside it.
static float nearness(int at, int far) {
    float part = ((float)(at % CELL) + 0.5f) / (float)CELL;
    return far ? part : 1.0f - part;
}

void gradients(int frames, int rows, int columns, const float image[static const restrict frames][rows][columns],
               float cells[static const restrict frames][rows / CELL + 2][columns / CELL + 2][BINS]) {
    for (int f = 0; f < frames; f++)
        for (int r = 0; r < rows / CELL + 2; r++)
            for (int c = 0; c < columns / CELL + 2; c++)
                for (int b = 0; b < BINS; b++)
                    __pencil_reduction_var_init(&cells[f][r][c][b], zero);
    for (int f = 0; f < frames; f++)
        for (int y = 1; y < rows - 1; y++)
            for (int x = 1; x < columns - 1; x++) {
                float gx = image[f][y][x + 1] - image[f][y][x - 1];
                float gy = image[f][y + 1][x] - image[f][y - 1][x];
                float length = sqrtf(gx * gx + gy * gy);
                int bin = direction(gx, gy);
                for (int down = 0; down < 2; down++)
                    for (int right = 0; right < 2; right++)
                        __pencil_reduction(&cells[f][y / CELL + down][x / CELL + right][bin],
                                           length * nearness(y, down) * nearness(x, right), add);
            }
}

static float value(unsigned seed) {
#ifdef INTEGER_DATA
    return (float)(seed >> 28 & 1u);
#else
    return (float)(seed >> 8) / 16777216.0f;
#endif
}

int main(int argc, char **argv) {
    int rows = argc > 1 ? atoi(argv[1]) : ROWS;
    int columns = argc > 2 ? atoi(argv[2]) : COLUMNS;
    int frames = argc > 3 ? atoi(argv[3]) : FRAMES;
    int down = rows / CELL + 2, across = columns / CELL + 2;
    float(*image)[rows][columns] = calloc((size_t)frames, sizeof *image);
    float(*cells)[down][across][BINS] = calloc((size_t)frames, sizeof *cells);
    unsigned seed = 24;
    for (int f = 0; f < frames; f++)
        for (int y = 0; y < rows; y++)
            for (int x = 0; x < columns; x++) {
                seed = seed * 1664525u + 1013904223u;
                image[f][y][x] = value(seed);
            }
    gradients(frames, rows, columns, image, cells);
    double checksum = 0.0;
    for (int f = 0; f < frames; f++)
        for (int r = 0; r < down; r++)
            for (int c = 0; c < across; c++)
                for (int b = 0; b < BINS; b++)
                    checksum += ((r + c + b) % 7 + 1) * (double)cells[f][r][c][b];
    printf("gradients frames=%d rows=%d columns=%d checksum %.6g\n", frames, rows, columns, checksum);
    free(image);
    free(cells);
    return 0;
}
