// What fusion is for, after a paper: APOLLO, operations around reductions (the kind of its Figure 5), and independent
// branches (the kind of Figure 6).
// tolerance: 1e-4
#include <math.h>
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef A
#define A 9
#endif
#ifndef C
#define C 320
#endif

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

// Memory stitching: the gradient of a layer norm, two sums of a row between elementwise operations.
void norm_gradient(int a, int c, const float x[static const restrict a][c], const float dy[static const restrict a][c],
                   const float gain[static const restrict c], float dx[static const restrict a][c]) {
    float g[a][c], s[a], t[a];
    for (int i = 0; i < a; i++)
        for (int k = 0; k < c; k++)
            g[i][k] = dy[i][k] * gain[k];
    for (int i = 0; i < a; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int k = 0; k < c; k++)
            __pencil_reduction(&s[i], g[i][k], add);
    }
    for (int i = 0; i < a; i++) {
        __pencil_reduction_var_init(&t[i], zero);
        for (int k = 0; k < c; k++)
            __pencil_reduction(&t[i], g[i][k] * x[i][k], add);
    }
    for (int i = 0; i < a; i++)
        for (int k = 0; k < c; k++)
            dx[i][k] = g[i][k] - (s[i] + x[i][k] * t[i]) / c;
}

// Memory stitching over everything: gradients are clipped by their norm.
float clip(int n, float g[static const restrict n]) {
    float squares;
    __pencil_reduction_var_init(&squares, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&squares, g[i] * g[i], add);
    for (int i = 0; i < n; i++)
        g[i] *= squares > 1.0f ? 1.0f / sqrtf(squares) : 1.0f;
    return squares;
}

// Parallelism stitching: branches of one head, and sums of arrays of different lengths.
void branches(int n, int m, const float x[static const restrict n], const float u[static const restrict m],
              float y[static const restrict n], float z[static const restrict n], float sums[static const restrict 2]) {
    float s, t;
    for (int i = 0; i < n; i++)
        y[i] = x[i] * 2.0f;
    for (int i = 0; i < n; i++)
        z[i] = x[i] + 1.0f;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, x[i], add);
    sums[0] = s;
    __pencil_reduction_var_init(&t, zero);
    for (int j = 0; j < m; j++)
        __pencil_reduction(&t, u[j], add);
    sums[1] = t;
}

// With INTEGER_DATA all values are equal, so every difference is zero and every sum whole.
static unsigned seed = 21;
static float value(void) {
    seed = seed * 1664525u + 1013904223u;
#ifdef INTEGER_DATA
    return 1.0f;
#else
    return (float)(seed >> 8) / 16777216.0f;
#endif
}

static double sum_of(int n, const float *y) {
    double checksum = 0.0;
    for (int i = 0; i < n; i++)
        checksum += (i % 7 + 1) * (double)y[i];
    return checksum;
}

int main(int argc, char **argv) {
    int a = argc > 1 ? atoi(argv[1]) : A;
    int c = argc > 2 ? atoi(argv[2]) : C;
    int n = a * c;
    float *in[3], *out[3];
    for (int k = 0; k < 3; k++) {
        in[k] = calloc((size_t)n, sizeof(float));
        for (int i = 0; i < n; i++)
            in[k][i] = value();
        out[k] = calloc((size_t)n, sizeof(float));
    }
    double checksum = 0.0;
    norm_gradient(a, c, (const float(*)[c])in[0], (const float(*)[c])in[1], in[2], (float(*)[c])out[0]);
    checksum += sum_of(n, out[0]);
    branches(n, c, in[0], in[1], out[0], out[1], out[2]);
    checksum += sum_of(n, out[0]) + sum_of(n, out[1]) + sum_of(2, out[2]);
    checksum += clip(n, in[0]);
    checksum += sum_of(n, in[0]);
    printf("apollo a=%d c=%d checksum %.5g\n", a, c, checksum);
    for (int k = 0; k < 3; k++) {
        free(in[k]);
        free(out[k]);
    }
    return 0;
}
