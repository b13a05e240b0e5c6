// The logarithm of a sum of exponentials for each row, in one pass: the pair (greatest, sum of exp(x - greatest)).
// tolerance: 1e-5
#include <math.h>
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 71
#endif
#ifndef COLUMNS
#define COLUMNS 150
#endif

typedef struct {
    float greatest, sum;
} Scaled;

static void none(Scaled *s) {
    s->greatest = -INFINITY;
    s->sum = 0.0f;
}

static Scaled one(float value) {
    Scaled s;
    s.greatest = value;
    s.sum = 1.0f;
    return s;
}

static Scaled joined(Scaled a, Scaled b) {
    if (a.greatest < b.greatest) {
        b.sum += a.sum * expf(a.greatest - b.greatest);
        return b;
    }
    if (b.sum != 0.0f)
        a.sum += b.sum * expf(b.greatest - a.greatest);
    return a;
}

void logsumexp(int rows, int columns, const float a[static const restrict rows][columns],
               float out[static const restrict rows]) {
    for (int i = 0; i < rows; i++) {
        Scaled scaled;
        __pencil_reduction_var_init(&scaled, none);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&scaled, one(a[i][j]), joined);
        out[i] = scaled.greatest + logf(scaled.sum);
    }
}

static float value(unsigned seed) {
#ifdef INTEGER_DATA
    return (float)(seed >> 31) * 200.0f;
#else
    return (float)(seed >> 8) / 1048576.0f;
#endif
}

int main(int argc, char **argv) {
    int rows = argc > 1 ? atoi(argv[1]) : ROWS;
    int columns = argc > 2 ? atoi(argv[2]) : COLUMNS;
    float(*a)[columns] = calloc((size_t)rows, sizeof *a);
    float *out = calloc((size_t)rows, sizeof *out);
    unsigned seed = 34;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            seed = seed * 1664525u + 1013904223u;
            a[i][j] = value(seed);
        }
    logsumexp(rows, columns, (const float(*)[columns])a, out);
    double checksum = 0.0;
    for (int i = 0; i < rows; i++)
        checksum += (i % 7 + 1) * (double)out[i];
    printf("logsumexp rows=%d columns=%d checksum %.7g\n", rows, columns, checksum);
    free(a);
    free(out);
    return 0;
}
