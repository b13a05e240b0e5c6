// Rows become columns: a matrix, a batch of matrices of bytes, subscripts of a volume turned round; through shared memory.
// tolerance: 0
#include <pencil.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 67
#endif
#ifndef COLUMNS
#define COLUMNS 129
#endif
#ifndef CHANNELS
#define CHANNELS 33
#endif

void transpose(int rows, int columns, const float a[restrict const static rows][columns],
               float b[restrict const static columns][rows]) {
#pragma scop
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            b[j][i] = a[i][j];
#pragma endscop
}

// Pictures one after the other.
void transpose_batch(int frames, int rows, int columns, const uint8_t a[restrict const static frames][rows][columns],
                     uint8_t b[restrict const static frames][columns][rows]) {
#pragma scop
    for (int f = 0; f < frames; f++)
        for (int j = 0; j < columns; j++)
            for (int i = 0; i < rows; i++)
                b[f][j][i] = a[f][i][j];
#pragma endscop
}

// The channels of each place of a picture become pictures.
void to_channels(int rows, int columns, int channels, const float a[restrict const static rows][columns][channels],
                 float b[restrict const static channels][rows][columns]) {
#pragma scop
    for (int c = 0; c < channels; c++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                b[c][i][j] = a[i][j][c];
#pragma endscop
}

static unsigned next(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 24;
}

int main(void) {
    int frames = 3;
    size_t elements = (size_t)ROWS * COLUMNS;
    float *a = malloc(elements * sizeof *a), *b = malloc(elements * sizeof *b);
    uint8_t *pictures = malloc(frames * elements), *turned = malloc(frames * elements);
    float *places = malloc(elements * CHANNELS * sizeof *places), *planes = malloc(elements * CHANNELS * sizeof *planes);
    unsigned seed = 30;
    for (size_t k = 0; k < elements; k++)
        a[k] = (float)next(&seed);
    for (size_t k = 0; k < frames * elements; k++)
        pictures[k] = (uint8_t)next(&seed);
    for (size_t k = 0; k < elements * CHANNELS; k++)
        places[k] = (float)next(&seed);
    transpose(ROWS, COLUMNS, (const float (*)[COLUMNS])a, (float (*)[ROWS])b);
    transpose_batch(frames, ROWS, COLUMNS, (const uint8_t (*)[ROWS][COLUMNS])pictures, (uint8_t (*)[COLUMNS][ROWS])turned);
    to_channels(ROWS, COLUMNS, CHANNELS, (const float (*)[COLUMNS][CHANNELS])places, (float (*)[ROWS][COLUMNS])planes);
    double sum = 0.0;
    for (size_t k = 0; k < elements; k++)
        sum += b[k] * (double)(k % 101);
    for (size_t k = 0; k < frames * elements; k++)
        sum += turned[k] * (double)(k % 103);
    for (size_t k = 0; k < elements * CHANNELS; k++)
        sum += planes[k] * (double)(k % 107);
    printf("transpose %dx%d checksum %.9g\n", ROWS, COLUMNS, sum);
    free(a);
    free(b);
    free(pictures);
    free(turned);
    free(places);
    free(planes);
    return 0;
}
