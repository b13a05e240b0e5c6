// The smallest element and its place: a reduction over pairs that are made from the element and its index.
// The lowest index wins on ties, so that the operator is associative and commutative.
// tolerance: 0
#include <float.h>
#include <limits.h>
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 10007
#endif

typedef struct {
    float value;
    int index;
} Best;

static void nothing(Best *best) {
    best->value = FLT_MAX;
    best->index = INT_MAX;
}

static Best candidate(float value, int index) {
    Best best;
    best.value = value;
    best.index = index;
    return best;
}

static Best smaller(Best a, Best b) {
    return a.value < b.value || (a.value == b.value && a.index < b.index) ? a : b;
}

Best argmin(int n, const float a[static const restrict n]) {
    Best best;
    __pencil_reduction_var_init(&best, nothing);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&best, candidate(a[i], i), smaller);
    return best;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : N;
    float *a = calloc((size_t)n, sizeof *a);
    unsigned seed = 8;
    for (int i = 0; i < n; i++) {
        // Few distinct values, so that there are ties.
        seed = seed * 1664525u + 1013904223u;
        a[i] = (float)(seed >> 24);
    }
    Best best = argmin(n, a);
    printf("argmin n=%d checksum %g %d\n", n, best.value, best.index);
    free(a);
    return 0;
}
