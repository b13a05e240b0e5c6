// A sparse matrix times a vector: row i has the elements start[i] to start[i + 1], which are known at run time only.
// tolerance: 1e-5
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 211
#endif
#ifndef COLUMNS
#define COLUMNS 97
#endif

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

void csr(int rows, int columns, int elements, const int start[static const restrict rows + 1],
         const int column[static const restrict elements], const float value[static const restrict elements],
         const float x[static const restrict columns], float y[static const restrict rows]) {
    for (int i = 0; i < rows; i++) {
        __pencil_reduction_var_init(&y[i], zero);
        for (int j = start[i]; j < start[i + 1]; j++)
            __pencil_reduction(&y[i], value[j] * x[column[j]], add);
    }
}

// The transposed matrix times a vector: a row adds to the elements of y that its columns name.
void csr_transposed(int rows, int columns, int elements, const int start[static const restrict rows + 1],
                    const int column[static const restrict elements], const float value[static const restrict elements],
                    const float x[static const restrict rows], float y[static const restrict columns]) {
    for (int k = 0; k < columns; k++)
        __pencil_reduction_var_init(&y[k], zero);
    for (int i = 0; i < rows; i++)
        for (int j = start[i]; j < start[i + 1]; j++)
            __pencil_reduction(&y[column[j]], value[j] * x[i], add);
}

// The sum of the absolute values of a whole matrix, all of its rows together.
float csr_norm(int rows, int elements, const int start[static const restrict rows + 1],
               const float value[static const restrict elements]) {
    float norm;
#pragma scop
    __pencil_reduction_var_init(&norm, zero);
    for (int i = 0; i < rows; i++)
        for (int j = start[i]; j < start[i + 1]; j++)
            __pencil_reduction(&norm, value[j] < 0.0f ? -value[j] : value[j], add);
#pragma endscop
    return norm;
}

static float number(unsigned seed) {
#ifdef INTEGER_DATA
    return (float)(seed >> 28);
#else
    return (float)(seed >> 8) / 16777216.0f;
#endif
}

int main(int argc, char **argv) {
    int rows = argc > 1 ? atoi(argv[1]) : ROWS;
    int columns = argc > 2 ? atoi(argv[2]) : COLUMNS;
    int *start = calloc((size_t)rows + 1, sizeof *start);
    unsigned seed = 31;
    for (int i = 0; i < rows; i++) {
        // Many short rows, some of them empty, and a long one now and then.
        seed = seed * 1664525u + 1013904223u;
        start[i + 1] = start[i] + (int)(i % 50 == 7 ? seed >> 22 : seed >> 29);
    }
    int elements = start[rows];
    int *column = calloc((size_t)elements + 1, sizeof *column);
    float *value = calloc((size_t)elements + 1, sizeof *value);
    float *x = calloc((size_t)columns, sizeof *x), *y = calloc((size_t)rows, sizeof *y);
    for (int j = 0; j < elements; j++) {
        seed = seed * 1664525u + 1013904223u;
        column[j] = (int)((seed >> 16) % (unsigned)columns);
        value[j] = number(seed);
    }
    for (int k = 0; k < columns; k++) {
        seed = seed * 1664525u + 1013904223u;
        x[k] = number(seed);
    }
    csr(rows, columns, elements, start, column, value, x, y);
    csr_transposed(rows, columns, elements, start, column, value, y, x);
    double checksum = csr_norm(rows, elements, start, value);
    for (int i = 0; i < rows; i++)
        checksum += (i % 7 + 1) * (double)y[i];
    for (int k = 0; k < columns; k++)
        checksum += (k % 5 + 1) * (double)x[k];
    printf("csr rows=%d columns=%d elements=%d checksum %.7g\n", rows, columns, elements, checksum);
    free(start);
    free(column);
    free(value);
    free(x);
    free(y);
    return 0;
}
