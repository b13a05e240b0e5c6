// The smallest and the largest of an array of int in one pass, by the integer warp instructions.
// tolerance: 0
#include <limits.h>
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 10007
#endif

static void highest(int *v) { *v = INT_MAX; }
static void lowest(int *v) { *v = INT_MIN; }
static int smaller(int a, int b) { return a < b ? a : b; }
static int larger(int a, int b) { return a > b ? a : b; }

void minmax_int(int n, const int a[static const restrict n], int range[static const restrict 2]) {
    __pencil_reduction_var_init(&range[0], highest);
    __pencil_reduction_var_init(&range[1], lowest);
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&range[0], a[i], smaller);
        __pencil_reduction(&range[1], a[i], larger);
    }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : N;
    int *a = calloc((size_t)n, sizeof *a);
    int range[2];
    unsigned seed = 18;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = (int)(seed >> 4) - (1 << 27);
    }
    minmax_int(n, a, range);
    printf("minmax_int n=%d checksum %d %d\n", n, range[0], range[1]);
    free(a);
    return 0;
}
