// The sum of a long array of bfloat16 numbers: 16-byte loads bring eight at a time, partial sums are kept in float.
// tolerance: 0
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 10007
#endif

static void zero(pencil_bfloat16 *v) { *v = pencil_float_to_bfloat16(0.0f); }
static pencil_bfloat16 add(pencil_bfloat16 a, pencil_bfloat16 b) {
    return pencil_float_to_bfloat16(pencil_bfloat16_to_float(a) + pencil_bfloat16_to_float(b));
}

pencil_bfloat16 sum_bfloat16(int n, const pencil_bfloat16 a[static const restrict n]) {
    pencil_bfloat16 s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    return s;
}

// Signs alternate and values are multiples of 1: even the sequential sum, rounded at every step, is exact.
static float value(unsigned seed, int i) {
    return (i & 1 ? -1.0f : 1.0f) * (float)(seed >> 30);
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : N;
    pencil_bfloat16 *a = calloc((size_t)n, sizeof *a);
    unsigned seed = 18;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = pencil_float_to_bfloat16(value(seed, i));
    }
    printf("sum_bfloat16 n=%d checksum %.4g\n", n, pencil_bfloat16_to_float(sum_bfloat16(n, a)));
    free(a);
    return 0;
}
