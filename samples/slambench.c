// SLAMBench's reduce kernel: 32 sums over the tracking results of an image in one pass.
// out[0] is the squared error, out[1..6] the products of error and J, out[7..27] the upper triangle of J times its
// transpose, out[28] the number of tracked pixels, and out[29..31] count the rejected ones by their result.
// tolerance: 1e-5
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 60
#endif
#ifndef COLUMNS
#define COLUMNS 80
#endif

typedef struct {
    int result;
    float error;
    float J[6];
} TrackData;

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

// `track` has `pitch` elements to a row, of which the first `columns` count.
void reduce_tracks(int rows, int columns, int pitch, const TrackData track[static const restrict rows][pitch],
                   float out[static const restrict 32]) {
    __pencil_assume(columns <= pitch);
    for (int k = 0; k < 32; k++)
        __pencil_reduction_var_init(&out[k], zero);
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < columns; x++) {
            TrackData row = track[y][x];
            if (row.result < 1) {
                __pencil_reduction(&out[29], row.result == -4 ? 1.0f : 0.0f, add);
                __pencil_reduction(&out[30], row.result == -5 ? 1.0f : 0.0f, add);
                __pencil_reduction(&out[31], row.result > -4 ? 1.0f : 0.0f, add);
            } else {
                __pencil_reduction(&out[0], row.error * row.error, add);
                for (int i = 0; i < 6; i++)
                    __pencil_reduction(&out[1 + i], row.error * row.J[i], add);
                int k = 7;
                for (int i = 0; i < 6; i++)
                    for (int j = i; j < 6; j++) {
                        __pencil_reduction(&out[k], row.J[i] * row.J[j], add);
                        k++;
                    }
                __pencil_reduction(&out[28], 1.0f, add);
            }
        }
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
    int rows = argc > 1 ? atoi(argv[1]) : ROWS;
    int columns = argc > 2 ? atoi(argv[2]) : COLUMNS;
    int pitch = columns + 3;
    TrackData(*track)[pitch] = calloc((size_t)rows, sizeof *track);
    float out[32];
    unsigned seed = 19;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < pitch; x++) {
            seed = seed * 1664525u + 1013904223u;
            // Results from -5 to 1 as the tracking gives them, most of them 1.
            track[y][x].result = seed >> 30 ? 1 : -(int)(seed >> 16) % 6;
            seed = seed * 1664525u + 1013904223u;
            track[y][x].error = value(seed);
            for (int k = 0; k < 6; k++) {
                seed = seed * 1664525u + 1013904223u;
                track[y][x].J[k] = value(seed);
            }
        }
    reduce_tracks(rows, columns, pitch, track, out);
    double checksum = 0.0;
    for (int k = 0; k < 32; k++)
        checksum += (k % 7 + 1) * (double)out[k];
    printf("slambench rows=%d columns=%d checksum %.7g counts %g %g %g %g\n", rows, columns, checksum, out[28], out[29],
           out[30], out[31]);
    free(track);
    return 0;
}
