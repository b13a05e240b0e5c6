// One step of k-means: the mean of the points of each cluster.  Each point adds a struct to the one of its label, so the
// updates meet the results in an order that only the data know.
// tolerance: 1e-5
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 10007
#endif
#ifndef CLUSTERS
#define CLUSTERS 37
#endif

typedef struct {
    float x, y, z;
    int count;
} Sum;

static void nothing(Sum *sum) {
    sum->x = 0.0f;
    sum->y = 0.0f;
    sum->z = 0.0f;
    sum->count = 0;
}

static Sum point(float x, float y, float z) {
    Sum sum;
    sum.x = x;
    sum.y = y;
    sum.z = z;
    sum.count = 1;
    return sum;
}

static Sum add(Sum a, Sum b) {
    a.x += b.x;
    a.y += b.y;
    a.z += b.z;
    a.count += b.count;
    return a;
}

void centroids(int n, int clusters, const float points[static const restrict n][3],
               const int label[static const restrict n], float mean[static const restrict clusters][3]) {
    Sum sum[clusters];
    for (int c = 0; c < clusters; c++)
        __pencil_reduction_var_init(&sum[c], nothing);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&sum[label[i]], point(points[i][0], points[i][1], points[i][2]), add);
    for (int c = 0; c < clusters; c++) {
        float count = sum[c].count > 0 ? (float)sum[c].count : 1.0f;
        mean[c][0] = sum[c].x / count;
        mean[c][1] = sum[c].y / count;
        mean[c][2] = sum[c].z / count;
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
    int clusters = argc > 2 ? atoi(argv[2]) : CLUSTERS;
    float(*points)[3] = calloc((size_t)n, sizeof *points);
    int *label = calloc((size_t)n, sizeof *label);
    float(*mean)[3] = calloc((size_t)clusters, sizeof *mean);
    unsigned seed = 22;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            seed = seed * 1664525u + 1013904223u;
            points[i][k] = value(seed);
        }
        label[i] = (int)((seed >> 4) % (unsigned)clusters);
    }
    centroids(n, clusters, points, label, mean);
    double checksum = 0.0;
    for (int c = 0; c < clusters; c++)
        checksum += (c % 5 + 1) * ((double)mean[c][0] + mean[c][1] + mean[c][2]);
    printf("centroids n=%d clusters=%d checksum %.7g\n", n, clusters, checksum);
    free(points);
    free(label);
    free(mean);
    return 0;
}
