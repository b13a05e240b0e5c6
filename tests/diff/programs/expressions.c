// sizes: n=0,4,8,32 m=1,2
// Operators, declarations and types as C programs write them.
#include <pencil.h>

void operators(int n, const int a[static const restrict n], int b[static const restrict n], unsigned u[static const restrict n], long long l[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int x = a[i], k = 3;
        x <<= 2; x %= 7; x |= 8; x ^= 5; x &= ~2; x -= -3; x /= 2; x >>= 1;
        b[i] = x + (a[i] / 3) * 2 + a[i] % 3 - (-a[i]) / 4 + +x + !x + (x > 2 ? 'a' : '\n') + 0x1F + 017 + sizeof(int) + sizeof x + sizeof(b[0]);
        u[i] = a[i] * 2654435761u >> 7;
        u[i] += a[i] < u[i];
        l[i] = (long long)a[i] * 4000000000 + (1ull << 40) - k;
        l[i] += 1.5f * 0x1p-3f + 1e3;
        if (a[i] < 0) if (x > 2) b[i]++; else b[i]--;
        b[i] += (unsigned char)a[i] + (signed char)(a[i] * 100) + (short)70000 + (_Bool)a[i];
    }
#pragma endscop
}

#define SQUARE(x) ((x) * (x))
struct inner { float v[2]; };
struct outer { struct inner p[3]; int t; };
static inline float norm(const struct outer o) { float s = 0; for (int k = 0; k < 3; k++) s += SQUARE(o.p[k].v[0]); return s; }
static float forever(float x) { int k = 0; for (;;) { x = x / 2; k++; if (x < 1) break; if (k > 30) return -1; } return x + k; }
void declarations(int n, const struct outer a[n][2], float b[const restrict static n][2], float c[10]) {
#pragma scop
    int i, j;
    for (i = 0; i < n; i++)
        for (j = 0; j < 2; ++j) {
            static const int w[2] = {5, 7};
            struct inner t[2] = {{{1, 2}}, {{3, 4}}};
            t[j].v[1] += a[i][j].p[2].v[j];
            const float q = norm(a[i][j]) + t[1 - j].v[0] + w[j];
            b[i][j] = q + t[j].v[1] + forever(q);
        }
    for (int k = 9; k >= 0; k -= 3) c[k] = k;
    for (long k = 1; k != 3; k++) c[k] = -k;
#pragma endscop
}

typedef float grid[12][12];
void stencil(int n, const grid a[static const restrict n], grid b[static const restrict n], int step) {
#pragma scop
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < 11; j++)
            for (int k = 1; k < 11; k++)
                b[i][j][k] = a[i][j][k] + a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] + a[i][j][k - 1] + a[i][j][k + 1];
#pragma endscop
}

void assumed(int n, int m, float a[static const restrict n][m], const int idx[static const restrict n]) {
    __pencil_assume(n % 4 == 0);
    __pencil_assume(m >= 1);
#pragma scop
    for (int i = 0; i < n; i++) {
        __pencil_assume(idx[i] >= 0 && idx[i] < m);
        #pragma pencil independent
        for (int j = 0; j < m; j++) a[i][j] = j;
        a[i][idx[i]] = 7;
    }
#pragma endscop
}
