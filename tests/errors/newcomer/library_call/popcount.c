#include <stdint.h>

void bits(int n, const uint64_t a[static const restrict n], int out[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = __builtin_popcountll(a[i]) + __builtin_popcountll(a[i] >> 1);
#pragma endscop
}
