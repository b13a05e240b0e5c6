// Planes that are read around, as people write them.
// sizes: m=2,18 n=17,67 p=2,20 steps=2
#include <pencil.h>
#include <stdint.h>

typedef struct { float x, y, z; } Point;
typedef struct { unsigned char r, g, b; } Pixel;
typedef struct { float v[2], w; } Pair;

// Bytes, all 26 around.
void bytes(int p, int m, int n, const uint8_t a[static const restrict p][m][n], uint8_t b[static const restrict p][m][n]) {
#pragma scop
    for (int i = 1; i < p - 1; i++)
        for (int j = 1; j < m - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                int s = 0;
                for (int x = -1; x <= 1; x++)
                    for (int y = -1; y <= 1; y++)
                        for (int z = -1; z <= 1; z++)
                            s += a[i + x][j + y][k + z];
                b[i][j][k] = (uint8_t)(s / 27);
            }
#pragma endscop
}

// Conditions at the borders.
void borders(int p, int m, int n, const float a[static const restrict p][m][n], float b[static const restrict p][m][n]) {
#pragma scop
    for (int i = 0; i < p; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < n; k++) {
                float s = a[i][j][k];
                if (i > 0) s += a[i - 1][j][k];
                if (i < p - 1) s += a[i + 1][j][k];
                if (j > 0) s += a[i][j - 1][k];
                if (j < m - 1) s += a[i][j + 1][k];
                if (k > 0) s += a[i][j][k - 1];
                if (k < n - 1) s += a[i][j][k + 1];
                b[i][j][k] = s;
            }
#pragma endscop
}

// Structs, and their members.
void points(int p, int m, int n, const Point a[static const restrict p][m][n], Point b[static const restrict p][m][n],
            const Pixel c[static const restrict p][m][n], Pixel d[static const restrict p][m][n]) {
#pragma scop
    for (int i = 1; i < p - 1; i++)
        for (int j = 1; j < m - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                b[i][j][k].x = a[i - 1][j][k].x + a[i + 1][j][k].x + a[i][j][k].x;
                b[i][j][k].y = a[i][j - 1][k].y + a[i][j + 1][k].y + a[i][j][k].y;
                b[i][j][k].z = a[i][j][k - 1].z + a[i][j][k + 1].z + a[i][j][k].z;
            }
    for (int i = 1; i < p - 1; i++)
        for (int j = 1; j < m - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                d[i][j][k].r = (unsigned char)((c[i - 1][j][k].r + c[i + 1][j][k].r) / 2);
                d[i][j][k].g = (unsigned char)((c[i][j - 1][k].g + c[i][j + 1][k].g) / 2);
                d[i][j][k].b = (unsigned char)((c[i][j][k - 1].b + c[i][j][k + 1].b) / 2);
            }
#pragma endscop
}

// Planes in the middle of an array, the counter of 64 bits, two layers around.
void middle(long p, int m, int n, const float a[static const restrict 2][m][p][n], float b[static const restrict 2][p][m][n]) {
#pragma scop
    for (int l = 0; l < 2; l++)
        for (long i = 1; i < p - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    b[l][i][j][k] = a[l][j - 1][i][k] + a[l][j + 1][i][k] + a[l][j][i - 1][k] + a[l][j][i + 1][k]
                                  + a[l][j][i][k - 1] + a[l][j][i][k + 1];
#pragma endscop
}

// Every other point of a plane.
void halved(int p, int m, int n, const float a[static const restrict p + 2][2 * m + 2][2 * n + 2],
            float b[static const restrict p][m][n]) {
#pragma scop
    for (int i = 0; i < p; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < n; k++) {
                float s = 0;
                for (int x = 0; x < 3; x++)
                    for (int y = 0; y < 3; y++)
                        for (int z = 0; z < 3; z++)
                            s += a[i + x][2 * j + y][2 * k + z];
                b[i][j][k] = s;
            }
#pragma endscop
}

// Two arrays that reach differently far, one that has the same plane for all points, coefficients of the plane alone.
void several(int p, int m, int n, const float a[static const restrict p][m][n], const double c[static const restrict p][m][n],
             const float d[static const restrict m][n], const float w[static const restrict p],
             double b[static const restrict p][m][n]) {
#pragma scop
    for (int i = 2; i < p - 1; i++)
        for (int j = 1; j < m - 1; j++)
            for (int k = 1; k < n - 1; k++)
                b[i][j][k] = w[i] * (a[i - 2][j][k] + a[i][j - 1][k] + a[i][j + 1][k] + a[i][j][k - 1] + a[i][j][k + 1] + a[i][j][k])
                           + c[i + 1][j][k] + c[i - 1][j][k] + c[i][j - 1][k] + c[i][j + 1][k] + c[i][j][k]
                           + d[j - 1][k] + d[j + 1][k] + d[j][k - 1] + d[j][k + 1];
#pragma endscop
}

// Memory of one dimension, and of a size that is known.
void flat(int p, int m, int n, const float a[static const restrict p * m * n], float b[static const restrict p * m * n],
          const float c[static const restrict 20][34][70], float d[static const restrict 20][34][70]) {
#pragma scop
    for (int i = 1; i < p - 1; i++)
        for (int j = 1; j < m - 1; j++)
            for (int k = 1; k < n - 1; k++)
                b[(i * m + j) * n + k] = a[((i - 1) * m + j) * n + k] + a[((i + 1) * m + j) * n + k] + a[(i * m + j - 1) * n + k]
                                       + a[(i * m + j + 1) * n + k] + a[(i * m + j) * n + k - 1] + a[(i * m + j) * n + k + 1];
    for (int i = 1; i < 19; i++)
        for (int j = 1; j < 33; j++)
            for (int k = 1; k < 69; k++)
                d[i][j][k] = c[i - 1][j][k] + c[i + 1][j][k] + c[i][j - 1][k] + c[i][j + 1][k] + c[i][j][k - 1] + c[i][j][k + 1];
#pragma endscop
}

// Elements that are arrays: what lies between those that are read is not fetched, which takes a look at the plane and at the
// place in it together.
void pairs(int p, int m, int n, const Pair a[static const restrict p][m][n], float b[static const restrict p][m][n]) {
#pragma scop
    for (int i = 1; i < p - 1; i++)
        for (int j = 1; j < m - 1; j++)
            for (int k = 1; k < n - 1; k++)
                b[i][j][k] = a[i - 1][j][k].v[0] + a[i + 1][j][k].v[1] + a[i][j - 1][k].w + a[i][j + 1][k].v[0] + a[i][j][k].v[1];
#pragma endscop
}

// A loop over time, three counters downwards.
void downwards(int steps, int p, int m, int n, double a[static const restrict p][m][n], double b[static const restrict p][m][n]) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = p - 2; i > 0; i--)
            for (int j = m - 2; j > 0; j--)
                for (int k = n - 2; k > 0; k--)
                    b[i][j][k] = a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] + a[i][j][k - 1] + a[i][j][k + 1];
        for (int i = p - 2; i > 0; i--)
            for (int j = m - 2; j > 0; j--)
                for (int k = n - 2; k > 0; k--)
                    a[i][j][k] = b[i - 1][j][k] + b[i + 1][j][k] + b[i][j - 1][k] + b[i][j + 1][k] + b[i][j][k - 1] + b[i][j][k + 1];
    }
#pragma endscop
}

// Steps that take turns, by a condition on the step and by an index.
void in_turn(int steps, int p, int m, int n, float a[static const restrict p][m][n], float b[static const restrict p][m][n]) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        if (t % 2 == 0) {
            for (int i = 1; i < p - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    for (int k = 1; k < n - 1; k++)
                        b[i][j][k] = 0.5f * a[i][j][k] + 0.25f * (a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] + a[i][j][k - 1] + a[i][j][k + 1]);
        } else {
            for (int i = 1; i < p - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    for (int k = 1; k < n - 1; k++)
                        a[i][j][k] = 0.5f * b[i][j][k] + 0.25f * (b[i - 1][j][k] + b[i + 1][j][k] + b[i][j - 1][k] + b[i][j + 1][k] + b[i][j][k - 1] + b[i][j][k + 1]);
        }
    }
#pragma endscop
}

void by_index(int steps, int p, int m, int n, float a[static const restrict 2][p][m][n]) {
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < p - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    a[(t + 1) % 2][i][j][k] = 0.5f * a[t % 2][i][j][k] + 0.25f * (a[t % 2][i - 1][j][k] + a[t % 2][i + 1][j][k] + a[t % 2][i][j - 1][k] + a[t % 2][i][j + 1][k] + a[t % 2][i][j][k - 1] + a[t % 2][i][j][k + 1]);
#pragma endscop
}
