// Products of matrices of halves and of bytes, which tensor cores do; what follows them is done in the same kernel.
// tolerance: 1e-5
#include <pencil.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef M
#define M 37
#endif
#ifndef N
#define N 72
#endif
#ifndef P
#define P 75
#endif

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

// C = max(A B' + bias, 0): a layer of a network.  The products are exact in float, and so are sums of few of them.
void gemm_half(int m, int n, int p, const pencil_half A[static const restrict m][p],
               const pencil_half B[static const restrict n][p], const float bias[static const restrict n],
               pencil_half C[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum;
            __pencil_reduction_var_init(&sum, zero);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&sum, pencil_half_to_float(A[i][k]) * pencil_half_to_float(B[j][k]), add);
            float value = sum + bias[j];
            C[i][j] = pencil_float_to_half(value > 0.0f ? value : 0.0f);
        }
#pragma endscop
}

// C = A B + C of bytes: sums of integers are the same in any order, so that plain C says enough.
void gemm_bytes(int m, int n, int p, const int8_t A[static const restrict m][p],
                const int8_t B[static const restrict p][n], int C[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < p; k++)
                C[i][j] += A[i][k] * B[k][j];
#pragma endscop
}

static int next(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (int)(*seed >> 24) - 128;
}

static pencil_half *halves(size_t count, unsigned seed) {
    pencil_half *data = malloc(count * sizeof *data);
    for (size_t i = 0; i < count; i++)
        data[i] = pencil_float_to_half((float)(next(&seed) / 8) / 8.0f);
    return data;
}

static int8_t *bytes(size_t count, unsigned seed) {
    int8_t *data = malloc(count);
    for (size_t i = 0; i < count; i++)
        data[i] = (int8_t)next(&seed);
    return data;
}

int main(int argc, char **argv) {
    int m = argc > 1 ? atoi(argv[1]) : M;
    int n = argc > 2 ? atoi(argv[2]) : N;
    int p = argc > 3 ? atoi(argv[3]) : P;
    size_t all = (size_t)m * (size_t)n;
    pencil_half *A = halves((size_t)m * (size_t)p, 17), *B = halves((size_t)n * (size_t)p, 18), *C = halves(all, 19);
    int8_t *a = bytes((size_t)m * (size_t)p, 20), *b = bytes((size_t)p * (size_t)n, 21);
    float *bias = calloc((size_t)n, sizeof *bias);
    int *c = calloc(all, sizeof *c);
    for (int j = 0; j < n; j++)
        bias[j] = (float)(j % 5 - 2);
    gemm_half(m, n, p, (const pencil_half(*)[p])A, (const pencil_half(*)[p])B, bias, (pencil_half(*)[n])C);
    gemm_bytes(m, n, p, (const int8_t(*)[p])a, (const int8_t(*)[n])b, (int(*)[n])c);
    double checksum = 0.0;
    for (size_t i = 0; i < all; i++)
        checksum += (double)(i % 7 + 1) * ((double)pencil_half_to_float(C[i]) + (double)c[i]);
    printf("gemm_tensor m=%d n=%d p=%d checksum %.7g\n", m, n, p, checksum);
    free(A);
    free(B);
    free(C);
    free(a);
    free(b);
    free(bias);
    free(c);
    return 0;
}
