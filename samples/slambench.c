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
    __pencil_reduction_var_init(&out[0], zero);
    __pencil_reduction_var_init(&out[1], zero);
    __pencil_reduction_var_init(&out[2], zero);
    __pencil_reduction_var_init(&out[3], zero);
    __pencil_reduction_var_init(&out[4], zero);
    __pencil_reduction_var_init(&out[5], zero);
    __pencil_reduction_var_init(&out[6], zero);
    __pencil_reduction_var_init(&out[7], zero);
    __pencil_reduction_var_init(&out[8], zero);
    __pencil_reduction_var_init(&out[9], zero);
    __pencil_reduction_var_init(&out[10], zero);
    __pencil_reduction_var_init(&out[11], zero);
    __pencil_reduction_var_init(&out[12], zero);
    __pencil_reduction_var_init(&out[13], zero);
    __pencil_reduction_var_init(&out[14], zero);
    __pencil_reduction_var_init(&out[15], zero);
    __pencil_reduction_var_init(&out[16], zero);
    __pencil_reduction_var_init(&out[17], zero);
    __pencil_reduction_var_init(&out[18], zero);
    __pencil_reduction_var_init(&out[19], zero);
    __pencil_reduction_var_init(&out[20], zero);
    __pencil_reduction_var_init(&out[21], zero);
    __pencil_reduction_var_init(&out[22], zero);
    __pencil_reduction_var_init(&out[23], zero);
    __pencil_reduction_var_init(&out[24], zero);
    __pencil_reduction_var_init(&out[25], zero);
    __pencil_reduction_var_init(&out[26], zero);
    __pencil_reduction_var_init(&out[27], zero);
    __pencil_reduction_var_init(&out[28], zero);
    __pencil_reduction_var_init(&out[29], zero);
    __pencil_reduction_var_init(&out[30], zero);
    __pencil_reduction_var_init(&out[31], zero);
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < columns; x++) {
            TrackData row = track[y][x];
            if (row.result < 1) {
                __pencil_reduction(&out[29], row.result == -4 ? 1.0f : 0.0f, add);
                __pencil_reduction(&out[30], row.result == -5 ? 1.0f : 0.0f, add);
                __pencil_reduction(&out[31], row.result > -4 ? 1.0f : 0.0f, add);
            } else {
                __pencil_reduction(&out[0], row.error * row.error, add);
                __pencil_reduction(&out[1], row.error * row.J[0], add);
                __pencil_reduction(&out[2], row.error * row.J[1], add);
                __pencil_reduction(&out[3], row.error * row.J[2], add);
                __pencil_reduction(&out[4], row.error * row.J[3], add);
                __pencil_reduction(&out[5], row.error * row.J[4], add);
                __pencil_reduction(&out[6], row.error * row.J[5], add);
                __pencil_reduction(&out[7], row.J[0] * row.J[0], add);
                __pencil_reduction(&out[8], row.J[0] * row.J[1], add);
                __pencil_reduction(&out[9], row.J[0] * row.J[2], add);
                __pencil_reduction(&out[10], row.J[0] * row.J[3], add);
                __pencil_reduction(&out[11], row.J[0] * row.J[4], add);
                __pencil_reduction(&out[12], row.J[0] * row.J[5], add);
                __pencil_reduction(&out[13], row.J[1] * row.J[1], add);
                __pencil_reduction(&out[14], row.J[1] * row.J[2], add);
                __pencil_reduction(&out[15], row.J[1] * row.J[3], add);
                __pencil_reduction(&out[16], row.J[1] * row.J[4], add);
                __pencil_reduction(&out[17], row.J[1] * row.J[5], add);
                __pencil_reduction(&out[18], row.J[2] * row.J[2], add);
                __pencil_reduction(&out[19], row.J[2] * row.J[3], add);
                __pencil_reduction(&out[20], row.J[2] * row.J[4], add);
                __pencil_reduction(&out[21], row.J[2] * row.J[5], add);
                __pencil_reduction(&out[22], row.J[3] * row.J[3], add);
                __pencil_reduction(&out[23], row.J[3] * row.J[4], add);
                __pencil_reduction(&out[24], row.J[3] * row.J[5], add);
                __pencil_reduction(&out[25], row.J[4] * row.J[4], add);
                __pencil_reduction(&out[26], row.J[4] * row.J[5], add);
                __pencil_reduction(&out[27], row.J[5] * row.J[5], add);
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
