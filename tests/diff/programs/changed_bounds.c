/* Variables that tell how long a loop or an array is, and that are changed: C asks the bound of a loop in front of each
 * iteration, and the extents of an array where that is declared. */
// sizes: n=0,1,2,33,1009 m=0,1,40 q=1,33
#include <pencil.h>

static void less(int *h) { *h -= 1; }
static unsigned first_half(int n, int m, const unsigned x[n][m], int k) {
    unsigned s = 0;
    m = m / 2;
    for (int j = 0; j < m; j++) s += x[k][j];
    return s;
}
static void scaled(int n, int m, unsigned x[n][m], unsigned by) {
    m = m / 2;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) x[i][j] *= by;
}
static unsigned some(int n, const unsigned a[n]) {
    unsigned s = 0;
    for (int i = 0; i < n; i++) {
        s += a[i];
        if (a[i] & 2) n = n - 1;
    }
    return s;
}

int by_a_condition(int n, unsigned a[static const restrict n]) {
    int h = n / 2;
#pragma scop
    for (int i = 0; i < h; i++) {
        a[i] += 1;
        if (i == 5) h = 7;
    }
#pragma endscop
    return h;
}

void from_both_ends(int n, unsigned a[static const restrict n]) {
    int h = n, low = 0;
#pragma scop
    for (int i = 0; i < h && i < n; i++) {
        a[i] += 1;
        less(&h);
    }
    for (int i = n - 1; i >= low; i--) {
        a[i] *= 3;
        low++;
    }
#pragma endscop
}

unsigned around_loops(int n, unsigned a[static const restrict n]) {
    unsigned s = 0;
#pragma scop
    int m = n;
    for (int i = 0; i < m; i++) {
        if (a[i] % 3 == 0) continue;
        for (int j = i; j < m; j++) s += a[j] % 7;
        m -= 2 + m / 16;
    }
#pragma endscop
    return s;
}

void in_helpers(int n, int m, unsigned a[static const restrict n], unsigned x[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) a[i] = first_half(n, m, x, i) + some(m, x[i]);
    scaled(n, m, x, 3);
#pragma endscop
}

/* Pitches. */
void later(int n, unsigned a[static const restrict n]) {
    int h = n, i;
    unsigned t[4][h];
    h = 2;
#pragma scop
    for (int k = 0; k < 4; k++)
        for (i = 0; i < n; i++) t[k][i] = a[i] * k;
    for (i = 0; i < n; i++) a[i] = t[3][i] + t[h][n - 1 - i];
    h = h + 1;
    unsigned u[n][h];
    for (i = 0; i < n; i++)
        for (int k = 0; k < h; k++) u[i][k] = a[i] + k;
    h = 1;
    for (i = 0; i < n; i++) a[i] += u[i][h + 1];
#pragma endscop
}

void by_size(int n, unsigned a[static const restrict n]) {
    int h = 4;
#pragma scop
    if (n > 20) h = 8;
    for (int i = 0; i < n; i++) {
        unsigned t[h];
        for (int k = 0; k < h; k++) t[k] = a[i] * k + i;
        a[i] = t[h - 1] + t[i % h];
    }
    n = n * 2;
    {
        unsigned t[n];
        for (int i = 0; i < n; i++) t[i] = i;
        for (int i = 0; i < n / 2; i++) a[i] += t[n - 1 - i];
    }
#pragma endscop
}

void in_branches(int n, int m, unsigned a[static const restrict n]) {
#pragma scop
    if (n > m) {
        int h = m / 2 + 2;
        for (int i = 0; i < n; i++) {
            unsigned t[h];
            for (int k = 0; k < h; k++) t[k] = a[i] * k + i;
            a[i] = t[h - 1] + t[i % h];
        }
        h = h / 3;
        if (n > h)
            a[h] = h;
    } else {
        int h = n + 1;
        unsigned t[h];
        h -= 1;
        for (int i = 0; i < h; i++) t[i] = a[i] + 3;
        h /= 2;
        for (int i = 0; i < h; i++) a[i] += t[h - 1 - i];
    }
#pragma endscop
}

/* A loop that data end, with two first values, whose points are dealt out. */
unsigned narrow_counter(const unsigned char n[static const restrict 1], int m, int q) {
    unsigned s = 0;
#pragma scop
    for (short i = q > 10 ? 1 : 0; i < n[0]; i++) {
        int j;
        for (j = 0; j < m; j++) { }
        s += j;
    }
#pragma endscop
    return s;
}
