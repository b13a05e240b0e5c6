// sizes: n=0,1,2,3,33 m=1,2,34 steps=3
// Borders that are periodic: remainders of a size, of which the value is less than a few times as much.
#include <pencil.h>
#include <stddef.h>

/* What is written goes round, too. */
void ring(int n, const float a[static const restrict n], float b[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        b[(i + 1) % n] = a[(i - 1 + n) % n] + a[(i + n + 2) % n];
#pragma endscop
}

void torus(int n, int m, int steps, float a[static const restrict n][m], float b[static const restrict n][m]) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                b[i][j] = 0.2f * (a[i][j] + a[(i + 1) % n][j] + a[(i + n - 1) % n][j] + a[i][(j + 1) % m] +
                                  a[i][(j - 1 + m) % m]);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j] = b[i][j];
    }
#pragma endscop
}

/* Flattened, with counters of 64 bits, in variables. */
void flattened(size_t n, size_t m, const float a[static const restrict n * m], float b[static const restrict n * m]) {
#pragma scop
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) {
            size_t up = (i + n - 1) % n, down = (i + 1) % n;
            b[i * m + j] = a[up * m + j] - a[down * m + (j + 1) % m];
        }
#pragma endscop
}

/* In place: the last row needs what the first one has become. */
void swept(int n, int m, float a[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = 0.5f * a[i][j] + a[(i + 1) % n][j];
#pragma endscop
}

/* Negative values stay as they are; quotients tell how often one goes round. */
void signs(int n, int m, const int a[static const restrict 2 * n], int b[static const restrict n], int r[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        b[i] = a[n + (i - n + 1) % n] + a[(2 * i + 1) % n] + a[(2 * i) / n];
        r[i] = (i + n) / n + 10 * ((2 * i + n) % n) + 100 * ((i - n + 1) / n);
    }
#pragma endscop
}

/* Values that may be any number of times as much stay data. */
void far(int n, int m, const int a[static const restrict n], int b[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[(i * 7 + 3) % n] + a[(i * i) % n];
#pragma endscop
}

static const int cx[5] = {0, 1, 0, -1, 0}, cy[5] = {0, 0, 1, 0, -1};
static const int opposite[5] = {0, 3, 4, 1, 2};
static const signed char other[2][5] = {{0, 1, 2, 3, 4}, {0, 3, 4, 1, 2}};

/* A lattice whose directions are tables. */
void lattice(int n, int m, int steps, const int solid[static const restrict n * m], float f[static const restrict n * m * 5],
             float g[static const restrict n * m * 5]) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int y = 0; y < n; y++)
            for (int x = 0; x < m; x++) {
                float own[5], sum = 0, along = 0;
                for (int q = 0; q < 5; q++) {
                    int from = (x - cx[q] + m) % m, above = (y - cy[q] + n) % n;
                    own[q] = f[(above * m + from) * 5 + q];
                    sum += own[q];
                }
                for (int q = 0; q < 5; q++)
                    along += cx[q] * own[q] - cy[opposite[q]] * own[other[1][q]];
                if (solid[y * m + x] & 1) {
                    for (int q = 0; q < 5; q++)
                        g[(y * m + x) * 5 + q] = own[opposite[q]];
                    continue;
                }
                for (int q = 0; q < 5; q++)
                    g[(y * m + x) * 5 + q] = own[q] + 0.25f * (sum / 5 + along - own[other[0][q]]);
            }
        for (int i = 0; i < n * m * 5; i++)
            f[i] = g[i];
    }
#pragma endscop
}

/* Neighbours of a torus in loops over offsets, and offsets that a parameter says. */
void life(int n, int m, const unsigned char a[static const restrict n * m], unsigned char b[static const restrict n * m]) {
#pragma scop
    for (int y = 0; y < n; y++)
        for (int x = 0; x < m; x++) {
            int alive = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (dx != 0 || dy != 0) {
                        int ny = (y + dy + n) % n, nx = (x + dx + m) % m;
                        alive += a[ny * m + nx] & 1;
                    }
            b[y * m + x] = alive == 3 || (alive == 2 && (a[y * m + x] & 1));
        }
#pragma endscop
}

void shifted(int n, int steps, const int a[static const restrict n], int b[static const restrict n], int c[static const restrict n]) {
#pragma scop
    __pencil_assume(steps <= n);
    __pencil_assume(steps >= -n);
    for (int i = 0; i < n; i++) {
        b[i] = a[(i + steps + n) % n];
        c[(n - 1 - i + 1) % n] = a[i] + (n + i) % n + (i - n) % n;
    }
#pragma endscop
}

/* One thread runs it: each iteration needs the one before. */
int chained(int n, int x[static const restrict n]) {
    int s = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        s = (s * 3 + x[(i + 1) % n]) & 1023;
        x[(i - 1 + n) % n] = s;
    }
#pragma endscop
    return s;
}
