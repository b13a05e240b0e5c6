#include <stdint.h>
#include <stddef.h>

static inline int16_t saturate(int32_t v)
{
    if (v > INT16_MAX)
        return INT16_MAX;
    if (v < INT16_MIN)
        return INT16_MIN;
    return (int16_t)v;
}

/* Q15 filter; x has n + taps - 1 samples. */
int fir_q15(const int16_t *x, int16_t *y, size_t n, const int16_t *h, size_t taps)
{
    if (!x || !y || !h)
        return -1;
    for (size_t i = 0; i < n; ++i) {
        int32_t acc = 1 << 14;
        const int16_t *px = &x[i];
        for (size_t k = 0; k < taps; ++k)
            acc += (int32_t)px[k] * h[taps - 1 - k];
        y[i] = saturate(acc >> 15);
    }
    return 0;
}
