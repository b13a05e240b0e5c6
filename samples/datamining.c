// The correlation and the covariance of PolyBench's datamining: dependent reductions along the columns, then products.
// tolerance: 1e-4
#include <math.h>
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 40
#endif
#ifndef COLUMNS
#define COLUMNS 33
#endif

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

void correlate(int n, int m, float data[static const restrict n][m], float corr[static const restrict m][m],
               float mean[static const restrict m], float deviation[static const restrict m]) {
    for (int j = 0; j < m; j++) {
        __pencil_reduction_var_init(&mean[j], zero);
        for (int i = 0; i < n; i++)
            __pencil_reduction(&mean[j], data[i][j], add);
        mean[j] /= n;
    }
    for (int j = 0; j < m; j++) {
        __pencil_reduction_var_init(&deviation[j], zero);
        for (int i = 0; i < n; i++)
            __pencil_reduction(&deviation[j], (data[i][j] - mean[j]) * (data[i][j] - mean[j]), add);
        deviation[j] = sqrtf(deviation[j] / n);
        if (deviation[j] <= 0.1f)
            deviation[j] = 1.0f;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            data[i][j] -= mean[j];
            data[i][j] /= sqrtf((float)n) * deviation[j];
        }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            __pencil_reduction_var_init(&corr[i][j], zero);
            for (int k = 0; k < n; k++)
                __pencil_reduction(&corr[i][j], data[k][i] * data[k][j], add);
        }
}

void covariance(int n, int m, float data[static const restrict n][m], float cov[static const restrict m][m],
                float mean[static const restrict m]) {
    for (int j = 0; j < m; j++) {
        __pencil_reduction_var_init(&mean[j], zero);
        for (int i = 0; i < n; i++)
            __pencil_reduction(&mean[j], data[i][j], add);
        mean[j] /= n;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            data[i][j] -= mean[j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            __pencil_reduction_var_init(&cov[i][j], zero);
            for (int k = 0; k < n; k++)
                __pencil_reduction(&cov[i][j], data[k][i] * data[k][j], add);
            cov[i][j] /= (float)n - 1.0f;
        }
}

// With INTEGER_DATA a column holds one number and then its negative, so means are zero and products whole.
static float value(unsigned seed, int row, int column) {
#ifdef INTEGER_DATA
    (void)seed;
    return (float)(row % 2 ? -(column % 5) : column % 5);
#else
    (void)row;
    (void)column;
    return (float)(seed >> 8) / 16777216.0f;
#endif
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : ROWS;
    int m = argc > 2 ? atoi(argv[2]) : COLUMNS;
    float(*data)[m] = calloc((size_t)n, sizeof *data);
    float(*result)[m] = calloc((size_t)m, sizeof *result);
    float *mean = calloc((size_t)m, sizeof *mean), *deviation = calloc((size_t)m, sizeof *deviation);
    double checksum = 0.0;
    for (int round = 0; round < 2; round++) {
        unsigned seed = 19;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                seed = seed * 1664525u + 1013904223u;
                data[i][j] = value(seed, i, j);
            }
        if (round == 0)
            covariance(n, m, data, result, mean);
#ifndef INTEGER_DATA
        else
            correlate(n, m, data, result, mean, deviation);
#endif
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++)
                checksum += ((i + j) % 7 + 1) * (double)result[i][j];
    }
    printf("datamining n=%d m=%d checksum %.4g\n", n, m, checksum);
    free(data);
    free(result);
    free(mean);
    free(deviation);
    return 0;
}
