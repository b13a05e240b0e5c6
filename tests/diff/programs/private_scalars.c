// sizes: n=0,1,2,33,60 m=0,1,7,40 rounds=3
// Scalars and structs that are declared outside of the loops that use them, as C89 wants it, and used again and again.
#include <pencil.h>

struct pair { float key; int place; };

static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
static float twice(float x) { return 2 * x; }

void several_loops(int n, int m, const float a[static const restrict n][m], float b[static const restrict n],
                   float c[static const restrict n][m], float d[static const restrict m]) {
    int i, j, k;
    float t, u;
#pragma scop
    for (i = 0; i < n; i++) {
        t = i * 0.5f;
        u = twice(t);
        b[i] = t * t + u;
    }
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) {
            t = a[i][j];
            if (t < 0) u = -t;
            else u = t;
            c[i][j] = u + t;
        }
    for (j = 0; j < m; j++) {
        t = 0;
        for (k = 0; k < n; k++) t += a[k][j];
        d[j] = t;
    }
#pragma endscop
}

void sums(int n, int m, const float a[static const restrict n][m], float b[static const restrict n],
          float c[static const restrict n]) {
    float s, least;
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s, zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&s, a[i][j], add);
        b[i] = s;
    }
    for (int i = 0; i < n; i++) {
        least = 1000;
        for (int j = 0; j < m; j++)
            if (a[i][j] < least) least = a[i][j];
        c[i] = least;
    }
}

float last_values(int n, int m, const float a[static const restrict n], float b[static const restrict n + 8],
                  float c[static const restrict 2]) {
    float t = -1, u = -2, v = -3, w = -4;
    struct pair p = {0, 0};
    int q = 7;
#pragma scop
    for (int i = 0; i < n; i++) { t = a[i]; b[i] = t + 1; }
    for (int i = n; i > 2; i -= 3) { u = a[i - 1] + 1; b[i] += u; }
    for (unsigned i = 0; i != (unsigned)n; i++) { v = a[i]; b[i] += v; }
    for (int i = 1; i <= m; i++)
        for (int j = 0; j < n; j++) { w = a[j] * i; b[j] += w; }
    for (int i = 0; i < n; i++) { p.key = a[i]; p.place = i; b[i] -= p.key * p.place; }
    for (int i = 0; i < n; i++) { q = i * 2; if (q > 5) q = q - 1; b[i] += q; }
    c[0] = p.key + p.place;
    c[1] = q;
#pragma endscop
    return t + u + v + w;
}

void indices(int n, const float a[static const restrict 2 * n + 3], float b[static const restrict 2 * n + 3]) {
    int i, j, k;
#pragma scop
    for (i = 0; i < n; i++) {
        j = 2 * i;
        k = j + 1;
        b[j] = a[k];
        b[k] = a[j] + a[j + 2];
    }
#pragma endscop
}

void carried(int n, const float a[static const restrict n], float b[static const restrict n],
             float c[static const restrict n], float d[static const restrict n]) {
    float before = 0, sum = 0, t = 5, u = 6;
#pragma scop
    for (int i = 0; i < n; i++) { b[i] = before; before = a[i]; }
    for (int i = 0; i < n; i++) { sum += a[i]; c[i] = sum; }
    for (int i = 0; i < n; i++) {
        if (a[i] > 0) t = a[i];
        d[i] = t;
    }
    for (int i = 0; i < n; i++) {
        if (a[i] < 0) continue;
        u = a[i];
        b[i] += u;
    }
    if (n > 0) d[0] += u;
#pragma endscop
}

void ways_out(int n, int m, const float a[static const restrict n][m], float b[static const restrict n]) {
    float t, u;
#pragma scop
    for (int i = 0; i < n; i++) {
        b[i] = 0;
        for (int j = 0; j < m; j++) {
            t = a[i][j];
            if (t > 3) break;
            u = t * 2;
            if (u < 0) continue;
            b[i] += u;
        }
    }
#pragma endscop
}

void around_inner_loops(int n, int m, const float a[static const restrict n][m], float b[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float t = 3, scale = i + 1;
        for (int j = 0; j < m; j++) {
            t = a[i][j] * scale;
            b[i][j] = t - scale;
        }
        if (m > 0) b[i][0] += t;
    }
#pragma endscop
}

void steps(int n, int m, int rounds, const float a[static const restrict n], float b[static const restrict n],
           float c[static const restrict 1]) {
    float largest, t;
#pragma scop
    c[0] = 1;
    for (int r = 0; r < rounds; r++) {
        largest = 0;
        for (int i = 0; i < n; i++) {
            t = a[i] * c[0] + r;
            if (t > largest) largest = t;
        }
        for (int i = 0; i < n; i++) b[i] = a[i] / (1 + largest);
        c[0] = 1 / (1 + largest);
    }
#pragma endscop
}
