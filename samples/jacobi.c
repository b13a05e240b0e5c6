// Heat that spreads: the mean of the neighbours, step by step, in a plate from one array to the other and back, in a block of
// metal with a copy behind each step.
// tolerance: 1e-5
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef STEPS
#define STEPS 7
#endif
#ifndef N
#define N 45
#endif

void jacobi_2d(int steps, int n, float a[static const restrict n][n], float b[static const restrict n][n]) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = 0.25f * (b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1]);
    }
#pragma endscop
}

void jacobi_3d(int steps, int n, float a[static const restrict n][n][n]) {
#pragma scop
    float b[n][n][n];
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    b[i][j][k] = 0.25f * a[i][j][k] + 0.125f * (a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] +
                                                                a[i][j + 1][k] + a[i][j][k - 1] + a[i][j][k + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    a[i][j][k] = b[i][j][k];
    }
#pragma endscop
}

// With INTEGER_DATA all is as warm as its border, and stays so.
static float value(unsigned seed) {
#ifdef INTEGER_DATA
    return 3.0f + 0.0f * (float)seed;
#else
    return (float)(seed >> 8) / 16777216.0f;
#endif
}

static double warmth(int count, const float *a) {
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += (i % 5 + 1) * (double)a[i];
    return sum;
}

int main(int argc, char **argv) {
    int steps = argc > 1 ? atoi(argv[1]) : STEPS, n = argc > 2 ? atoi(argv[2]) : N;
    float(*plate)[n] = malloc((size_t)n * sizeof *plate), (*other)[n] = malloc((size_t)n * sizeof *other);
    float(*block)[n][n] = malloc((size_t)n * sizeof *block);
    unsigned seed = 17;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            seed = seed * 1664525u + 1013904223u;
            plate[i][j] = other[i][j] = value(seed);
            for (int k = 0; k < n; k++) {
                seed = seed * 1664525u + 1013904223u;
                block[i][j][k] = value(seed);
            }
        }
    jacobi_2d(steps, n, plate, other);
    jacobi_3d(steps, n, block);
    printf("jacobi steps=%d n=%d checksum %.6g %.6g\n", steps, n, warmth(n * n, plate[0]), warmth(n * n * n, block[0][0]));
    free(plate);
    free(other);
    free(block);
    return 0;
}
