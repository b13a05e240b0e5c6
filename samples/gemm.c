// Products of matrices in four layouts, with what neural networks do behind them, and a batch of products.
// tolerance: 1e-5
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef M
#define M 37
#endif
#ifndef N
#define N 40
#endif
#ifndef P
#define P 35
#endif
#define BATCH 3

// C = A B + C, as plain C has it: no flag, no builtin, and each element adds up in this order.
void gemm_nn(int m, int n, int p, const float A[static const restrict m][p], const float B[static const restrict p][n],
             float C[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < p; k++)
                C[i][j] += A[i][k] * B[k][j];
#pragma endscop
}

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

// C = max(A B' + bias, 0): a layer of a network.
void gemm_nt(int m, int n, int p, const float A[static const restrict m][p], const float B[static const restrict n][p],
             const float bias[static const restrict n], float C[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum;
            __pencil_reduction_var_init(&sum, zero);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&sum, A[i][k] * B[j][k], add);
            float value = sum + bias[j];
            C[i][j] = value > 0.0f ? value : 0.0f;
        }
#pragma endscop
}

// C = A' B / 2 with the loop over the depth outside.
void gemm_tn(int m, int n, int p, const float A[static const restrict p][m], const float B[static const restrict p][n],
             float C[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            __pencil_reduction_var_init(&C[i][j], zero);
    for (int k = 0; k < p; k++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++)
                __pencil_reduction(&C[i][j], 0.5f * A[k][i] * B[k][j], add);
#pragma endscop
}

// C = A' B' with a scalar that adds up.
void gemm_tt(int m, int n, int p, const float A[static const restrict p][m], const float B[static const restrict n][p],
             float C[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int k = 0; k < p; k++)
                sum += A[k][i] * B[j][k];
            C[i][j] = sum;
        }
#pragma endscop
}

// A product for each of a batch.
void gemm_batched(int m, int n, int p, const float A[static const restrict BATCH][m][p],
                  const float B[static const restrict BATCH][p][n], float C[static const restrict BATCH][m][n]) {
#pragma scop
    for (int l = 0; l < BATCH; l++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                float sum;
                __pencil_reduction_var_init(&sum, zero);
                for (int k = 0; k < p; k++)
                    __pencil_reduction(&sum, A[l][i][k] * B[l][k][j], add);
                C[l][i][j] = sum;
            }
#pragma endscop
}

static float value(unsigned seed) {
#ifdef INTEGER_DATA
    return (float)((int)(seed >> 29) - 3);
#else
    return (float)(seed >> 8) / 16777216.0f - 0.5f;
#endif
}

static float *filled(size_t count, unsigned seed) {
    float *data = malloc(count * sizeof *data);
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        data[i] = value(seed);
    }
    return data;
}

static double sum_of(size_t count, const float *data) {
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += (double)(i % 7 + 1) * (double)data[i];
    return sum;
}

int main(int argc, char **argv) {
    int m = argc > 1 ? atoi(argv[1]) : M;
    int n = argc > 2 ? atoi(argv[2]) : N;
    int p = argc > 3 ? atoi(argv[3]) : P;
    size_t all = (size_t)m * (size_t)n;
    float *A = filled(BATCH * (size_t)m * (size_t)p, 17), *B = filled(BATCH * (size_t)p * (size_t)n, 18);
    float *bias = filled((size_t)n, 19), *C = filled(BATCH * all, 20);
    gemm_nn(m, n, p, (const float(*)[p])A, (const float(*)[n])B, (float(*)[n])C);
    double checksum = sum_of(all, C);
    gemm_nt(m, n, p, (const float(*)[p])A, (const float(*)[p])B, bias, (float(*)[n])C);
    checksum += 2.0 * sum_of(all, C);
    gemm_tn(m, n, p, (const float(*)[m])A, (const float(*)[n])B, (float(*)[n])C);
    checksum += 3.0 * sum_of(all, C);
    gemm_tt(m, n, p, (const float(*)[m])A, (const float(*)[p])B, (float(*)[n])C);
    checksum += 4.0 * sum_of(all, C);
    gemm_batched(m, n, p, (const float(*)[m][p])A, (const float(*)[p][n])B, (float(*)[m][n])C);
    checksum += 5.0 * sum_of(BATCH * all, C);
    printf("gemm m=%d n=%d p=%d checksum %.7g\n", m, n, p, checksum);
    free(A);
    free(B);
    free(bias);
    free(C);
    return 0;
}
