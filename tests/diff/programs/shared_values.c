// Values that an iteration computes once for what its inner loops add to many results: taken out of these by hand.
// sizes: m=1,17,33 n=16,40 p=0,1,19
#include <limits.h>
#include <pencil.h>
#include <stdint.h>

// The loops of a product as they read both matrices along rows.
void row_by_row(int m, int n, int p, const int8_t a[static const restrict m][p],
                const unsigned b[static const restrict p][n], unsigned c[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++)
            c[i][j] = 0;
        for (int k = 0; k < p; k++) {
            unsigned t = 3u * (unsigned)a[i][k];
            for (int j = 0; j < n; j++)
                c[i][j] += t * b[k][j];
        }
    }
#pragma endscop
}

// Flattened, with the scalar declared outside; a value that is made of another one, and narrower.
void flattened(int m, int n, int p, const short a[static const restrict m * p],
               const int8_t b[static const restrict p * n], int c[static const restrict m * n]) {
    int8_t r;
    short whole;
#pragma scop
    for (int k = 0; k < p; k++)
        for (int i = 0; i < m; i++) {
            whole = a[i * p + k];
            r = (int8_t)(whole - 1);
            for (int j = 0; j < n; j++)
                c[i * n + j] += r * b[k * n + j];
        }
#pragma endscop
}

// Rows that add nothing are passed over.
void passed_over(int m, int n, int p, const int8_t a[static const restrict m][p],
                 const int8_t b[static const restrict p][n], int c[static const restrict m][n],
                 int d[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int k = 0; k < p; k++) {
            int t = a[i][k];
            if (t % 2 == 0)
                continue;
            for (int j = 0; j < n; j++)
                c[i][j] += t * b[k][j];
        }
    for (int k = 0; k < p; k++)
        for (int i = 0; i < m; i++)
            if (a[i][k] > 2 && b[k][0] != 1)
                for (int j = 0; j < n; j++)
                    d[i][j] += b[k][j];
#pragma endscop
}

// The least of sums, by a comparison; the outer product of a row with itself.
void least(int n, int m, const int a[static const restrict n][n], const int b[static const restrict n][n],
           int c[static const restrict n][n], const int8_t x[static const restrict m][n],
           int g[static const restrict n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = INT_MAX;
            g[i][j] = 0;
        }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            int t = a[i][k] / 4;
            for (int j = 0; j < n; j++) {
                int d = t + b[k][j] / 4;
                if (d < c[i][j])
                    c[i][j] = d;
            }
        }
    for (int l = 0; l < m; l++)
        for (int i = 0; i < n; i++) {
            int v = x[l][i];
            for (int j = 0; j < n; j++)
                g[i][j] += v * x[l][j];
        }
#pragma endscop
}

// Columns with weights, and a window that is slid by its weights.
void weighted(int m, int n, const int8_t x[static const restrict m][n], const int8_t w[static const restrict m],
              int s[static const restrict n], const int8_t in[static const restrict m + 2][n + 2],
              const int8_t g[static const restrict 3][3], int out[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++) {
        int f = 2 * w[i];
        for (int j = 0; j < n; j++)
            s[j] += f * x[i][j];
    }
    for (int y = 0; y < m; y++)
        for (int z = 0; z < n; z++)
            out[y][z] = 0;
    for (int u = 0; u < 3; u++)
        for (int v = 0; v < 3; v++) {
            int c = g[u][v];
            for (int y = 0; y < m; y++)
                for (int z = 0; z < n; z++)
                    out[y][z] += c * in[y + u][z + v];
        }
#pragma endscop
}

// What must stay: the value is of an element that changes meanwhile, it is the place of a result, it ends a loop, and a
// condition keeps the ends of its loop inside of an array.
void stays(int m, int n, int c[static const restrict m][n], int h[static const restrict 256],
           const unsigned char at[static const restrict m], const short start[static const restrict m],
           int sums[static const restrict n]) {
#pragma scop
    for (int i = 1; i < m; i++) {
        int first = c[i - 1][0] % 7;
        for (int j = 0; j < n; j++)
            c[i][j] = c[i - 1][j] % 1000 + first;
    }
    for (int i = 0; i < m; i++) {
        int place = at[i] / 2;
        for (int j = 0; j < 3; j++)
            h[place + j] += 1;
    }
    for (int i = 0; i < m; i++) {
        int last = start[i] % 16;
        for (int j = 0; j < last; j++)
            sums[j] += 1;
    }
    for (int i = 0; i < m; i++)
        if (at[i] < m)
            for (int j = 0; j < start[at[i]] % 16; j++)
                sums[j] += i;
    for (int k = 0; k < m; k++)
        for (int i = 0; i < n; i++) {
            int t = sums[i] % 5;
            for (int j = 0; j < n; j++)
                sums[j] = sums[j] % 100 + t;
        }
#pragma endscop
}
