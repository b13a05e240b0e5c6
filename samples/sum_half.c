// The sum of a long array of half precision numbers: 16-byte loads bring eight at a time, partial sums are kept in float.
// tolerance: 0
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 10007
#endif

static void zero(pencil_half *v) { *v = pencil_float_to_half(0.0f); }
static pencil_half add(pencil_half a, pencil_half b) {
    return pencil_float_to_half(pencil_half_to_float(a) + pencil_half_to_float(b));
}

pencil_half sum_half(int n, const pencil_half a[static const restrict n]) {
    pencil_half s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    return s;
}

// Signs alternate and values are multiples of 1/8: even the sequential sum, rounded at every step, is exact.
static float value(unsigned seed, int i) {
    return (i & 1 ? -1.0f : 1.0f) * (float)(seed >> 29) / 8.0f;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : N;
    pencil_half *a = calloc((size_t)n, sizeof *a);
    unsigned seed = 18;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = pencil_float_to_half(value(seed, i));
    }
    printf("sum_half n=%d checksum %.4g\n", n, pencil_half_to_float(sum_half(n, a)));
    free(a);
    return 0;
}
