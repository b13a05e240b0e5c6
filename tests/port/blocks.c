#include <stdint.h>
#include <math.h>
#include <limits.h>
#define BLOCK 32
enum { OK = 0, BAD = 1 };
typedef struct { int8_t q[BLOCK]; float scale; } block_t;

int quantize(const float *restrict x, block_t *restrict y, int nblocks)
{
    if (nblocks <= 0)
        return BAD;
    for (int b = 0; b < nblocks; b++) {
        float amax = 0.0f;
        for (int j = 0; j < BLOCK; j++) {
            const float v = fabsf(x[b * BLOCK + j]);
            if (v > amax) amax = v;
        }
        const float d = amax / 127.0f;
        const float id = d ? 1.0f / d : 0.0f;
        y[b].scale = d;
        for (int j = 0; j < BLOCK; j++) {
            int q = (int)roundf(x[b * BLOCK + j] * id);
            y[b].q[j] = (int8_t)(q > SCHAR_MAX ? SCHAR_MAX : q < SCHAR_MIN ? SCHAR_MIN : q);
        }
    }
    return OK;
}

float dotq(const block_t *restrict x, const block_t *restrict y, int nblocks)
{
    float sum = 0;
    for (int b = 0; b < nblocks; b++) {
        int32_t acc = 0;
        for (int j = 0; j < BLOCK; j++)
            acc += (int32_t)x[b].q[j] * y[b].q[j];
        sum += acc * x[b].scale * y[b].scale;
    }
    return sum;
}
