// How often each pair of values occurs in two pictures, as image registration counts them, and the weight of each value
// of the first: bins in two dimensions, counted exactly, and bins of floating sums, which keep one order on every run.
// tolerance: 1e-5
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 10007
#endif
#ifndef BINS
#define BINS 64
#endif

static void none(long *count) { *count = 0; }
static long count_add(long a, long b) { return a + b; }
static void zero(float *sum) { *sum = 0.0f; }
static float add(float a, float b) { return a + b; }

void joint_histogram(int n, int bins, const unsigned short a[static const restrict n],
                     const unsigned short b[static const restrict n],
                     long joint[static const restrict bins][bins]) {
    for (int p = 0; p < bins; p++)
        for (int q = 0; q < bins; q++)
            __pencil_reduction_var_init(&joint[p][q], none);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&joint[a[i]][b[i]], 1, count_add);
}

// Elements without weight are left out.
void weighted_histogram(int n, int bins, const unsigned short a[static const restrict n],
                        const float weight[static const restrict n], float sum[static const restrict bins]) {
    for (int p = 0; p < bins; p++)
        __pencil_reduction_var_init(&sum[p], zero);
    for (int i = 0; i < n; i++)
        if (weight[i] != 0.0f)
            __pencil_reduction(&sum[a[i]], weight[i], add);
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
    int bins = argc > 2 ? atoi(argv[2]) : BINS;
    unsigned short *a = calloc((size_t)n, sizeof *a);
    unsigned short *b = calloc((size_t)n, sizeof *b);
    float *weight = calloc((size_t)n, sizeof *weight);
    long(*joint)[bins] = calloc((size_t)bins, sizeof *joint);
    float *sum = calloc((size_t)bins, sizeof *sum);
    unsigned seed = 23;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = (unsigned short)((seed >> 8) % (unsigned)bins);
        b[i] = (unsigned short)((a[i] + (seed >> 29)) % (unsigned)bins);
        weight[i] = i % 3 ? value(seed) : 0.0f;
    }
    joint_histogram(n, bins, a, b, joint);
    weighted_histogram(n, bins, a, weight, sum);
    long counts = 0;
    double weights = 0.0;
    for (int p = 0; p < bins; p++) {
        for (int q = 0; q < bins; q++)
            counts += (p * 3 + q) % 11 * joint[p][q];
        weights += (p % 5 + 1) * (double)sum[p];
    }
    printf("joint_histogram n=%d bins=%d checksum %ld %.7g\n", n, bins, counts, weights);
    free(a);
    free(b);
    free(weight);
    free(joint);
    free(sum);
    return 0;
}
