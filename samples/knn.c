// The nearest neighbours of each query among many points: the nearest one, and the four nearest as a sorted list.  Points
// and queries share their coordinates in tiles, and no distance is ever in memory.
// tolerance: 0
#include <limits.h>
#include <math.h>
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef QUERIES
#define QUERIES 90
#endif
#ifndef POINTS
#define POINTS 310
#endif
#ifndef DIMENSIONS
#define DIMENSIONS 12
#endif

#define NEAREST 4

typedef struct {
    float distance[NEAREST];
    int index[NEAREST];
} Nearest;

static void nobody(Nearest *list) {
    for (int k = 0; k < NEAREST; k++) {
        list->distance[k] = INFINITY;
        list->index[k] = INT_MAX;
    }
}

static Nearest one(float distance, int index) {
    Nearest list;
    for (int k = 0; k < NEAREST; k++) {
        list.distance[k] = k == 0 ? distance : INFINITY;
        list.index[k] = k == 0 ? index : INT_MAX;
    }
    return list;
}

// The nearest of two sorted lists; of equally near ones the one with the lower index.
static Nearest merged(Nearest a, Nearest b) {
    Nearest list;
    int i = 0, j = 0;
    for (int k = 0; k < NEAREST; k++) {
        if (a.distance[i] < b.distance[j] || (a.distance[i] == b.distance[j] && a.index[i] < b.index[j])) {
            list.distance[k] = a.distance[i];
            list.index[k] = a.index[i];
            i++;
        } else {
            list.distance[k] = b.distance[j];
            list.index[k] = b.index[j];
            j++;
        }
    }
    return list;
}

// The nearest one, by the sum of absolute differences.
void nearest(int queries, int points, int dimensions, const float q[static const restrict queries][dimensions],
             const float x[static const restrict points][dimensions], int index[static const restrict queries]) {
#pragma scop
    for (int i = 0; i < queries; i++) {
        float least = INFINITY;
        int found = -1;
        for (int j = 0; j < points; j++) {
            float distance = 0.0f;
            for (int k = 0; k < dimensions; k++)
                distance += fabsf(q[i][k] - x[j][k]);
            if (distance < least) {
                least = distance;
                found = j;
            }
        }
        index[i] = found;
    }
#pragma endscop
}

// The four nearest.
void neighbours(int queries, int points, int dimensions, const float q[static const restrict queries][dimensions],
                const float x[static const restrict points][dimensions], Nearest lists[static const restrict queries]) {
#pragma scop
    for (int i = 0; i < queries; i++) {
        __pencil_reduction_var_init(&lists[i], nobody);
        for (int j = 0; j < points; j++) {
            float distance = 0.0f;
            for (int k = 0; k < dimensions; k++) {
                float t = q[i][k] - x[j][k];
                distance += t * t;
            }
            __pencil_reduction(&lists[i], one(distance, j), merged);
        }
    }
#pragma endscop
}

static float *filled(size_t count, unsigned seed) {
    float *data = malloc(count * sizeof *data);
    for (size_t i = 0; i < count; i++) {
        // Few distinct values, so that some points are equally near.
        seed = seed * 1664525u + 1013904223u;
        data[i] = (float)(seed >> 29);
    }
    return data;
}

int main(int argc, char **argv) {
    int queries = argc > 1 ? atoi(argv[1]) : QUERIES;
    int points = argc > 2 ? atoi(argv[2]) : POINTS;
    int dimensions = argc > 3 ? atoi(argv[3]) : DIMENSIONS;
    size_t m = (size_t)queries, n = (size_t)points, d = (size_t)dimensions;
    float *q = filled(m * d, 21), *x = filled(n * d, 22);
    int *index = calloc(m, sizeof *index);
    Nearest *lists = calloc(m, sizeof *lists);
    nearest(queries, points, dimensions, (const float(*)[dimensions])q, (const float(*)[dimensions])x, index);
    neighbours(queries, points, dimensions, (const float(*)[dimensions])q, (const float(*)[dimensions])x, lists);
    double checksum = 0.0;
    for (int i = 0; i < queries; i++) {
        checksum += (i % 7 + 1) * (double)index[i];
        for (int k = 0; k < NEAREST; k++)
            checksum += (k + 1) * ((double)lists[i].index[k] + (double)lists[i].distance[k]);
    }
    printf("knn queries=%d points=%d dimensions=%d checksum %.9g\n", queries, points, dimensions, checksum);
    free(q);
    free(x);
    free(index);
    free(lists);
    return 0;
}
