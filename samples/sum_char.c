// The sum of an array of signed char into a long: the accumulator is wider than the element.
// tolerance: 0
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 10007
#endif

static void zero(long *v) { *v = 0; }
static long add(long a, long b) { return a + b; }

long sum_char(int n, const signed char a[static const restrict n]) {
    long total;
    __pencil_reduction_var_init(&total, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&total, a[i], add);
    return total;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : N;
    signed char *a = calloc((size_t)n, sizeof *a);
    unsigned seed = 4;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = (signed char)((int)(seed >> 24) - 128);
    }
    printf("sum_char n=%d checksum %ld\n", n, sum_char(n, a));
    free(a);
    return 0;
}
