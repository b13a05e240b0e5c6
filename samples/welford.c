// Count, mean and sum of squared distances in one pass, by Welford's update in the form of Chan and others, which
// combines two parts; for the rows of a matrix.
// tolerance: 1e-9
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 83
#endif
#ifndef COLUMNS
#define COLUMNS 140
#endif

typedef struct {
    double count, mean, squares;
} Moments;

static void none(Moments *m) {
    m->count = 0.0;
    m->mean = 0.0;
    m->squares = 0.0;
}

static Moments one(double value) {
    Moments m;
    m.count = 1.0;
    m.mean = value;
    m.squares = 0.0;
    return m;
}

static Moments joined(Moments a, Moments b) {
    if (a.count == 0.0)
        return b;
    if (b.count == 0.0)
        return a;
    Moments m;
    double distance = b.mean - a.mean;
    m.count = a.count + b.count;
    m.mean = a.mean + distance * (b.count / m.count);
    m.squares = a.squares + b.squares + distance * distance * (a.count * b.count / m.count);
    return m;
}

void welford(int rows, int columns, const double a[static const restrict rows][columns],
             Moments moments[static const restrict rows]) {
    for (int i = 0; i < rows; i++) {
        __pencil_reduction_var_init(&moments[i], none);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&moments[i], one(a[i][j]), joined);
    }
}

int main(int argc, char **argv) {
    int rows = argc > 1 ? atoi(argv[1]) : ROWS;
    int columns = argc > 2 ? atoi(argv[2]) : COLUMNS;
    double(*a)[columns] = calloc((size_t)rows, sizeof *a);
    Moments *moments = calloc((size_t)rows, sizeof *moments);
    unsigned seed = 33;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            seed = seed * 1664525u + 1013904223u;
            a[i][j] = 1000.0 + (double)(seed >> 8) / 16777216.0;
        }
    welford(rows, columns, (const double(*)[columns])a, moments);
    double checksum = 0.0;
    for (int i = 0; i < rows; i++)
        checksum += moments[i].count + moments[i].mean + moments[i].squares / moments[i].count;
    printf("welford rows=%d columns=%d checksum %.7g\n", rows, columns, checksum);
    free(a);
    free(moments);
    return 0;
}
