// The step of k-means that takes the time: each point gets the nearest of the centres.  Points and centres share their
// coordinates in tiles, and no distance is ever in memory.  Of equally near centres it is the first one.
// tolerance: 0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef POINTS
#define POINTS 300
#endif
#ifndef CENTRES
#define CENTRES 70
#endif
#ifndef DIMENSIONS
#define DIMENSIONS 10
#endif

// As many coordinates as the caller says.
void assign(int points, int centres, int dimensions, const float x[static const restrict points][dimensions],
            const float c[static const restrict centres][dimensions], int label[static const restrict points]) {
#pragma scop
    for (int i = 0; i < points; i++) {
        float best = INFINITY;
        int where = 0;
        for (int j = 0; j < centres; j++) {
            float distance = 0.0f;
            for (int k = 0; k < dimensions; k++) {
                float t = x[i][k] - c[j][k];
                distance += t * t;
            }
            if (distance < best) {
                best = distance;
                where = j;
            }
        }
        label[i] = where;
    }
#pragma endscop
}

// Points of space, with how far each is from its centre.
void assign_in_space(int points, int centres, const float x[static const restrict points][3],
                     const float c[static const restrict centres][3], int label[static const restrict points],
                     float distance[static const restrict points]) {
#pragma scop
    for (int i = 0; i < points; i++) {
        label[i] = -1;
        distance[i] = INFINITY;
        for (int j = 0; j < centres; j++) {
            float d = 0.0f;
            for (int k = 0; k < 3; k++)
                d += (x[i][k] - c[j][k]) * (x[i][k] - c[j][k]);
            if (d < distance[i]) {
                distance[i] = d;
                label[i] = j;
            }
        }
    }
#pragma endscop
}

static float *filled(size_t count, unsigned seed) {
    float *data = malloc(count * sizeof *data);
    for (size_t i = 0; i < count; i++) {
        // Few distinct values, so that some centres are equally near.
        seed = seed * 1664525u + 1013904223u;
        data[i] = (float)(seed >> 29);
    }
    return data;
}

int main(int argc, char **argv) {
    int points = argc > 1 ? atoi(argv[1]) : POINTS;
    int centres = argc > 2 ? atoi(argv[2]) : CENTRES;
    int dimensions = argc > 3 ? atoi(argv[3]) : DIMENSIONS;
    size_t n = (size_t)points, m = (size_t)centres, d = (size_t)(dimensions > 3 ? dimensions : 3);
    float *x = filled(n * d, 17), *c = filled(m * d, 18), *distance = filled(n, 19);
    int *label = calloc(n, sizeof *label);
    double checksum = 0.0;
    assign(points, centres, dimensions, (const float(*)[dimensions])x, (const float(*)[dimensions])c, label);
    for (int i = 0; i < points; i++)
        checksum += (i % 7 + 1) * (double)label[i];
    assign_in_space(points, centres, (const float(*)[3])x, (const float(*)[3])c, label, distance);
    for (int i = 0; i < points; i++)
        checksum += (i % 5 + 1) * ((double)label[i] + (double)distance[i]);
    printf("kmeans points=%d centres=%d dimensions=%d checksum %.9g\n", points, centres, dimensions, checksum);
    free(x);
    free(c);
    free(distance);
    free(label);
    return 0;
}
