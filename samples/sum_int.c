// The sum of an array of int: exact in any order, combined by the integer warp instructions.
// tolerance: 0
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 10007
#endif

static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }

int sum_int(int n, const int a[static const restrict n]) {
    int total;
    __pencil_reduction_var_init(&total, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&total, a[i], add);
    return total;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : N;
    int *a = calloc((size_t)n, sizeof *a);
    unsigned seed = 3;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = (int)(seed >> 20) - 2048;
    }
    printf("sum_int n=%d checksum %d\n", n, sum_int(n, a));
    free(a);
    return 0;
}
