// The sum of an array: the smallest program with a declared reduction.
// tolerance: 1e-5
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 10007
#endif

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

float sum(int n, const float a[static const restrict n]) {
    float total;
    __pencil_reduction_var_init(&total, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&total, a[i], add);
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
    float *a = calloc((size_t)n, sizeof *a);
    unsigned seed = 1;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = value(seed);
    }
    printf("sum n=%d checksum %.7g\n", n, sum(n, a));
    free(a);
    return 0;
}
