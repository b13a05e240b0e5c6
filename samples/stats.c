// Four reductions in one pass: minimum, maximum, sum and sum of squares share one kernel and one read of the data.
// tolerance: 1e-5
#include <float.h>
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 10007
#endif

typedef struct {
    float minimum;
    float maximum;
    float sum;
    float squares;
} Stats;

static void zero(float *v) { *v = 0.0f; }
static void highest(float *v) { *v = FLT_MAX; }
static void lowest(float *v) { *v = -FLT_MAX; }
static float add(float a, float b) { return a + b; }
static float smaller(float a, float b) { return a < b ? a : b; }
static float larger(float a, float b) { return a > b ? a : b; }

Stats stats(int n, const float a[static const restrict n]) {
    float minimum, maximum, sum, squares;
    __pencil_reduction_var_init(&minimum, highest);
    __pencil_reduction_var_init(&maximum, lowest);
    __pencil_reduction_var_init(&sum, zero);
    __pencil_reduction_var_init(&squares, zero);
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&minimum, a[i], smaller);
        __pencil_reduction(&maximum, a[i], larger);
        __pencil_reduction(&sum, a[i], add);
        __pencil_reduction(&squares, a[i] * a[i], add);
    }
    Stats result = {minimum, maximum, sum, squares};
    return result;
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
    unsigned seed = 7;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = value(seed);
    }
    Stats s = stats(n, a);
    printf("stats n=%d checksum %.7g %.7g %.7g %.7g\n", n, s.minimum, s.maximum, s.sum, s.squares);
    free(a);
    return 0;
}
