// Two dependent reductions in one function: the mean, then the mean square distance from it.
// tolerance: 1e-5
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 10007
#endif

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

float variance(int n, const float a[static const restrict n]) {
    float mean, squares;
    __pencil_reduction_var_init(&mean, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&mean, a[i], add);
    mean /= n;
    __pencil_reduction_var_init(&squares, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&squares, (a[i] - mean) * (a[i] - mean), add);
    return squares / n;
}

// With INTEGER_DATA the values are two apart from each other and the mean is whole, so every sum is exact.
static float value(unsigned seed, int i) {
#ifdef INTEGER_DATA
    (void)seed;
    return (float)(i % 2 * 2);
#else
    (void)i;
    return (float)(seed >> 8) / 16777216.0f;
#endif
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : N;
#ifdef INTEGER_DATA
    n += n % 2;
#endif
    float *a = calloc((size_t)n, sizeof *a);
    unsigned seed = 12;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = value(seed, i);
    }
    printf("variance n=%d checksum %.6g\n", n, variance(n, a));
    free(a);
    return 0;
}
