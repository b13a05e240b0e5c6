// Points that are read around, and rows that become columns: what a block fetches for a tile, as people write it.
// sizes: m=1,31,33 n=18,70 p=20 steps=2
#include <math.h>
#include <pencil.h>
#include <stdint.h>

typedef struct { float x, y, z; } Point;
typedef struct { unsigned char r, g, b; } Pixel;

// ---- rows become columns

void transposed(int m, int n, const float a[static const restrict m][n], float b[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            b[j][i] = a[i][j];
#pragma endscop
}

// The loops the other way round, bytes, and a sum with what lies in the right order.
void transposed_bytes(int m, int n, const uint8_t a[static const restrict m][n], const uint8_t c[static const restrict n][m],
                      uint8_t b[static const restrict n][m]) {
#pragma scop
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            b[j][i] = (uint8_t)(a[i][j] + c[j][i]);
#pragma endscop
}

void transposed_shorts(int m, int n, const int16_t a[static const restrict m][n], int16_t b[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = a[j][i];
#pragma endscop
}

void transposed_doubles(int m, int n, const double a[static const restrict m][n], double b[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            b[j][i] = 2 * a[i][j];
#pragma endscop
}

void transposed_points(int m, int n, const Point a[static const restrict m][n], Point b[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            b[j][i] = a[i][j];
#pragma endscop
}

// A matrix and its mirror image: both triangles come of one array.
void symmetric(int m, const float a[static const restrict m][m], float b[static const restrict m][m]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = 0.5f * (a[i][j] + a[j][i]);
#pragma endscop
}

// Below the diagonal only.
void lower(int m, const float a[static const restrict m][m], float b[static const restrict m][m]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++)
            b[i][j] = a[j][i];
#pragma endscop
}

// Permutations of three subscripts.
void permuted(int m, int n, int p, const float a[static const restrict m][n][p], float b[static const restrict p][n][m],
              float c[static const restrict n][p][m], float d[static const restrict m][p][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < p; k++)
                b[k][j][i] = a[i][j][k];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < p; k++)
                c[j][k][i] = a[i][j][k];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < p; k++)
                d[i][k][j] = a[i][j][k];
#pragma endscop
}

// Planes of colours, and pixels.
void to_planes(int m, int n, const uint8_t a[static const restrict m][n][3], uint8_t b[static const restrict 3][m][n]) {
#pragma scop
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++)
                b[c][i][j] = a[i][j][c];
#pragma endscop
}

// ---- stencils

void jacobi(int steps, int m, int n, float a[static const restrict m][n], float b[static const restrict m][n]) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < m - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = 0.2f * (a[i][j] + a[i][j - 1] + a[i][1 + j] + a[1 + i][j] + a[i - 1][j]);
        for (int i = 1; i < m - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = 0.2f * (b[i][j] + b[i][j - 1] + b[i][1 + j] + b[1 + i][j] + b[i - 1][j]);
    }
#pragma endscop
}

// Two buffers in one array, chosen by the step.
void two_buffers(int steps, int m, int n, float a[static const restrict 2][m][n]) {
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < m - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[(t + 1) % 2][i][j] = 0.25f * (a[t % 2][i - 1][j] + a[t % 2][i + 1][j] + a[t % 2][i][j - 1] + a[t % 2][i][j + 1]);
#pragma endscop
}

// Every step has a place of its own.
void history(int steps, int m, int n, float a[static const restrict steps + 1][m][n]) {
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < m - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[t + 1][i][j] = 0.25f * (a[t][i - 1][j] + a[t][i + 1][j] + a[t][i][j - 1] + a[t][i][j + 1]);
#pragma endscop
}

void heat(int m, int n, int p, const double a[static const restrict m][n][p], double b[static const restrict m][n][p]) {
#pragma scop
    for (int i = 1; i < m - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < p - 1; k++)
                b[i][j][k] = 0.125 * (a[i + 1][j][k] - 2.0 * a[i][j][k] + a[i - 1][j][k])
                           + 0.125 * (a[i][j + 1][k] - 2.0 * a[i][j][k] + a[i][j - 1][k])
                           + 0.125 * (a[i][j][k + 1] - 2.0 * a[i][j][k] + a[i][j][k - 1]) + a[i][j][k];
#pragma endscop
}

// A window around each point of three dimensions, two arrays, of which one has no neighbours along the planes.
void box(int m, int n, int p, const float a[static const restrict m][n][p], const float w[static const restrict m][n][p],
         float b[static const restrict m][n][p]) {
#pragma scop
    for (int i = 2; i < m - 2; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < p - 1; k++) {
                float s = 0;
                for (int x = -2; x <= 2; x++)
                    for (int y = -1; y <= 1; y++)
                        for (int z = -1; z <= 1; z++)
                            s += a[i + x][j + y][k + z] * w[i][j + y][k + z];
                b[i][j][k] = s;
            }
#pragma endscop
}

// Batches of images, in planes of which none touches another.
void batch(int m, int n, int p, const float a[static const restrict p][m][n], float b[static const restrict p][m][n]) {
#pragma scop
    for (int l = 0; l < p; l++)
        for (int i = 1; i < m - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[l][i][j] = a[l][i - 1][j - 1] + 2 * a[l][i - 1][j] + a[l][i - 1][j + 1]
                           - a[l][i + 1][j - 1] - 2 * a[l][i + 1][j] - a[l][i + 1][j + 1];
#pragma endscop
}

// Conditions at the border, in the loop.
void with_borders(int m, int n, const float a[static const restrict m][n], float b[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float s = a[i][j];
            if (i > 0) s += a[i - 1][j];
            if (i < m - 1) s += a[i + 1][j];
            if (j > 0) s += a[i][j - 1];
            if (j < n - 1) s += a[i][j + 1];
            b[i][j] = s;
        }
#pragma endscop
}

// And in the expression.
void with_zeros(int m, int n, const float a[static const restrict m][n], float b[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = a[i][j] + (i > 0 ? a[i - 1][j] : 0) + (i < m - 1 ? a[i + 1][j] : 0)
                    + (j > 0 ? a[i][j - 1] : 0) + (j < n - 1 ? a[i][j + 1] : 0);
#pragma endscop
}

// Subscripts that are clamped.
void clamped(int m, int n, const float a[static const restrict m][n], float b[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = a[max(i - 1, 0)][j] + a[min(i + 1, m - 1)][j] + a[i][max(j - 1, 0)] + a[i][min(j + 1, n - 1)];
#pragma endscop
}

// Pixels, of which a point takes members.
void blurred(int m, int n, const Pixel a[static const restrict m][n], Pixel b[static const restrict m][n]) {
#pragma scop
    for (int i = 1; i < m - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            b[i][j].r = (unsigned char)((a[i - 1][j].r + a[i + 1][j].r + a[i][j - 1].r + a[i][j + 1].r) / 4);
            b[i][j].g = (unsigned char)((a[i - 1][j].g + a[i + 1][j].g + a[i][j - 1].g + a[i][j + 1].g) / 4);
            b[i][j].b = a[i][j].b;
        }
#pragma endscop
}

// ---- windows

static const float kernel5[5][5] = {{1, 4, 6, 4, 1}, {4, 16, 24, 16, 4}, {6, 24, 36, 24, 6}, {4, 16, 24, 16, 4}, {1, 4, 6, 4, 1}};

void convolved(int m, int n, const float a[static const restrict m + 4][n + 4], float b[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int y = 0; y < 5; y++)
                for (int x = 0; x < 5; x++)
                    s += kernel5[y][x] * a[i + y][j + x];
            b[i][j] = s / 256;
        }
#pragma endscop
}

static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }

// The same as a reduction, with weights that are an argument.
void reduced(int m, int n, const float a[static const restrict m + 2][n + 2], const float w[static const restrict 3][3],
             float b[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            __pencil_reduction_var_init(&b[i][j], zero);
            for (int y = 0; y < 3; y++)
                for (int x = 0; x < 3; x++)
                    __pencil_reduction(&b[i][j], w[y][x] * a[i + y][j + x], add);
        }
#pragma endscop
}

// Every other point, and the largest of a window that may be anything.
void pooled(int m, int n, const int a[static const restrict 2 * m + 1][2 * n + 1], int b[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            int s = a[2 * i][2 * j];
            for (int y = 0; y < 3; y++)
                for (int x = 0; x < 3; x++)
                    s = max(s, a[2 * i + y][2 * j + x]);
            b[i][j] = s;
        }
#pragma endscop
}

// Columns of a window: the neighbours lie below each other.
void columns(int m, int n, const float a[static const restrict m + 8][n], float b[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int y = 0; y < 9; y++)
                s += a[i + y][j];
            b[i][j] = s / 9;
        }
#pragma endscop
}

// Memory of one dimension.
void flat(int m, int n, const float a[static const restrict m * n], float b[static const restrict m * n]) {
#pragma scop
    for (int i = 1; i < m - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[i * n + j] = a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1];
#pragma endscop
}

// A counter of 64 bits.
void long_counters(int m, long n, const float a[static const restrict m][n], float b[static const restrict m][n]) {
#pragma scop
    for (int i = 1; i < m - 1; i++)
        for (long j = 1; j < n - 1; j++)
            b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
#pragma endscop
}

// A local array between two stencils.
void twice(int m, int n, const float a[static const restrict m][n], float b[static const restrict m][n]) {
#pragma scop
    float t[m][n];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            t[i][j] = a[i][j] * a[i][j];
    for (int i = 1; i < m - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[i][j] = t[i - 1][j] + t[i + 1][j] + t[i][j - 1] + t[i][j + 1];
#pragma endscop
}

// Backwards, and shifted far away.
void shifted(int m, int n, const float a[static const restrict m + 40][n + 5], float b[static const restrict m][n]) {
#pragma scop
    for (int i = m - 1; i >= 0; i--)
        for (int j = 0; j < n; j++)
            b[i][j] = a[i + 39][j] + a[i + 38][j + 1] + a[i + 40 - 1][j + 4] + a[i + 37][j + 2];
#pragma endscop
}

// Volumes one after the other.
void volumes(int m, int n, int p, const float a[static const restrict 3][m][p][n], float b[static const restrict 3][m][p][n]) {
#pragma scop
    for (int l = 0; l < 3; l++)
        for (int i = 1; i < m - 1; i++)
            for (int j = 1; j < p - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    b[l][i][j][k] = a[l][i - 1][j][k] + a[l][i + 1][j][k] + a[l][i][j - 1][k] + a[l][i][j + 1][k]
                                  + a[l][i][j][k - 1] + a[l][i][j][k + 1];
#pragma endscop
}

// Neighbours and the mirror image of one array, and another one whose name looks like a second part of the first.
void two_groups(int m, const float a[static const restrict m][m], const float a1[static const restrict m][m],
                float b[static const restrict m][m]) {
#pragma scop
    for (int i = 1; i < m - 1; i++)
        for (int j = 1; j < m - 1; j++)
            b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] + a[j][i] + a1[j][i];
#pragma endscop
}
