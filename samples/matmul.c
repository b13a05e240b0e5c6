// The matrix product: a reduction over the innermost loop for each element of the result.
// tolerance: 1e-5
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef M
#define M 34
#endif
#ifndef N
#define N 33
#endif
#ifndef P
#define P 35
#endif

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

void matmul(int m, int n, int p, const float A[static const restrict m][p], const float B[static const restrict p][n],
            float C[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            __pencil_reduction_var_init(&C[i][j], zero);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&C[i][j], A[i][k] * B[k][j], add);
        }
#pragma endscop
}

static float value(unsigned seed) {
#ifdef INTEGER_DATA
    return (float)(seed >> 28);
#else
    return (float)(seed >> 8) / 16777216.0f;
#endif
}

int main(int argc, char **argv) {
    int m = argc > 1 ? atoi(argv[1]) : M;
    int n = argc > 2 ? atoi(argv[2]) : N;
    int p = argc > 3 ? atoi(argv[3]) : P;
    float(*A)[p] = calloc((size_t)m, sizeof *A);
    float(*B)[n] = calloc((size_t)p, sizeof *B);
    float(*C)[n] = calloc((size_t)m, sizeof *C);
    unsigned seed = 17;
    for (int i = 0; i < m; i++)
        for (int k = 0; k < p; k++) {
            seed = seed * 1664525u + 1013904223u;
            A[i][k] = value(seed);
        }
    for (int k = 0; k < p; k++)
        for (int j = 0; j < n; j++) {
            seed = seed * 1664525u + 1013904223u;
            B[k][j] = value(seed);
        }
    matmul(m, n, p, A, B, C);
    double checksum = 0.0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            checksum += ((i + j) % 7 + 1) * (double)C[i][j];
    printf("matmul m=%d n=%d p=%d checksum %.7g\n", m, n, p, checksum);
    free(A);
    free(B);
    free(C);
    return 0;
}
