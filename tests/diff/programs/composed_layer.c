// A layer with more kernels than an exact plan considers: attention, residual, layer norm, two products, layer norm.
// sizes: heads=3,5 keys=1,33 depth=1,33
#include <math.h>
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static void lowest(float *v) { *v = -INFINITY; }
static float add(float a, float b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }

void layer(int heads, int keys, int depth, const float query[static const restrict heads][depth],
           const float key[static const restrict heads][keys][depth],
           const float values[static const restrict heads][keys][depth],
           const float wide[static const restrict depth][depth], const float back[static const restrict depth][depth],
           float out[static const restrict heads][depth]) {
#pragma scop
    float weight[heads][keys], mean[heads][depth], hidden[heads][depth], again[heads][depth];
    for (int h = 0; h < heads; h++) {
        float max, sum;
        for (int k = 0; k < keys; k++) {
            __pencil_reduction_var_init(&weight[h][k], zero);
            for (int d = 0; d < depth; d++)
                __pencil_reduction(&weight[h][k], query[h][d] * key[h][k][d], add);
        }
        __pencil_reduction_var_init(&max, lowest);
        for (int k = 0; k < keys; k++)
            __pencil_reduction(&max, weight[h][k], larger);
        __pencil_reduction_var_init(&sum, zero);
        for (int k = 0; k < keys; k++)
            __pencil_reduction(&sum, expf(weight[h][k] - max), add);
        for (int d = 0; d < depth; d++) {
            __pencil_reduction_var_init(&mean[h][d], zero);
            for (int k = 0; k < keys; k++)
                __pencil_reduction(&mean[h][d], expf(weight[h][k] - max) / sum * values[h][k][d], add);
        }
    }
    for (int h = 0; h < heads; h++) {
        float total, squares;
        __pencil_reduction_var_init(&total, zero);
        for (int d = 0; d < depth; d++)
            __pencil_reduction(&total, mean[h][d] + query[h][d], add);
        __pencil_reduction_var_init(&squares, zero);
        for (int d = 0; d < depth; d++)
            __pencil_reduction(&squares, (mean[h][d] + query[h][d] - total / depth) * (mean[h][d] + query[h][d] - total / depth), add);
        for (int d = 0; d < depth; d++)
            mean[h][d] = (mean[h][d] + query[h][d] - total / depth) / sqrtf(squares / depth + 1.0f);
    }
    for (int h = 0; h < heads; h++)
        for (int d = 0; d < depth; d++) {
            __pencil_reduction_var_init(&hidden[h][d], zero);
            for (int e = 0; e < depth; e++)
                __pencil_reduction(&hidden[h][d], mean[h][e] * wide[d][e], add);
        }
    for (int h = 0; h < heads; h++)
        for (int d = 0; d < depth; d++)
            hidden[h][d] = hidden[h][d] > 0.0f ? hidden[h][d] : 0.0f;
    for (int h = 0; h < heads; h++)
        for (int d = 0; d < depth; d++) {
            __pencil_reduction_var_init(&again[h][d], zero);
            for (int e = 0; e < depth; e++)
                __pencil_reduction(&again[h][d], hidden[h][e] * back[d][e], add);
        }
    for (int h = 0; h < heads; h++) {
        float largest;
        __pencil_reduction_var_init(&largest, lowest);
        for (int d = 0; d < depth; d++)
            __pencil_reduction(&largest, fabsf(again[h][d] + mean[h][d]), larger);
        for (int d = 0; d < depth; d++)
            out[h][d] = largest > 0.0f ? (again[h][d] + mean[h][d]) / largest : 0.0f;
    }
#pragma endscop
}
