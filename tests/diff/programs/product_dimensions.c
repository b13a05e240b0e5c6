// sizes: n=1,2,5 g=1,3 c=1,2,4 o=1,3 h=1,5 w=1,6
// Dimensions whose extent is a product: groups of channels, heads of a row.
#include <pencil.h>
#include <stddef.h>

static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }

/* A convolution with 3 x 3 weights in groups of channels. */
void grouped(int n, int g, int c, int o, int h, int w, const float x[static const restrict n][g * c][h][w],
             const float k[static const restrict g * o][c][3][3], const float bias[static const restrict g * o],
             float y[static const restrict n][g * o][h][w]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int gi = 0; gi < g; gi++)
            for (int oi = 0; oi < o; oi++)
                for (int a = 0; a < h; a++)
                    for (int b = 0; b < w; b++) {
                        float s;
                        __pencil_reduction_var_init(&s, zero);
                        for (int ci = 0; ci < c; ci++)
                            for (int p = 0; p < 3; p++)
                                for (int q = 0; q < 3; q++)
                                    if (a + p >= 1 && a + p <= h && b + q >= 1 && b + q <= w)
                                        __pencil_reduction(&s, x[i][gi * c + ci][a + p - 1][b + q - 1] *
                                                           k[gi * o + oi][ci][p][q], add);
                        y[i][gi * o + oi][a][b] = s + bias[gi * o + oi];
                    }
#pragma endscop
}

/* Scores of heads: each has `c` values of a row. */
void heads(int n, int g, int c, const float q[static const restrict n][g * c], const float k[static const restrict n][g * c],
           float r[static const restrict n][n * g]) {
#pragma scop
    for (int t = 0; t < n; t++)
        for (size_t hd = 0; hd < g; hd++)
            for (int u = 0; u < n; u++) {
                float s;
                __pencil_reduction_var_init(&s, zero);
                for (int i = 0; i < c; i++)
                    __pencil_reduction(&s, q[t][hd * c + i] * k[u][hd * c + i], add);
                r[t][u * g + hd] = s;
            }
#pragma endscop
}

/* Neighbours that leave their group, and a write that does. */
void left(int n, int g, int c, int a[static const restrict n][g * c], int b[static const restrict n][g * c]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < g; j++)
            for (int k = 0; k < c; k++)
                if (j < g - 1 || k < c - 1)
                    b[i][j * c + k] = a[i][j * c + k] + a[i][j * c + k + 1];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < g; j++)
            for (int k = 0; k < c; k++)
                if (j < g - 1 || k < c - 1)
                    a[i][j * c + k + 1] = 2 * a[i][j * c + k] + b[i][j * c + k];
#pragma endscop
}

/* Rows by another size, and by a product of counters, beside those of the array. */
void others(int g, int c, int o, int a[static const restrict g * c], int b[static const restrict g * c]) {
#pragma scop
    for (int i = 0; i < g; i++)
        for (int j = 0; j < c; j++)
            b[i * c + j] = a[i * c + j] + 1;
    for (int i = 0; i < g; i++)
        for (int j = 0; j < o; j++)
            if (i * o + j < g * c)
                a[i * o + j] += b[i * o + j];
    for (int i = 0; i < g; i++)
        for (int j = 0; j < c; j++)
            b[i * j] = b[i * j] + a[i * c + j];
#pragma endscop
}

/* A first dimension, and rows of members. */
typedef struct { float re, im; } Pair;

void members(int g, int c, int w, Pair a[static const restrict g * c][w], Pair b[static const restrict g * c][w]) {
#pragma scop
    for (int i = 0; i < g; i++)
        for (int j = 0; j < c; j++)
            for (int k = 0; k < w; k++) {
                b[i * c + j][k].re = a[i * c + (c - 1 - j)][k].im;
                b[i * c + j][k].im = 2 * a[i * c + j][w - 1 - k].re;
            }
#pragma endscop
}

/* Of each iteration. */
void own(int n, int g, const int a[static const restrict n][3 * g], int r[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int t[2][3 * g];
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < g; k++) {
                t[0][j * g + k] = a[i][j * g + k];
                t[1][j * g + k] = a[i][(2 - j) * g + k];
            }
        int s = 0;
        for (int j = 0; j < 3 * g; j++)
            s = 3 * s + t[0][j] - t[1][j];
        r[i] = s;
    }
#pragma endscop
}
