// Histograms: how often each value of an 8-bit picture occurs, and how often each label of a list.  The number of bins
// is 256 in one and a parameter in the other; which bin an element counts in is known when it is read.
// tolerance: 0
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 10007
#endif
#ifndef BINS
#define BINS 1000
#endif

static void zero(int *count) { *count = 0; }
static int add(int a, int b) { return a + b; }

void histogram(int rows, int columns, const unsigned char image[static const restrict rows][columns],
               int count[static const restrict 256]) {
    for (int b = 0; b < 256; b++)
        __pencil_reduction_var_init(&count[b], zero);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++)
            __pencil_reduction(&count[image[y][x]], 1, add);
}

void count_labels(int n, int bins, const int label[static const restrict n], int count[static const restrict bins]) {
    for (int b = 0; b < bins; b++)
        __pencil_reduction_var_init(&count[b], zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&count[label[i]], 1, add);
}

static unsigned checksum(int n, const int *count) {
    unsigned sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 31u + (unsigned)count[i];
    return sum;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : N;
    int bins = argc > 2 ? atoi(argv[2]) : BINS;
    unsigned char(*image)[n] = calloc(3, sizeof *image);
    int *label = calloc((size_t)n, sizeof *label);
    int *count = calloc((size_t)bins, sizeof *count);
    int grey[256];
    unsigned seed = 21;
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < n; x++) {
            // Runs of equal values, as pictures have.
            if (x % 5 == 0)
                seed = seed * 1664525u + 1013904223u;
            image[y][x] = (unsigned char)(seed >> 25);
        }
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        label[i] = (int)((seed >> 8) % (unsigned)bins);
    }
    histogram(3, n, image, grey);
    count_labels(n, bins, label, count);
    printf("histogram n=%d bins=%d checksum %u %u\n", n, bins, checksum(256, grey), checksum(bins, count));
    free(image);
    free(label);
    free(count);
    return 0;
}
