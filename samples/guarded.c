// A reduction under a condition on the data: elements that fail it add nothing.
// tolerance: 1e-5
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 10007
#endif

static void zero(float *v) { *v = 0.0f; }
static void none(int *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
static int count(int a, int b) { return a + b; }

float guarded(int n, float threshold, const float a[static const restrict n]) {
    float total;
    int number;
    __pencil_reduction_var_init(&total, zero);
    __pencil_reduction_var_init(&number, none);
    for (int i = 0; i < n; i++) {
        if (a[i] > threshold) {
            __pencil_reduction(&total, a[i], add);
            __pencil_reduction(&number, 1, count);
        }
    }
    return number > 0 ? total / number : 0.0f;
}

static float value(unsigned seed) {
#ifdef INTEGER_DATA
    return (float)(seed >> 28);
#else
    return (float)(seed >> 8) / 1048576.0f;
#endif
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : N;
    float *a = calloc((size_t)n, sizeof *a);
    unsigned seed = 16;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = value(seed);
    }
    printf("guarded n=%d checksum %.6g\n", n, guarded(n, 9.5f, a));
    free(a);
    return 0;
}
