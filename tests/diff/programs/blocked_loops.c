// Loops in blocks, as people write them for the cache of a processor, and some that must stay as they are.
// sizes: m=1,31,67 n=1,33,70 p=2,40
#include <pencil.h>
#include <stddef.h>

#define SIZE 32
#define MIN(a, b) ((a) < (b) ? (a) : (b))

void product(int m, int n, int p, const float a[static const restrict m][p], const float b[static const restrict p][n],
             float c[static const restrict m][n]) {
#pragma scop
    for (int ii = 0; ii < m; ii += SIZE)
        for (int kk = 0; kk < p; kk += SIZE)
            for (int jj = 0; jj < n; jj += SIZE)
                for (int i = ii; i < MIN(ii + SIZE, m); i++)
                    for (int k = kk; k < MIN(kk + SIZE, p); k++)
                        for (int j = jj; j < MIN(jj + SIZE, n); j++)
                            c[i][j] += a[i][k] * b[k][j];
#pragma endscop
}

void transposed(size_t m, size_t n, const float a[static const restrict m * n], float b[static const restrict n * m]) {
#pragma scop
    for (size_t ii = 0; ii < m; ii += SIZE)
        for (size_t jj = 0; jj < n; jj += SIZE)
            for (size_t i = ii; i < ii + SIZE && i < m; i++)
                for (size_t j = jj; j < jj + SIZE && j < n; j++)
                    b[j * m + i] = a[i * n + j];
#pragma endscop
}

void by_numbers(int m, int n, const int a[static const restrict m][n], int b[static const restrict n][m]) {
#pragma scop
    for (int x = 0; x < (m + 15) / 16; x++)
        for (int y = 0; y < (n + 7) / 8; y++)
            for (int i = x * 16; i < MIN(x * 16 + 16, m); i++)
                for (int j = 8 * y; j < MIN(8 * (y + 1), n); j++)
                    b[j][i] = a[i][j] + i * j;
#pragma endscop
}

void in_blocks_of_blocks(int n, const float a[static const restrict n][n], float b[static const restrict n][n]) {
    int ii, jj, i2, j2, i, j;
#pragma scop
    for (ii = 1; ii < n - 1; ii += 64) {
        const int last = MIN(ii + 64, n - 1);
        for (jj = 1; jj < n - 1; jj += 64)
            for (i2 = ii; i2 < last; i2 += 8)
                for (j2 = jj; j2 < MIN(jj + 64, n - 1); j2 += 8)
                    for (i = i2; i < MIN(i2 + 8, last); i++)
                        for (j = j2; j < MIN(MIN(j2 + 8, jj + 64), n - 1); j++)
                            b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
    }
#pragma endscop
}

void whole_blocks(int n, const float a[static const restrict n][n], float b[static const restrict n]) {
#pragma scop
    for (int ii = 0; ii < n; ii += SIZE)
        for (int i = ii; i < ii + SIZE; i++)
            if (i < n) {
                float s = 0;
                for (int jj = 0; jj < n; jj += SIZE)
                    for (int j = jj; j < MIN(jj + SIZE, n); j++)
                        s += a[i][j];
                b[i] = s;
            }
#pragma endscop
}

// In blocks an element meets what the row above has not yet become.
void another_order(int n, int a[static const restrict n][n]) {
#pragma scop
    for (int ii = 1; ii < n - 1; ii += 4)
        for (int jj = 1; jj < n - 1; jj += 4)
            for (int i = ii; i < MIN(ii + 4, n - 1); i++)
                for (int j = jj; j < MIN(jj + 4, n - 1); j++)
                    a[i][j] = (a[i - 1][j + 1] + 3 * a[i][j]) % 1000;
#pragma endscop
}

// The sums of blocks; each block has a statement of its own, and its counter another use.
void sums_of_blocks(int n, const int a[static const restrict n], int b[static const restrict n], int c[static const restrict n]) {
#pragma scop
    for (int ii = 0; ii < n; ii += SIZE) {
        int s = 0;
        for (int i = ii; i < MIN(ii + SIZE, n); i++)
            s += a[i];
        b[ii] = s;
    }
    for (int ii = 0; ii < n; ii += SIZE)
        for (int i = ii; i < MIN(ii + SIZE, n); i++)
            c[i] = a[i] - ii;
#pragma endscop
}
