// The dot product: the element of the reduction is an expression over two arrays.
// tolerance: 1e-5
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 10007
#endif

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

float dot(int n, const float a[static const restrict n], const float b[static const restrict n]) {
    float product;
    __pencil_reduction_var_init(&product, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&product, a[i] * b[i], add);
    return product;
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
    float *b = calloc((size_t)n, sizeof *b);
    unsigned seed = 9;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = value(seed);
        seed = seed * 1664525u + 1013904223u;
        b[i] = value(seed);
    }
    printf("dot n=%d checksum %.7g\n", n, dot(n, a, b));
    free(a);
    free(b);
    return 0;
}
