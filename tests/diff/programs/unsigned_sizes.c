// sizes: n=0,1,2,33
// Unsigned sizes and counters: isl's differences may be negative, C's are not.
#include <pencil.h>
static void zero(unsigned *v) { *v = 0; }
static unsigned add(unsigned a, unsigned b) { return a + b; }

unsigned all_but_the_last(unsigned n, const unsigned a[static const restrict n]) {
    unsigned s;
    __pencil_reduction_var_init(&s, zero);
    if (n > 0)
        for (unsigned i = 0; i < n - 1; i++)
            __pencil_reduction(&s, a[i], add);
    return s;
}

unsigned mirrored(unsigned n, const unsigned a[static const restrict n]) {
    unsigned s;
    __pencil_reduction_var_init(&s, zero);
    for (unsigned i = 0; i < n; i++)
        __pencil_reduction(&s, a[i] * a[n - 1 - i], add);
    return s;
}

void triangle(unsigned n, unsigned a[static const restrict n]) {
#pragma scop
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < i; j++)
            a[i] = a[i] + j;
#pragma endscop
}

// An array of `n` elements is no larger than memory: `2 * i` does not wrap at 64 bits.
#include <stddef.h>
void halves(size_t n, const unsigned char in[static const restrict n], char out[static const restrict 2 * n]) {
#pragma scop
    for (size_t i = 0; i < n; i++) {
        out[2 * i] = in[i] >> 4;
        out[2 * i + 1] = in[i] & 15;
    }
#pragma endscop
}
