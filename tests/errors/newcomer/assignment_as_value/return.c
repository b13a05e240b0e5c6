#include <stdint.h>
static uint32_t xorshift(uint32_t *state)
{
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

void noise(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        uint32_t s = 2463534242u ^ (uint32_t)i;
        a[i] = xorshift(&s) / 4294967296.0f;
    }
#pragma endscop
}
