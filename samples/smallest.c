// The ten smallest elements, as NAS MG looks for them: a reduction over sorted lists of ten, 40 bytes each; and for each
// column of a matrix, whose lists threads keep side by side.
// tolerance: 0
#include <float.h>
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 20011
#endif

#define KEPT 10

typedef struct {
    float v[KEPT];
} Smallest;

static void none(Smallest *list) {
    for (int k = 0; k < KEPT; k++)
        list->v[k] = FLT_MAX;
}

static Smallest one(float value) {
    Smallest list;
    list.v[0] = value;
    for (int k = 1; k < KEPT; k++)
        list.v[k] = FLT_MAX;
    return list;
}

// The ten smallest of two sorted lists.
static Smallest merged(Smallest a, Smallest b) {
    Smallest list;
    int i = 0, j = 0;
    for (int k = 0; k < KEPT; k++) {
        if (a.v[i] <= b.v[j]) {
            list.v[k] = a.v[i];
            i++;
        } else {
            list.v[k] = b.v[j];
            j++;
        }
    }
    return list;
}

Smallest smallest(int n, const float a[static const restrict n]) {
    Smallest list;
    __pencil_reduction_var_init(&list, none);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&list, one(a[i]), merged);
    return list;
}

void smallest_of_columns(int rows, int columns, const float a[static const restrict rows][columns],
                         Smallest lists[static const restrict columns]) {
    for (int j = 0; j < columns; j++)
        __pencil_reduction_var_init(&lists[j], none);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&lists[j], one(a[i][j]), merged);
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : N;
    int columns = 30, rows = n / columns;
    float *a = calloc((size_t)n, sizeof *a);
    Smallest *lists = calloc((size_t)columns, sizeof *lists);
    unsigned seed = 32;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = (float)(seed >> 12);
    }
    Smallest list = smallest(n, a);
    smallest_of_columns(rows, columns, (const float(*)[columns])a, lists);
    double checksum = 0.0;
    for (int k = 0; k < KEPT; k++) {
        checksum += (k + 1) * (double)list.v[k];
        for (int j = 0; j < columns; j++)
            checksum += lists[j].v[k];
    }
    printf("smallest n=%d checksum %.9g\n", n, checksum);
    free(a);
    free(lists);
    return 0;
}
