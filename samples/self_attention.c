// The attention of many queries: scores of each against all keys, their softmax, and the mean of the values.  With many
// queries keys and values are read once for a tile of them; the scores are a local of each.
// tolerance: 1e-5
#include <math.h>
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef QUERIES
#define QUERIES 41
#endif
#ifndef KEYS
#define KEYS 77
#endif
#ifndef DEPTH
#define DEPTH 33
#endif

static void zero(float *v) { *v = 0.0f; }
static void lowest(float *v) { *v = -INFINITY; }
static float add(float a, float b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }

void self_attention(int queries, int keys, int depth, const float query[static const restrict queries][depth],
                    const float key[static const restrict keys][depth],
                    const float values[static const restrict keys][depth],
                    float out[static const restrict queries][depth]) {
    for (int i = 0; i < queries; i++) {
        float weight[keys];
        float max, sum;
        for (int k = 0; k < keys; k++) {
            float dot;
            __pencil_reduction_var_init(&dot, zero);
            for (int d = 0; d < depth; d++)
                __pencil_reduction(&dot, query[i][d] * key[k][d], add);
            weight[k] = dot / sqrtf((float)depth);
        }
        __pencil_reduction_var_init(&max, lowest);
        for (int k = 0; k < keys; k++)
            __pencil_reduction(&max, weight[k], larger);
        __pencil_reduction_var_init(&sum, zero);
        for (int k = 0; k < keys; k++) {
            weight[k] = expf(weight[k] - max);
            __pencil_reduction(&sum, weight[k], add);
        }
        for (int d = 0; d < depth; d++) {
            float mean;
            __pencil_reduction_var_init(&mean, zero);
            for (int k = 0; k < keys; k++)
                __pencil_reduction(&mean, weight[k] * values[k][d], add);
            out[i][d] = mean / sum;
        }
    }
}

// With INTEGER_DATA all keys are equal, so that all weights are one, and the values are whole.
static float value(unsigned seed) {
#ifdef INTEGER_DATA
    (void)seed;
    return 1.0f;
#else
    return (float)(seed >> 8) / 16777216.0f;
#endif
}

int main(int argc, char **argv) {
    int queries = argc > 1 ? atoi(argv[1]) : QUERIES;
    int keys = argc > 2 ? atoi(argv[2]) : KEYS;
    int depth = argc > 3 ? atoi(argv[3]) : DEPTH;
    float(*query)[depth] = calloc((size_t)queries, sizeof *query);
    float(*key)[depth] = calloc((size_t)keys, sizeof *key);
    float(*values)[depth] = calloc((size_t)keys, sizeof *values);
    float(*out)[depth] = calloc((size_t)queries, sizeof *out);
    unsigned seed = 23;
    for (int d = 0; d < depth; d++) {
        for (int i = 0; i < queries; i++) {
            seed = seed * 1664525u + 1013904223u;
            query[i][d] = value(seed);
        }
        for (int k = 0; k < keys; k++) {
            seed = seed * 1664525u + 1013904223u;
            key[k][d] = value(seed);
            values[k][d] = value(seed * 3u + 1u);
        }
    }
    self_attention(queries, keys, depth, query, key, values, out);
    double checksum = 0.0;
    for (int i = 0; i < queries; i++)
        for (int d = 0; d < depth; d++)
            checksum += ((i + d) % 5 + 1) * (double)out[i][d];
    printf("self_attention queries=%d keys=%d depth=%d checksum %.5g\n", queries, keys, depth, checksum);
    free(query);
    free(key);
    free(values);
    free(out);
    return 0;
}
