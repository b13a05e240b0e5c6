// Results that go on from data, a constant or an expression: set behind the elements, in the kernel that adds these up.
// sizes: m=1,5,33 n=17,40 p=0,1,19
#include <limits.h>
#include <math.h>
#include <pencil.h>
#include <stdint.h>

typedef struct { int8_t re, im; } Pair;
typedef struct { int re, im; } Sums;

// The bias of a layer in a local variable, and in the result itself.
void layer(int m, int n, int p, const unsigned a[static const restrict m][p], const unsigned b[static const restrict p][n],
           const int8_t bias[static const restrict n], unsigned c[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            unsigned s = (unsigned)(bias[j] + 128);
            for (int k = 0; k < p; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s > 7 ? s : 0;
        }
#pragma endscop
}

void layer_in_place(int m, int n, int p, const unsigned a[static const restrict m][p],
                    const unsigned b[static const restrict n][p], const unsigned bias[static const restrict n],
                    unsigned c[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = bias[j] / 2;
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * b[j][k];
        }
#pragma endscop
}

// A struct whose members are added to.
void complex_product(int m, int n, int p, const Pair a[static const restrict m][p],
                     const Pair b[static const restrict p][n], Sums c[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            Sums s = {0, 1};
            for (int k = 0; k < p; k++) {
                s.re += a[i][k].re * b[k][j].re - a[i][k].im * b[k][j].im;
                s.im += a[i][k].re * b[k][j].im + a[i][k].im * b[k][j].re;
            }
            c[i][j] = s;
        }
#pragma endscop
}

// What is smaller than a constant that an expression gives, by a comparison.
void shortest(int m, int n, int p, const int a[static const restrict m][p], const int b[static const restrict p][n],
              int c[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            int best = INT_MAX / 2;
            for (int k = 0; k < p; k++) {
                int d = a[i][k] / 4 + b[k][j] / 4;
                if (d < best)
                    best = d;
            }
            c[i][j] = best;
        }
#pragma endscop
}

// Rows, columns, and all of an array; what they go on from has a loop of its own.
void rows(int m, int n, const short a[static const restrict m][n], const short x[static const restrict m],
          int sums[static const restrict m]) {
#pragma scop
    for (int i = 0; i < m; i++)
        sums[i] = x[i] + 1;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            sums[i] += a[i][j];
#pragma endscop
}

void columns(int m, int n, const short a[static const restrict m][n], const short y[static const restrict n],
             int sums[static const restrict n]) {
#pragma scop
    for (int j = 0; j < n; j++)
        sums[j] = y[j] * 2;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            sums[j] += a[i][j];
#pragma endscop
}

float all(int m, int n, const float a[static const restrict m][n]) {
    float most = -1.0f;
#pragma scop
    most = 0.5f * a[0][0];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            most = fmaxf(most, a[i][j]);
#pragma endscop
    return most;
}

// More points are set than have elements, and the elements read what was there before.
void partly(int m, int n, const int8_t a[static const restrict m][n], int c[static const restrict m][m],
            int d[static const restrict m]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            c[i][j] = a[i][0] - a[j][0];
            if (j <= i)
                for (int k = 0; k < n; k++)
                    c[i][j] += a[i][k] * a[j][k];
        }
    for (int i = 0; i < m; i++) {
        int first = d[i] % 100;
        d[i] = 2;
        for (int k = 0; k < n; k++)
            d[i] += first * a[i][k];
    }
#pragma endscop
}

// Bins that the data choose: these are set before.
void bins(int n, const unsigned char at[static const restrict n], const short x[static const restrict 256],
          int h[static const restrict 256]) {
#pragma scop
    for (int b = 0; b < 256; b++)
        h[b] = x[b];
    for (int i = 0; i < n; i++)
        h[at[i]] += 3;
#pragma endscop
}

// Windows, which one thread adds up.
void windows(int n, const int8_t x[static const restrict n + 8], const int8_t w[static const restrict 9],
             const short bias[static const restrict n], int y[static const restrict n]) {
#pragma scop
    for (int j = 0; j < n; j++) {
        int s = bias[j];
        for (int r = 0; r < 9; r++)
            s += w[r] * x[j + r];
        y[j] = s;
    }
#pragma endscop
}

// Bands and few values, which one thread adds up in place: what it goes on from is set in front of them.
void bands(int m, int n, const int a[static const restrict n + 3][n], const int b[static const restrict n],
           int old[static const restrict n], int s[static const restrict n], long t[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        old[i] = s[i];
        s[i] = b[i];
        for (int j = i; j < i + 3; j++)
            s[i] += a[j][i];
    }
    for (int i = 0; i < n; i++) {
        t[i] = (long)b[i] * m;
        for (int j = i + 1; j < i + 3; j++)
            t[i] += (long)a[j][i] * b[i];
    }
#pragma endscop
}
