// Convolutions whose border is padding, as people write it: what lies outside of the picture is left out, or stands for
// a value. The channels make tiles of them.
// sizes: c=3 h=1,3 w=1,2,40 k=34 n=0,2
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

// Conditions on places that have names; in the order of the source, since nobody says that floats may be reordered.
void same(int c, int h, int w, int k, const float x[static const restrict c][h][w],
          const float f[static const restrict k][c][3][3], const float bias[static const restrict k],
          float y[static const restrict k][h][w]) {
#pragma scop
    for (int o = 0; o < k; o++)
        for (int i = 0; i < h; i++)
            for (int j = 0; j < w; j++) {
                float s = bias[o];
                for (int d = 0; d < c; d++)
                    for (int r = 0; r < 3; r++)
                        for (int q = 0; q < 3; q++) {
                            int a = i + r - 1, b = j + q - 1;
                            if (a >= 0 && a < h && b >= 0 && b < w) s += x[d][a][b] * f[o][d][r][q];
                        }
                y[o][i][j] = s > 0 ? s : 0;
            }
#pragma endscop
}

// Rows and columns are skipped; strides, and channels last.
void skipped(int n, int c, int h, int w, int k, const int x[static const restrict n][2 * h][2 * w][c],
             const int f[static const restrict 3][3][c][k], int y[static const restrict n][h][w][k]) {
#pragma scop
    for (int p = 0; p < n; p++)
        for (int i = 0; i < h; i++)
            for (int j = 0; j < w; j++)
                for (int o = 0; o < k; o++) {
                    int s = 0;
                    for (int r = 0; r < 3; r++) {
                        int a = 2 * i + r - 1;
                        if (a < 0 || a >= 2 * h) continue;
                        for (int q = 0; q < 3; q++) {
                            int b = 2 * j + q - 1;
                            if (b < 0 || b >= 2 * w) continue;
                            for (int d = 0; d < c; d++) s += x[p][a][b][d] * f[r][q][d][o];
                        }
                    }
                    y[p][i][j][o] = s;
                }
#pragma endscop
}

// What lies outside stands for a value, which is added like any other.
void filled(int c, int h, int w, int k, const int x[static const restrict c][h][w],
            const int f[static const restrict k][c][3][3], int y[static const restrict k][h][w],
            int z[static const restrict k][h][w]) {
#pragma scop
    for (int o = 0; o < k; o++)
        for (int i = 0; i < h; i++)
            for (int j = 0; j < w; j++) {
                y[o][i][j] = 0;
                for (int d = 0; d < c; d++)
                    for (int r = -1; r <= 1; r++)
                        for (int q = -1; q <= 1; q++) {
                            int v = i + r >= 0 && i + r < h && j + q >= 0 && j + q < w ? x[d][i + r][j + q] : 3;
                            y[o][i][j] += v * f[o][d][r + 1][q + 1];
                        }
            }
    for (int o = 0; o < k; o++)
        for (int i = 0; i < h; i++)
            for (int j = 0; j < w; j++) {
                int s = 0;
                for (int d = 0; d < c; d++)
                    for (int r = 0; r < 3; r++)
                        for (int q = 0; q < 3; q++) {
                            int v = -7;
                            if (i + r >= 1 && i + r <= h && j + q >= 1 && j + q <= w) v = x[d][i + r - 1][j + q - 1];
                            s ^= v + f[o][d][r][q];
                        }
                z[o][i][j] = s;
            }
#pragma endscop
}

// The border is repeated.
void clamped(int c, int h, int w, int k, const float x[static const restrict c][h][w],
             const float f[static const restrict k][c][3][3], float y[static const restrict k][h][w]) {
#pragma scop
    for (int o = 0; o < k; o++)
        for (int i = 0; i < h; i++)
            for (int j = 0; j < w; j++) {
                __pencil_reduction_var_init(&y[o][i][j], zero);
                for (int d = 0; d < c; d++)
                    for (int r = 0; r < 3; r++)
                        for (int q = 0; q < 3; q++) {
                            const int a = clamp(i + r - 1, 0, h - 1);
                            const int b = clamp(j + q - 1, 0, w - 1);
                            __pencil_reduction(&y[o][i][j], x[d][a][b] * f[o][d][r][q], add);
                        }
            }
#pragma endscop
}

// Ends of loops instead of conditions.
void shortened(int c, int h, int w, int k, const int x[static const restrict c][h][w],
               const int f[static const restrict k][c][3][3], int y[static const restrict k][h][w]) {
#pragma scop
    for (int o = 0; o < k; o++)
        for (int i = 0; i < h; i++)
            for (int j = 0; j < w; j++) {
                int s = 0;
                for (int d = 0; d < c; d++)
                    for (int r = max(0, 1 - i); r < min(3, h + 1 - i); r++)
                        for (int q = j == 0 ? 1 : 0; q < (j == w - 1 ? 2 : 3); q++)
                            s += x[d][i + r - 1][j + q - 1] * f[o][d][r][q];
                y[o][i][j] = s;
            }
#pragma endscop
}

// What came before, and nothing else; the least of sums.
void causal(int c, int w, int k, const int x[static const restrict w][c], const int f[static const restrict 4][c][k],
            int y[static const restrict w][k], int least[static const restrict w][k]) {
#pragma scop
    for (int t = 0; t < w; t++)
        for (int o = 0; o < k; o++) {
            int s = 0, m = 1 << 30;
            for (int r = 0; r < 4; r++)
                if (t - r >= 0)
                    for (int d = 0; d < c; d++) {
                        s += x[t - r][d] * f[r][d][o];
                        int v = (x[t - r][d] & 1023) + (f[r][d][o] & 1023);
                        if (v < m) m = v;
                    }
            y[t][o] = s;
            least[t][o] = m;
        }
#pragma endscop
}

// By the weights: what is shared are channels of both sides.
void gradient(int n, int c, int h, int w, int k, const int x[static const restrict n][c][h][w],
              const int g[static const restrict n][k][h][w], int df[static const restrict k][17 + c][3][3]) {
#pragma scop
    for (int o = 0; o < k; o++)
        for (int d = 0; d < 17 + c; d++)
            for (int r = 0; r < 3; r++)
                for (int q = 0; q < 3; q++) {
                    int s = 0;
                    for (int p = 0; p < n; p++)
                        for (int i = 0; i < h; i++)
                            for (int j = 0; j < w; j++) {
                                int a = i + r - 1, b = j + q - 1;
                                if (a >= 0 && a < h && b >= 0 && b < w) s += x[p][d % c][a][b] * g[p][o][i][j];
                            }
                    df[o][d][r][q] = s;
                }
#pragma endscop
}

// Data decide, too.
void masked(int c, int h, int w, int k, const float x[static const restrict c][h][w],
            const float f[static const restrict k][c][3][3], const unsigned char mask[static const restrict c][h][w],
            float y[static const restrict k][h][w]) {
#pragma scop
    for (int o = 0; o < k; o++)
        for (int i = 0; i < h; i++)
            for (int j = 0; j < w; j++) {
                float s = 0;
                for (int d = 0; d < c; d++)
                    for (int r = 0; r < 3; r++)
                        for (int q = 0; q < 3; q++) {
                            int a = i + r - 1, b = j + q - 1;
                            if (a < 0 || a >= h || b < 0 || b >= w) continue;
                            if (mask[d][a][b] & 1) s += x[d][a][b] * f[o][d][r][q];
                        }
                y[o][i][j] = s;
            }
#pragma endscop
}

// What only one of two sums has.
void two_sums(int n, int w, const int x[static const restrict w][w], const int f[static const restrict w][w],
              int y[static const restrict w][w]) {
#pragma scop
    for (int i = 0; i < w; i++)
        for (int j = 0; j < w; j++) {
            int s = n, t = 0;
            for (int d = 0; d < w && d <= i + 31; d++) {
                s += x[i][d] * f[d][j];
                if (d < i + 31) t += f[d][j];
            }
            y[i][j] = s ^ t;
        }
#pragma endscop
}

// Places before the first one, of rows.
void before(int w, const int x[static const restrict w][w], const int f[static const restrict w][w],
            int z[static const restrict w][w]) {
#pragma scop
    for (int i = 0; i < w; i++)
        for (int j = 0; j < w; j++) {
            int s = 0;
            for (int d = 0; d < w; d++) s += (d > 0 ? x[i][d - 1] : 5) * f[d][j];
            z[i][j] = s;
        }
#pragma endscop
}

// The nearest template of each picture, by all of its places in order.
void nearest(int c, int h, int w, int k, const float x[static const restrict k + 3][c][h][w],
             const float f[static const restrict k][c][h][w], float least[static const restrict k + 3]) {
#pragma scop
    for (int p = 0; p < k + 3; p++) {
        float best = 1e30f;
        for (int o = 0; o < k; o++) {
            float s = 0;
            for (int d = 0; d < c; d++)
                for (int i = 0; i < h; i++)
                    for (int j = 0; j < w; j++) s += (x[p][d][i][j] - f[o][d][i][j]) * (x[p][d][i][j] - f[o][d][i][j]);
            if (s < best) best = s;
        }
        least[p] = best;
    }
#pragma endscop
}

// What comes of each place depends on all before it.
void in_turn(int c, int w, int k, const float x[static const restrict w][c][3], const float f[static const restrict k][c][3],
             float y[static const restrict w][k]) {
#pragma scop
    for (int i = 0; i < w; i++)
        for (int o = 0; o < k; o++) {
            float s = 1;
            for (int d = 0; d < c; d++)
                for (int r = 0; r < 3; r++) s = s * 0.5f + x[i][d][r] * f[o][d][r];
            y[i][o] = s;
        }
#pragma endscop
}
