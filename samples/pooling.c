// Loops that meet behind a shift or a scaling share a launch: pooling behind a bias, a lagged product, every other value.
// tolerance: 1e-5
#include <math.h>
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 45
#endif
#ifndef COLUMNS
#define COLUMNS 67
#endif

// The largest of each 2 x 2 values, behind a bias: a thread does four of the first loop and one of the second.
void pooling(int rows, int columns, float bias, float a[restrict const static rows][columns],
             float pool[restrict const static rows / 2][columns / 2]) {
#pragma scop
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            a[i][j] = a[i][j] + bias;
    for (int i = 0; i < rows / 2; i++)
        for (int j = 0; j < columns / 2; j++)
            pool[i][j] = fmaxf(fmaxf(a[2 * i][2 * j], a[2 * i][2 * j + 1]),
                               fmaxf(a[2 * i + 1][2 * j], a[2 * i + 1][2 * j + 1]));
#pragma endscop
}

// A signal and what it was a step before: the second loop runs one behind the first.
float lagged(int n, const float x[restrict const static n], float y[restrict const static n]) {
    float sum = 0.0f;
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = x[i] / (1.0f + fabsf(x[i]));
#pragma pencil independent reduction(+: sum)
    for (int i = 1; i < n; i++)
        sum += y[i - 1] * y[i - 1];
#pragma endscop
    return sum;
}

// Every other value of what has just been written.
void halved(int n, const float x[restrict const static 2 * n], float y[restrict const static 2 * n],
            float half[restrict const static n]) {
#pragma scop
    for (int i = 0; i < 2 * n; i++)
        y[i] = sqrtf(x[i]);
    for (int i = 0; i < n; i++)
        half[i] = y[2 * i];
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
    float(*a)[COLUMNS] = calloc(ROWS, sizeof *a), (*pool)[COLUMNS / 2] = calloc(ROWS / 2, sizeof *pool);
    float *flat = (float *)a, *y = calloc(ROWS * COLUMNS, sizeof *y), *half = calloc(ROWS * COLUMNS / 2, sizeof *half);
    unsigned seed = 16;
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        seed = seed * 1664525u + 1013904223u;
        flat[k] = value(seed);
    }
    pooling(ROWS, COLUMNS, 2.0f, a, pool);
    double checksum = 0;
    for (int i = 0; i < ROWS / 2; i++)
        for (int j = 0; j < COLUMNS / 2; j++)
            checksum += (double)pool[i][j] * (1 + (i + j) % 5);
#ifndef INTEGER_DATA
    checksum += lagged(ROWS * COLUMNS, flat, y);
    halved(ROWS * COLUMNS / 2, flat, y, half);
    for (int k = 0; k < ROWS * COLUMNS / 2; k++)
        checksum += half[k];
#endif
    printf("checksum %.9g\n", checksum);
    free(a), free(pool), free(y), free(half);
    return 0;
}
