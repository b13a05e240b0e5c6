#include <stdint.h>

/* A generator of Marsaglia's. */
static inline uint32_t next_random(uint32_t *seed)
{
    uint32_t bits = *seed;
    bits ^= bits << 13;
    bits ^= bits >> 17;
    bits ^= bits << 5;
    return *seed = bits;
}

/* Pi from `throws` darts at a square. */
double darts(long throws)
{
    long inside = 0;
    for (long t = 0; t < throws; t++) {
        uint32_t seed = 88172645u ^ (uint32_t)t * 2654435761u;
        float x = next_random(&seed) / 4294967296.0f;
        float y = next_random(&seed) / 4294967296.0f;
        if (x * x + y * y < 1.0f)
            inside++;
    }
    return throws > 0 ? 4.0 * inside / throws : 0.0;
}
