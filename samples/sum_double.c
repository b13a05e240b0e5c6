// The sum of an array of double: two elements to each 16-byte load.
// tolerance: 1e-12
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 10007
#endif

static void zero(double *v) { *v = 0.0; }
static double add(double a, double b) { return a + b; }

double sum_double(int n, const double a[static const restrict n]) {
    double total;
    __pencil_reduction_var_init(&total, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&total, a[i], add);
    return total;
}

static double value(unsigned seed) {
#ifdef INTEGER_DATA
    return (double)(seed >> 28);
#else
    return (double)(seed >> 8) / 16777216.0;
#endif
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : N;
    double *a = calloc((size_t)n, sizeof *a);
    unsigned seed = 2;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = value(seed);
    }
    printf("sum_double n=%d checksum %.15g\n", n, sum_double(n, a));
    free(a);
    return 0;
}
