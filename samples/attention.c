// The attention of one query in each head: scores against all keys, their softmax, and the mean of the values.
// tolerance: 1e-5
#include <math.h>
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef HEADS
#define HEADS 12
#endif
#ifndef KEYS
#define KEYS 77
#endif
#ifndef DEPTH
#define DEPTH 64
#endif

static void zero(float *v) { *v = 0.0f; }
static void lowest(float *v) { *v = -INFINITY; }
static float add(float a, float b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }

void attention(int heads, int keys, int depth, const float query[static const restrict heads][depth],
               const float key[static const restrict heads][keys][depth],
               const float values[static const restrict heads][keys][depth],
               float weight[static const restrict heads][keys], float out[static const restrict heads][depth]) {
    for (int h = 0; h < heads; h++) {
        float max, sum;
        for (int k = 0; k < keys; k++) {
            float dot;
            __pencil_reduction_var_init(&dot, zero);
            for (int d = 0; d < depth; d++)
                __pencil_reduction(&dot, query[h][d] * key[h][k][d], add);
            weight[h][k] = dot / sqrtf((float)depth);
        }
        __pencil_reduction_var_init(&max, lowest);
        for (int k = 0; k < keys; k++)
            __pencil_reduction(&max, weight[h][k], larger);
        __pencil_reduction_var_init(&sum, zero);
        for (int k = 0; k < keys; k++)
            __pencil_reduction(&sum, expf(weight[h][k] - max), add);
        for (int k = 0; k < keys; k++)
            weight[h][k] = expf(weight[h][k] - max) / sum;
        for (int d = 0; d < depth; d++) {
            __pencil_reduction_var_init(&out[h][d], zero);
            for (int k = 0; k < keys; k++)
                __pencil_reduction(&out[h][d], weight[h][k] * values[h][k][d], add);
        }
    }
}

// With INTEGER_DATA all keys are equal, so the scores are, and the values are whole.
static float value(unsigned seed) {
#ifdef INTEGER_DATA
    (void)seed;
    return 1.0f;
#else
    return (float)(seed >> 8) / 16777216.0f;
#endif
}

int main(int argc, char **argv) {
    int heads = argc > 1 ? atoi(argv[1]) : HEADS;
    int keys = argc > 2 ? atoi(argv[2]) : KEYS;
    int depth = argc > 3 ? atoi(argv[3]) : DEPTH;
    float(*query)[depth] = calloc((size_t)heads, sizeof *query);
    float(*key)[keys][depth] = calloc((size_t)heads, sizeof *key);
    float(*values)[keys][depth] = calloc((size_t)heads, sizeof *values);
    float(*weight)[keys] = calloc((size_t)heads, sizeof *weight);
    float(*out)[depth] = calloc((size_t)heads, sizeof *out);
    unsigned seed = 18;
    for (int h = 0; h < heads; h++) {
        for (int d = 0; d < depth; d++) {
            seed = seed * 1664525u + 1013904223u;
            query[h][d] = value(seed);
        }
        for (int k = 0; k < keys; k++)
            for (int d = 0; d < depth; d++) {
                seed = seed * 1664525u + 1013904223u;
                key[h][k][d] = value(seed);
                values[h][k][d] = value(seed * 3u + 1u);
            }
    }
    attention(heads, keys, depth, query, key, values, weight, out);
    double checksum = 0.0;
    for (int h = 0; h < heads; h++) {
        for (int k = 0; k < keys; k++)
            checksum += ((h + k) % 7 + 1) * (double)weight[h][k];
        for (int d = 0; d < depth; d++)
            checksum += ((h + d) % 5 + 1) * (double)out[h][d];
    }
    printf("attention heads=%d keys=%d depth=%d checksum %.5g\n", heads, keys, depth, checksum);
    free(query);
    free(key);
    free(values);
    free(weight);
    free(out);
    return 0;
}
