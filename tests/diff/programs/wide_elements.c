// Elements that are computed in a wider type than what they are made of: of plain updates, in every form.
// sizes: n=0,1,33,300
#include <pencil.h>
#include <stdint.h>

// About 10^9, with either sign.
static int large(int x) { return 1000000007 / (2 * x + 1); }

void sums(int n, const int a[static const restrict n], const unsigned b[static const restrict n],
          int64_t s[static const restrict 8]) {
#pragma scop
    for (int c = 0; c < 8; c++)
        s[c] = c;
    for (int i = 0; i < n; i++)
        s[0] += (int64_t)large(a[i]) * large(a[i]);
    for (int i = 0; i < n; i++)
        s[1] += a[i] * (int64_t)b[i] - (a[i] + b[i] > 100u);
    for (int i = 0; i < n; i++)
        s[2] -= b[i];
    for (int i = 0; i < n; i++)
        s[3] = s[3] + large(a[i]) + large(a[i] / 2) + large(a[i] / 3);
    for (int i = 0; i < n; i++)
        s[4] = s[4] - (b[i] + 7u);
    for (int i = 0; i < n; i++)
        s[5] = (b[i] + 1u) + s[5] - (b[i] - 9u);
    for (int i = 0; i < n; i++)
        s[6] ^= (int64_t)large(a[i]) << 20;
    for (int i = 0; i < n; i++)
        s[7] -= large(a[i]) * (long)i - b[i];
#pragma endscop
}

void extremes(int n, const int a[static const restrict n], int64_t s[static const restrict 4]) {
#pragma scop
    int64_t p = 1, q = 1, r = 1, t = 1;
    for (int i = 0; i < n; i++)
        p = max(p, (int64_t)large(a[i]) * large(a[i]));
    for (int i = 0; i < n; i++)
        if ((int64_t)large(a[i]) * 16 < q)
            q = (int64_t)large(a[i]) * 16;
    for (int i = 0; i < n; i++)
        r = (int64_t)large(a[i]) - 2000000000 < r ? (int64_t)large(a[i]) - 2000000000 : r;
    int at = -1;
    for (int i = 0; i < n; i++)
        if ((int64_t)large(a[i]) * 3 > t) {
            t = (int64_t)large(a[i]) * 3;
            at = i;
        }
    s[0] = p;
    s[1] = q;
    s[2] = r;
    s[3] = t + at;
#pragma endscop
}

// What a float cannot hold: the product is exact in double.
void doubles(int n, const float x[static const restrict n], double s[static const restrict 3]) {
#pragma scop
    double p = -1e300, q = 1e300, r = -1e300;
    for (int i = 0; i < n; i++)
        p = fmax(p, (double)x[i] * 1e30f * 1e30f);
    for (int i = 0; i < n; i++)
        if ((double)x[i] * 1e30f * 1e30f < q)
            q = (double)x[i] * 1e30f * 1e30f;
    for (int i = 0; i < n; i++)
        r = (double)x[i] + 1e-9 > r ? (double)x[i] + 1e-9 : r;
    s[0] = p;
    s[1] = q;
    s[2] = r;
#pragma endscop
}

// Narrow variables keep what fits, as each of their updates does.
short shorts(int n, const short a[static const restrict n], const short b[static const restrict n]) {
    short p = 32000;
#pragma scop
    for (int i = 0; i < n; i++)
        p -= a[i] * 99 + b[i];
#pragma endscop
    return p;
}

short least(int n, const int8_t b[static const restrict n]) {
    short q = -5;
#pragma scop
    for (int i = 0; i < n; i++)
        q = b[i] < q ? b[i] : q;
#pragma endscop
    return q;
}

uint8_t bytes(int n, const short a[static const restrict n], const short b[static const restrict n]) {
    uint8_t v = 3;
#pragma scop
    for (int i = 0; i < n; i++)
        v = v - b[i] - a[i];
#pragma endscop
    return v;
}
