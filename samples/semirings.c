// What no library of matrix products has: other operators, structs and types of one's own in the place of + and *.
// tolerance: 1e-5
#include <float.h>
#include <limits.h>
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

static void farthest(int *v) { *v = INT_MAX; }
static int shorter(int a, int b) { return a < b ? a : b; }

// One step of all shortest paths: min in the place of +, + in the place of *.
void shortest(int m, int n, int p, const int A[static const restrict m][p], const int B[static const restrict p][n],
              int C[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            __pencil_reduction_var_init(&C[i][j], farthest);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&C[i][j], A[i][k] + B[k][j], shorter);
        }
#pragma endscop
}

static void impossible(float *v) { *v = -FLT_MAX; }
static float likelier(float a, float b) { return a > b ? a : b; }

// The likeliest way from each state to each other one: max and *.
void likeliest(int m, int n, int p, const float A[static const restrict m][p], const float B[static const restrict p][n],
               float C[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            __pencil_reduction_var_init(&C[i][j], impossible);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&C[i][j], A[i][k] * B[k][j], likelier);
        }
#pragma endscop
}

typedef struct { float gap; int at; } Gap;

static void none(Gap *v) { v->gap = -1.0f; v->at = INT_MAX; }
static Gap gap(float a, float b, int at) { Gap g = {a > b ? a - b : b - a, at}; return g; }
static Gap wider(Gap a, Gap b) { return a.gap > b.gap || (a.gap == b.gap && a.at < b.at) ? a : b; }

// How far points lie apart in the coordinate in which they differ most, and which one that is.
void chebyshev(int m, int n, int p, const float x[static const restrict m][p], const float y[static const restrict n][p],
               float distance[static const restrict m][n], int axis[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            Gap most;
            __pencil_reduction_var_init(&most, none);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&most, gap(x[i][k], y[j][k], k), wider);
            distance[i][j] = most.gap;
            axis[i][j] = most.at;
        }
#pragma endscop
}

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

// The lower half of a Gram matrix.
void gram(int m, int p, const float x[static const restrict m][p], float C[static const restrict m][m]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++) {
            __pencil_reduction_var_init(&C[i][j], zero);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&C[i][j], x[i][k] * x[j][k], add);
        }
#pragma endscop
}

static unsigned next(unsigned *seed) { return *seed = *seed * 1664525u + 1013904223u; }

static float value(unsigned seed) {
#ifdef INTEGER_DATA
    return (float)(seed >> 29);
#else
    return (float)(seed >> 8) / 16777216.0f;
#endif
}

int main(int argc, char **argv) {
    int m = argc > 1 ? atoi(argv[1]) : M;
    int n = argc > 2 ? atoi(argv[2]) : N;
    int p = argc > 3 ? atoi(argv[3]) : P;
    int(*D)[p] = malloc((size_t)m * sizeof *D), (*E)[n] = malloc((size_t)p * sizeof *E);
    int(*F)[n] = malloc((size_t)m * sizeof *F), (*axis)[n] = malloc((size_t)m * sizeof *axis);
    float(*A)[p] = malloc((size_t)m * sizeof *A), (*B)[n] = malloc((size_t)p * sizeof *B);
    float(*y)[p] = malloc((size_t)n * sizeof *y), (*C)[n] = malloc((size_t)m * sizeof *C);
    float(*distance)[n] = malloc((size_t)m * sizeof *distance), (*G)[m] = calloc((size_t)m, sizeof *G);
    unsigned seed = 23;
    for (int i = 0; i < m; i++)
        for (int k = 0; k < p; k++) {
            D[i][k] = (int)(next(&seed) >> 20);
            A[i][k] = value(next(&seed));
        }
    for (int k = 0; k < p; k++)
        for (int j = 0; j < n; j++) {
            E[k][j] = (int)(next(&seed) >> 20);
            B[k][j] = value(next(&seed));
        }
    for (int j = 0; j < n; j++)
        for (int k = 0; k < p; k++)
            y[j][k] = value(next(&seed));
    shortest(m, n, p, D, E, F);
    likeliest(m, n, p, A, B, C);
    chebyshev(m, n, p, A, y, distance, axis);
    gram(m, p, A, G);
    double checksum = 0.0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            checksum += ((i + j) % 7 + 1) * (F[i][j] % 1000 + (double)C[i][j] + (double)distance[i][j] + axis[i][j] % 64);
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++)
            checksum += ((i + j) % 5 + 1) * (double)G[i][j];
    printf("semirings m=%d n=%d p=%d checksum %.7g\n", m, n, p, checksum);
    free(D);
    free(E);
    free(F);
    free(axis);
    free(A);
    free(B);
    free(y);
    free(C);
    free(distance);
    free(G);
    return 0;
}
