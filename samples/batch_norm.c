// Batch norm: over the columns of a matrix, and over the images and points of each channel of pictures.
// tolerance: 1e-5
#include <math.h>
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef BATCH
#define BATCH 34
#endif
#ifndef CHANNELS
#define CHANNELS 37
#endif
#ifndef POINTS
#define POINTS 16
#endif

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

void batch_norm(int n, int channels, const float x[static const restrict n][channels],
                const float gain[static const restrict channels], const float bias[static const restrict channels],
                float y[static const restrict n][channels]) {
    for (int c = 0; c < channels; c++) {
        float sum, squares;
        __pencil_reduction_var_init(&sum, zero);
        __pencil_reduction_var_init(&squares, zero);
        for (int i = 0; i < n; i++) {
            __pencil_reduction(&sum, x[i][c], add);
            __pencil_reduction(&squares, x[i][c] * x[i][c], add);
        }
        float mean = sum / n;
        float scale = gain[c] / sqrtf(squares / n - mean * mean + 1e-5f);
        for (int i = 0; i < n; i++)
            y[i][c] = (x[i][c] - mean) * scale + bias[c];
    }
}

void batch_norm_images(int n, int channels, int points, const float x[static const restrict n][channels][points],
                       float means[static const restrict channels],
                       float y[static const restrict n][channels][points]) {
    for (int c = 0; c < channels; c++) {
        float squares;
        __pencil_reduction_var_init(&means[c], zero);
        for (int i = 0; i < n; i++)
            for (int p = 0; p < points; p++)
                __pencil_reduction(&means[c], x[i][c][p], add);
        means[c] /= (float)n * (float)points;
        __pencil_reduction_var_init(&squares, zero);
        for (int i = 0; i < n; i++)
            for (int p = 0; p < points; p++)
                __pencil_reduction(&squares, (x[i][c][p] - means[c]) * (x[i][c][p] - means[c]), add);
        float scale = 1.0f / sqrtf(squares / ((float)n * (float)points) + 1e-5f);
        for (int i = 0; i < n; i++)
            for (int p = 0; p < points; p++)
                y[i][c][p] = (x[i][c][p] - means[c]) * scale;
    }
}

// With INTEGER_DATA the values are two apart from each other and all means are whole.
static float value(unsigned seed, int image) {
#ifdef INTEGER_DATA
    (void)seed;
    return (float)(image % 2 * 2);
#else
    (void)image;
    return (float)(seed >> 8) / 16777216.0f;
#endif
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : BATCH;
    int channels = argc > 2 ? atoi(argv[2]) : CHANNELS;
    int points = argc > 3 ? atoi(argv[3]) : POINTS;
    float(*x)[channels][points] = calloc((size_t)n, sizeof *x);
    float(*y)[channels][points] = calloc((size_t)n, sizeof *y);
    float(*flat)[channels] = calloc((size_t)n, sizeof *flat);
    float(*normed)[channels] = calloc((size_t)n, sizeof *normed);
    float *gain = calloc((size_t)channels, sizeof *gain), *bias = calloc((size_t)channels, sizeof *bias);
    float *means = calloc((size_t)channels, sizeof *means);
    unsigned seed = 17;
    for (int i = 0; i < n; i++)
        for (int c = 0; c < channels; c++)
            for (int p = 0; p < points; p++) {
                seed = seed * 1664525u + 1013904223u;
                x[i][c][p] = value(seed, i);
                flat[i][c] = x[i][c][p];
            }
    for (int c = 0; c < channels; c++) {
        gain[c] = (float)(c % 5 + 1);
        bias[c] = (float)(c % 3);
    }
    batch_norm(n, channels, flat, gain, bias, normed);
    batch_norm_images(n, channels, points, x, means, y);
    double checksum = 0.0;
    for (int i = 0; i < n; i++)
        for (int c = 0; c < channels; c++) {
            checksum += ((i + c) % 7 + 1) * (double)normed[i][c];
            for (int p = 0; p < points; p++)
                checksum += ((i + c + p) % 5 + 1) * (double)y[i][c][p];
        }
    for (int c = 0; c < channels; c++)
        checksum += (double)means[c];
    printf("batch_norm n=%d channels=%d points=%d checksum %.6g\n", n, channels, points, checksum);
    free(x);
    free(y);
    free(flat);
    free(normed);
    free(gain);
    free(bias);
    free(means);
    return 0;
}
