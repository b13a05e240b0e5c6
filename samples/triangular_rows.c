// Sums over the rows and the columns of the upper triangle of a matrix: each row and each column has another length.
// tolerance: 1e-5
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 157
#endif

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

void upper_rows(int n, const float a[static const restrict n][n], float sums[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&sums[i], zero);
        for (int j = i; j < n; j++)
            __pencil_reduction(&sums[i], a[i][j], add);
    }
}

void upper_columns(int n, const float a[static const restrict n][n], float sums[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&sums[i], zero);
        for (int j = 0; j <= i; j++)
            __pencil_reduction(&sums[i], a[j][i], add);
    }
}

// Only the diagonal and the three elements above it: no column is as long as the matrix is high.
void band_columns(int n, const float a[static const restrict n][n], float sums[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&sums[i], zero);
        for (int j = i < 3 ? 0 : i - 3; j <= i; j++)
            __pencil_reduction(&sums[i], a[j][i], add);
    }
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
    float(*a)[n] = calloc((size_t)n, sizeof *a);
    float *rows = calloc((size_t)n, sizeof *rows), *columns = calloc((size_t)n, sizeof *columns);
    float *band = calloc((size_t)n, sizeof *band);
    unsigned seed = 35;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            seed = seed * 1664525u + 1013904223u;
            a[i][j] = value(seed);
        }
    upper_rows(n, (const float(*)[n])a, rows);
    upper_columns(n, (const float(*)[n])a, columns);
    band_columns(n, (const float(*)[n])a, band);
    double checksum = 0.0;
    for (int i = 0; i < n; i++)
        checksum += (i % 7 + 1) * (double)rows[i] + (i % 5 + 1) * (double)columns[i] + (i % 3 + 1) * (double)band[i];
    printf("triangular_rows n=%d checksum %.7g\n", n, checksum);
    free(a);
    free(rows);
    free(columns);
    free(band);
    return 0;
}
