// What fusion is for, after a paper: FusionStitching, its motivating example (Figure 1: products, elementwise operations
// and reductions of one row, of which four outputs leave) and its four compositions (Figure 5).
// tolerance: 1e-4
#include <math.h>
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef A
#define A 9
#endif
#ifndef B
#define B 16
#endif
#ifndef C
#define C 20
#endif

static void zero(float *v) { *v = 0.0f; }
static void lowest(float *v) { *v = -INFINITY; }
static float add(float a, float b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }

// Figure 1: a large product of small inputs is never kept, and a small one leaves.
void interests(int a, int b, int c, const float q[static const restrict a][c], const float k[static const restrict a][b][c],
               const float v[static const restrict a][b], float quotient[static const restrict a][b],
               float logarithm[static const restrict a], float scaled[static const restrict a][b],
               float difference[static const restrict a][b], float dot[static const restrict a]) {
    float score[a][b], max[a], sum[a], e[a][b];
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++) {
            __pencil_reduction_var_init(&score[i][j], zero);
            for (int d = 0; d < c; d++)
                __pencil_reduction(&score[i][j], q[i][d] * k[i][j][d], add);
        }
    for (int i = 0; i < a; i++) {
        __pencil_reduction_var_init(&max[i], lowest);
        for (int j = 0; j < b; j++)
            __pencil_reduction(&max[i], score[i][j], larger);
        for (int j = 0; j < b; j++)
            difference[i][j] = score[i][j] - max[i];
        __pencil_reduction_var_init(&sum[i], zero);
        for (int j = 0; j < b; j++) {
            e[i][j] = expf(difference[i][j]);
            __pencil_reduction(&sum[i], e[i][j], add);
        }
        logarithm[i] = logf(sum[i]);
        for (int j = 0; j < b; j++) {
            quotient[i][j] = e[i][j] / sum[i];
            scaled[i][j] = quotient[i][j] * v[i][j];
        }
        __pencil_reduction_var_init(&dot[i], zero);
        for (int j = 0; j < b; j++)
            __pencil_reduction(&dot[i], scaled[i][j], add);
    }
}

// Figure 5a, kernel packing: two additions and products that share nothing.
void packing(int n, int m, const float x[static const restrict n], const float y[static const restrict n],
             const float u[static const restrict m], const float v[static const restrict m],
             float sum[static const restrict n], float product[static const restrict m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        sum[i] = x[i] + y[i];
    for (int j = 0; j < m; j++)
        product[j] = u[j] * v[j];
#pragma endscop
}

// Figure 5b, thread composition: the sum stays in a register.
void thread_composition(int n, const float x[static const restrict n], const float y[static const restrict n],
                        const float z[static const restrict n], float product[static const restrict n]) {
#pragma scop
    float sum[n];
    for (int i = 0; i < n; i++)
        sum[i] = x[i] + y[i];
    for (int i = 0; i < n; i++)
        product[i] = sum[i] * z[i];
#pragma endscop
}

// Figure 5c, warp composition: a sum of each row and what it is multiplied with.
void warp_composition(int a, int b, int c, const float x[static const restrict a][b][c],
                      const float y[static const restrict a][b][c], float product[static const restrict a][b][c]) {
    float sum[a][b];
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++) {
            __pencil_reduction_var_init(&sum[i][j], zero);
            for (int k = 0; k < c; k++)
                __pencil_reduction(&sum[i][j], x[i][j][k], add);
        }
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
            for (int k = 0; k < c; k++)
                product[i][j][k] = sum[i][j] * y[i][j][k];
}

// Figure 5d, block composition: sums of rows that a product of matrices reads.
void block_composition(int a, int b, int c, const float x[static const restrict a][b][c],
                       const float y[static const restrict a][b][c], float dot[static const restrict a][c]) {
    float sum[a][b];
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++) {
            __pencil_reduction_var_init(&sum[i][j], zero);
            for (int k = 0; k < c; k++)
                __pencil_reduction(&sum[i][j], x[i][j][k], add);
        }
    for (int i = 0; i < a; i++)
        for (int k = 0; k < c; k++) {
            __pencil_reduction_var_init(&dot[i][k], zero);
            for (int j = 0; j < b; j++)
                __pencil_reduction(&dot[i][k], sum[i][j] * y[i][j][k], add);
        }
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
    int b = argc > 2 ? atoi(argv[2]) : B;
    int c = argc > 3 ? atoi(argv[3]) : C;
    int n = a * b * c;
    float *in[3], *out[5];
    for (int k = 0; k < 3; k++) {
        in[k] = calloc((size_t)n, sizeof(float));
        for (int i = 0; i < n; i++)
            in[k][i] = value();
    }
    for (int k = 0; k < 5; k++)
        out[k] = calloc((size_t)n, sizeof(float));
    double checksum = 0.0;
    interests(a, b, c, (const float(*)[c])in[0], (const float(*)[b][c])in[1], (const float(*)[b])in[2],
              (float(*)[b])out[0], out[1], (float(*)[b])out[2], (float(*)[b])out[3], out[4]);
    checksum += sum_of(a * b, out[0]) + sum_of(a, out[1]) + sum_of(a * b, out[2]) + sum_of(a, out[4]);
    packing(n, a * b, in[0], in[1], in[2], in[0], out[0], out[1]);
    checksum += sum_of(n, out[0]) + sum_of(a * b, out[1]);
    thread_composition(n, in[0], in[1], in[2], out[0]);
    checksum += sum_of(n, out[0]);
    warp_composition(a, b, c, (const float(*)[b][c])in[0], (const float(*)[b][c])in[1], (float(*)[b][c])out[0]);
    checksum += sum_of(n, out[0]);
    block_composition(a, b, c, (const float(*)[b][c])in[0], (const float(*)[b][c])in[1], (float(*)[c])out[0]);
    checksum += sum_of(a * c, out[0]);
    printf("stitching a=%d b=%d c=%d checksum %.5g\n", a, b, c, checksum);
    for (int k = 0; k < 3; k++)
        free(in[k]);
    for (int k = 0; k < 5; k++)
        free(out[k]);
    return 0;
}
