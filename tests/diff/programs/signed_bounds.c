// Counters without a sign, whose bounds have one: C converts each of them by itself, or the counter where it is cast.
// sizes: n=0,1,5,33 q=-1,0,3,40 m=0,3 z=0,4,40
#include <pencil.h>
#include <stddef.h>

static int is_large(long long value) { return value > 1000000000; }

void both(int n, int q, unsigned x[static const restrict n]) {
#pragma scop
    for (unsigned j = 0; j < n && j < q; j++) x[j] += j;
    for (size_t j = 0; j < n && !(j >= q); j++) x[j] += 2 * j;
    for (unsigned j = 0; j < n && q > j; j++) x[j] += 3 * j;
    for (unsigned j = 0; (j < n ? j < q : 0); j++) x[j] += 5 * j;
    for (unsigned j = 0; j < n && j < (short)q; j++) x[j] += 7 * j;
#pragma endscop
}

void cast(int n, int q, unsigned x[static const restrict n]) {
#pragma scop
    for (unsigned j = 0; (int)j < n && (int)j < q; j++) x[j] += j;
    for (unsigned i = 0; (int)i < n - 3; i++) x[i] += 2 * i;
    for (unsigned i = 0; (int)i <= n - 3; i++) x[i] += 3 * i;
    for (unsigned long i = 0; (long)i < (long)n - 3; i++) x[i] += 5 * i;
    for (unsigned i = 0; n - 3 > (int)i; i++) x[i] += 7 * i;
    for (unsigned i = 0; (int)i != n; i++) x[i] += 11 * i;
    for (unsigned char i = 0; (signed char)i < q && i < n; i++) x[i] += 13 * i;
    for (unsigned i = 0; (int)i < n && i < 50; i++)
        for (unsigned k = 0; (int)k < (int)i - 3; k++) x[i] += k;
#pragma endscop
}

void downwards(int n, int q, unsigned x[static const restrict n]) {
#pragma scop
    for (unsigned i = n - 1; (int)i >= 0; i--) x[i] += i;
    for (unsigned i = n - 2; (int)i > -1; i -= 2) x[i] += 2 * i;
    for (unsigned long i = n - 1; (long)i >= 0; i--) x[i] += 3 * i;
    for (unsigned i = n - 2; (int)i > q; i -= 2)
        if ((int)i >= 0) x[i] += 5 * i;
    for (int i = 0; i < n && i < 50; i++)
        for (unsigned j = i; j > 0 && j > i - 3; j--) x[j] += 1;
#pragma endscop
}

void inside(int n, int q, const unsigned x[static const restrict n], unsigned y[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n && i < 50; i++)
        for (unsigned j = 0; j < i - 1 && j < n; j++) y[i] += x[j];
    for (int i = 0; i < n; i++) {
        const unsigned u = i - q;
        const long long wide = u;
        const double real = u;
        y[i] += (real > 1e9) + 2 * ((double)u < 7) + 4 * is_large(u) + (real < 0);
        y[i] += (u < 3) + 2 * (u > 1000) + 4 * (wide > n) + (u / 2 > 100 ? 8 : 16) + (wide >> 4 & 1);
    }
#pragma endscop
}

/* Windows: how far a counter goes that begins at 0. */
void windows(unsigned n, unsigned m, int q, size_t z, const unsigned x[static const restrict n],
             unsigned y[static const restrict n]) {
#pragma scop
    for (unsigned i = 0; i + m < n; i++) y[i] += x[i + m];
    for (size_t i = 0; i + z < n; i++) y[i] += 3 * x[i + z];
    for (size_t i = 0; z + i + 1 <= n; i++) y[i] += 5 * x[i + z];
    for (unsigned i = 0; i + q < n; i++) y[i] += 7;
    for (unsigned i = 2; i + q < n && i < n; i++) y[i] += 11 * i;
    for (unsigned i = 1; i + q < n; i++)
        if (i < n) y[i] += 13 * i;
#pragma endscop
}
