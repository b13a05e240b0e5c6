// A layer of convolutions with channels: padding, a bias and what is below zero cut off, and its gradient by the weights.
// tolerance: 1e-4
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef SIZE
#define SIZE 40
#endif
#define PICTURES 2
#define FROM 3
#define TO 18

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

// Windows of 3 x 3 values of all channels; what lies outside of the picture is no part of them.
void layer(int n, int from, int to, int h, int w, const float x[restrict const static n][from][h][w],
           const float f[restrict const static to][from][3][3], const float bias[restrict const static to],
           float y[restrict const static n][to][h][w]) {
#pragma scop
    for (int p = 0; p < n; p++)
        for (int k = 0; k < to; k++)
            for (int i = 0; i < h; i++)
                for (int j = 0; j < w; j++) {
                    float s;
                    __pencil_reduction_var_init(&s, zero);
                    for (int c = 0; c < from; c++)
                        for (int r = 0; r < 3; r++)
                            for (int q = 0; q < 3; q++) {
                                int a = i + r - 1, b = j + q - 1;
                                if (a >= 0 && a < h && b >= 0 && b < w)
                                    __pencil_reduction(&s, x[p][c][a][b] * f[k][c][r][q], add);
                            }
                    s += bias[k];
                    y[p][k][i][j] = s > 0 ? s : 0;
                }
#pragma endscop
}

// How the sum of all results times `d` changes with each weight: a reduction over all pictures and places.
void weights(int n, int from, int to, int h, int w, const float x[restrict const static n][from][h][w],
             const float d[restrict const static n][to][h][w], float df[restrict const static to][from][3][3]) {
#pragma scop
    for (int k = 0; k < to; k++)
        for (int c = 0; c < from; c++)
            for (int r = 0; r < 3; r++)
                for (int q = 0; q < 3; q++) {
                    __pencil_reduction_var_init(&df[k][c][r][q], zero);
                    for (int p = 0; p < n; p++)
                        for (int i = 0; i < h; i++)
                            for (int j = 0; j < w; j++) {
                                int a = i + r - 1, b = j + q - 1;
                                if (a >= 0 && a < h && b >= 0 && b < w)
                                    __pencil_reduction(&df[k][c][r][q], x[p][c][a][b] * d[p][k][i][j], add);
                            }
                }
#pragma endscop
}

static float value(unsigned seed) {
#ifdef INTEGER_DATA
    return (float)(seed >> 30);
#else
    return (float)(seed >> 8) / 16777216.0f - 0.5f;
#endif
}

static float x[PICTURES][FROM][SIZE][SIZE], y[PICTURES][TO][SIZE][SIZE], f[TO][FROM][3][3], df[TO][FROM][3][3], bias[TO];

int main(void) {
    unsigned seed = 77;
    float *const filled[] = {&x[0][0][0][0], &f[0][0][0][0], bias};
    const int counts[] = {PICTURES * FROM * SIZE * SIZE, TO * FROM * 9, TO};
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < counts[a]; k++) {
            seed = seed * 1664525u + 1013904223u;
            filled[a][k] = value(seed);
        }
    layer(PICTURES, FROM, TO, SIZE, SIZE, x, f, bias, y);
    weights(PICTURES, FROM, TO, SIZE, SIZE, x, y, df);
    double sum = 0.0;
    for (int k = 0; k < PICTURES * TO * SIZE * SIZE; k++)
        sum += (&y[0][0][0][0])[k] * (k % 7 + 1);
    for (int k = 0; k < TO * FROM * 9; k++)
        sum += (&df[0][0][0][0])[k] * (k % 3 + 1);
    printf("channels checksum %.9g\n", sum);
    return 0;
}
