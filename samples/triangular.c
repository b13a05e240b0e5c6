// The sum of the lower triangle of a matrix: a reduction domain that is no box.
// tolerance: 1e-5
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 97
#endif

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

float triangular(int n, const float a[static const restrict n][n]) {
    float total;
#pragma scop
    __pencil_reduction_var_init(&total, zero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            __pencil_reduction(&total, a[i][j], add);
#pragma endscop
    return total;
}

static float value(unsigned seed) {
#ifdef INTEGER_DATA
    return (float)(seed >> 28);
#else
    return (float)(seed >> 8) / 16777216.0f;
#endif
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : N;
    float(*a)[n] = calloc((size_t)n, sizeof *a);
    unsigned seed = 15;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            seed = seed * 1664525u + 1013904223u;
            a[i][j] = value(seed);
        }
    printf("triangular n=%d checksum %.7g\n", n, triangular(n, a));
    free(a);
    return 0;
}
