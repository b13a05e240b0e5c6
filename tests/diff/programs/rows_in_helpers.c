// Helpers that go through rows which they are given: points that share rows go in tiles, and sums of rows are rows.
// sizes: m=1,17,33 n=16,40 p=1,2,19
#include <limits.h>
#include <pencil.h>
#include <stdint.h>

static int dot(int p, const int8_t x[static p], const int8_t y[static p]) {
    int sum = 0;
    for (int k = 0; k < p; k++)
        sum += x[k] * y[k];
    return sum;
}

static int distance(int p, const int8_t x[static p], const int8_t y[static p]) {
    int sum = 0;
    for (int k = 0; k < p; k++) {
        int t = x[k] - y[k];
        sum += t * t;
    }
    return sum;
}

// The first one that is larger: data end the loop, and it stays a function.
static int first(int p, const int8_t x[static p], int least) {
    int k = 0;
    while (k < p && x[k] <= least)
        k++;
    return k;
}

static int most(int p, const int8_t x[static p]) {
    int found = INT_MIN;
    for (int k = 0; k < p; k++)
        if (x[k] > found)
            found = x[k];
    return found;
}

void products(int m, int n, int p, const int8_t a[static const restrict m][p],
              const int8_t b[static const restrict n][p],
              int c[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            c[i][j] = 2 * dot(p, a[i], b[j]) + 1;
#pragma endscop
}

// Stored, and reduced again.
void distances(int m, int n, int p, const int8_t x[static const restrict m][p],
               const int8_t y[static const restrict n][p],
               int d[static const restrict m][n], int nearest[static const restrict m]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            d[i][j] = distance(p, x[i], y[j]);
    for (int i = 0; i < m; i++) {
        int best = INT_MAX;
        int where = -1;
        for (int j = 0; j < n; j++) {
            int t = distance(p, x[i], y[j]);
            if (t < best) {
                best = t;
                where = j;
            }
        }
        nearest[i] = where;
    }
#pragma endscop
}

void of_rows(int m, int p, const int8_t a[static const restrict m][p], int b[static const restrict m],
             int c[static const restrict m], int d[static const restrict m]) {
#pragma scop
    for (int i = 0; i < m; i++) {
        b[i] = first(p, a[i], 3);
        c[i] = most(p, a[i]);
        d[i] = a[i][0] > 0 ? dot(p, a[i], a[m - 1 - i]) : -1;
    }
#pragma endscop
}
