// Conversions inside of elements, which small numbers do not need: products, differences and minima in a wider type.
// sizes: n=0,1,5,33,300
#include <limits.h>
#include <pencil.h>
#include <stdint.h>

#define N static const restrict n

void products(int n, const int a[N], const int b[N], const int16_t c[N], const uint16_t d[N],
              int64_t s[static const restrict 4]) {
#pragma scop
    for (int k = 0; k < 4; k++)
        s[k] = k;
    for (int i = 0; i < n; i++)
        s[0] += (int64_t)a[i] * b[i];
    for (int i = 0; i < n; i++)
        s[1] += a[i] * (int64_t)c[i] - b[i];
    for (int i = 0; i < n; i++)
        s[2] = s[2] + (unsigned)c[i] * d[i];
    for (int i = 0; i < n; i++)
        s[3] ^= (int64_t)b[i] << 8;
#pragma endscop
}

void extremes(int n, const int a[N], const int b[N], const float x[N], const float y[N],
              int64_t s[static const restrict 2], double t[static const restrict 2]) {
#pragma scop
    int64_t p = LONG_MIN, q = LONG_MAX;
    for (int i = 0; i < n; i++)
        p = max(p, (int64_t)a[i] - b[i]);
    for (int i = 0; i < n; i++)
        if ((int64_t)a[i] * b[i] < q)
            q = (int64_t)a[i] * b[i];
    double u = -1, v = 1;
    for (int i = 0; i < n; i++)
        u = max(u, (double)x[i] * y[i]);
    for (int i = 0; i < n; i++)
        if (x[i] < v)
            v = x[i];
    s[0] = p;
    s[1] = q;
    t[0] = u;
    t[1] = v;
#pragma endscop
}

void tiles(int n, const int a[static const restrict n][20], const int b[static const restrict 20][n],
           int64_t c[static const restrict n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = 0;
            for (int k = 0; k < 20; k++)
                c[i][j] += (int64_t)a[i][k] * b[k][j];
        }
#pragma endscop
}
