// sizes: m=0,1,33 n=0,2,35 lag=0,3 b=2 h=0,9 w=1,16
// Loops that meet behind a mirror, a fold in front of windows that are loops, or by the numbers of every second value.
#include <math.h>
#include <pencil.h>

#pragma STDC FP_CONTRACT OFF
/* listing 1 */
void l1(int m, int n, float bias, float a[restrict const static m][n], float pool[restrict const static m / 2][n / 2]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = a[i][j] + bias;
    for (int i = 0; i < m / 2; i++)
        for (int j = 0; j < n / 2; j++)
            pool[i][j] = fmaxf(fmaxf(a[2 * i][2 * j], a[2 * i][2 * j + 1]), fmaxf(a[2 * i + 1][2 * j], a[2 * i + 1][2 * j + 1]));
#pragma endscop
}
/* listing 2: as fused by hand */
void l2(int m, int n, float bias, float a[restrict const static m][n], float pool[restrict const static m / 2][n / 2]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            a[i][j] = a[i][j] + bias;
            if ((i + 1) % 2 == 0 && (j + 1) % 2 == 0)
                pool[(i - 1) / 2][(j - 1) / 2] = fmaxf(fmaxf(a[i - 1][j - 1], a[i][j - 1]), fmaxf(a[i - 1][j], a[i][j]));
        }
#pragma endscop
}
/* window as loops, mean */
void pool_loops(int m, int n, float bias, float a[restrict const static 2 * m][2 * n], float pool[restrict const static m][n]) {
#pragma scop
    for (int i = 0; i < 2 * m; i++)
        for (int j = 0; j < 2 * n; j++)
            a[i][j] = a[i][j] + bias;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float s = 0.0f;
            for (int k = 0; k < 2; k++)
                for (int l = 0; l < 2; l++)
                    s += a[2 * i + k][2 * j + l];
            pool[i][j] = 0.25f * s;
        }
#pragma endscop
}
/* max by builtin-like conditional, loops */
void pool_max(int m, int n, float bias, float a[restrict const static 2 * m][2 * n], float pool[restrict const static m][n]) {
#pragma scop
    for (int i = 0; i < 2 * m; i++)
        for (int j = 0; j < 2 * n; j++)
            a[i][j] = a[i][j] + bias;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float best = a[2 * i][2 * j];
            for (int k = 0; k < 2; k++)
                for (int l = 0; l < 2; l++)
                    if (a[2 * i + k][2 * j + l] > best)
                        best = a[2 * i + k][2 * j + l];
            pool[i][j] = best;
        }
#pragma endscop
}
/* step loops */
void pool_step(int m, int n, float bias, float a[restrict const static 2 * m][2 * n], float pool[restrict const static m][n]) {
#pragma scop
    for (int i = 0; i < 2 * m; i++)
        for (int j = 0; j < 2 * n; j++)
            a[i][j] = a[i][j] + bias;
    for (int i = 0; i < 2 * m; i += 2)
        for (int j = 0; j < 2 * n; j += 2)
            pool[i / 2][j / 2] = fmaxf(fmaxf(a[i][j], a[i][j + 1]), fmaxf(a[i + 1][j], a[i + 1][j + 1]));
#pragma endscop
}
/* nhwc */
void pool_nhwc(int m, int n, float bias, float a[restrict const static 2 * m][2 * n][8], float pool[restrict const static m][n][8]) {
#pragma scop
    for (int i = 0; i < 2 * m; i++)
        for (int j = 0; j < 2 * n; j++)
            for (int c = 0; c < 8; c++)
                a[i][j][c] = fmaxf(a[i][j][c] + bias, 0.0f);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int c = 0; c < 8; c++)
                pool[i][j][c] = fmaxf(fmaxf(a[2 * i][2 * j][c], a[2 * i][2 * j + 1][c]), fmaxf(a[2 * i + 1][2 * j][c], a[2 * i + 1][2 * j + 1][c]));
#pragma endscop
}
/* with a local in between that is not wanted afterwards */
void pool_local(int m, int n, float bias, const float a[restrict const static 2 * m][2 * n], float pool[restrict const static m][n]) {
#pragma scop
    float t[2 * m][2 * n];
    for (int i = 0; i < 2 * m; i++)
        for (int j = 0; j < 2 * n; j++)
            t[i][j] = a[i][j] + bias;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            pool[i][j] = fmaxf(fmaxf(t[2 * i][2 * j], t[2 * i][2 * j + 1]), fmaxf(t[2 * i + 1][2 * j], t[2 * i + 1][2 * j + 1]));
#pragma endscop
}
/* pooled twice */
void pool_twice(int n, float a[restrict const static 4 * n], float b[restrict const static 2 * n], float c[restrict const static n]) {
#pragma scop
    for (int i = 0; i < 4 * n; i++)
        a[i] = a[i] * 2.0f;
    for (int i = 0; i < 2 * n; i++)
        b[i] = a[2 * i] + a[2 * i + 1];
    for (int i = 0; i < n; i++)
        c[i] = b[2 * i] + b[2 * i + 1];
#pragma endscop
}
/* an init, then += windows */
void pool_init(int m, int n, float bias, float a[restrict const static 2 * m][2 * n], float pool[restrict const static m][n]) {
#pragma scop
    for (int i = 0; i < 2 * m; i++)
        for (int j = 0; j < 2 * n; j++)
            a[i][j] += bias;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            pool[i][j] = 0.0f;
            for (int k = 0; k < 2; k++)
                for (int l = 0; l < 2; l++)
                    pool[i][j] += a[2 * i + k][2 * j + l];
        }
#pragma endscop
}
/* windows from ends */
void win_ends(int m, float bias, float a[restrict const static 2 * m], float pool[restrict const static m]) {
#pragma scop
    for (int i = 0; i < 2 * m; i++)
        a[i] += bias;
    for (int i = 0; i < m; i++) {
        float s = 0.0f;
        for (int k = 2 * i; k < 2 * i + 2; k++)
            s += a[k];
        pool[i] = s;
    }
#pragma endscop
}
/* reduction pragma inside */
void pool_marked(int m, int n, float bias, float a[restrict const static 2 * m][2 * n], float pool[restrict const static m][n]) {
#pragma scop
    for (int i = 0; i < 2 * m; i++)
        for (int j = 0; j < 2 * n; j++)
            a[i][j] = a[i][j] + bias;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float s = 0.0f;
#pragma pencil independent reduction(+: s)
            for (int k = 0; k < 2; k++)
                for (int l = 0; l < 2; l++)
                    s += a[2 * i + k][2 * j + l];
            pool[i][j] = 0.25f * s;
        }
#pragma endscop
}
/* mirrored */
void mirror(int n, const float a[restrict const static n], float b[restrict const static n], float c[restrict const static n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2.0f;
    for (int i = 0; i < n; i++)
        c[i] = b[n - 1 - i] + 1.0f;
#pragma endscop
}
/* mirrored picture */
void flip(int m, int n, const float a[restrict const static m][n], float b[restrict const static m][n], float c[restrict const static m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = a[i][j] * 2.0f;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            c[i][n - 1 - j] = b[i][j] + 1.0f;
#pragma endscop
}
void rot(int m, int n, const float a[restrict const static m][n], float b[restrict const static m][n], float c[restrict const static n][m]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = a[i][j] * 2.0f;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[i][j] = b[m - 1 - j][i] + 1.0f;
#pragma endscop
}
void up2(int m, int n, const float a[restrict const static m][n], float b[restrict const static m][n], float c[restrict const static 2 * m][2 * n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = a[i][j] * 2.0f;
    for (int i = 0; i < 2 * m; i++)
        for (int j = 0; j < 2 * n; j++)
            c[i][j] = b[i / 2][j / 2];
#pragma endscop
}
void evenodd(int n, const float a[restrict const static 2 * n], float b[restrict const static 2 * n], float c[restrict const static n], float d[restrict const static n]) {
#pragma scop
    for (int i = 0; i < 2 * n; i++)
        b[i] = a[i] * 2.0f;
    for (int i = 0; i < n; i++)
        c[i] = b[2 * i];
    for (int i = 0; i < n; i++)
        d[i] = b[2 * i + 1];
#pragma endscop
}
void interleave(int n, const float a[restrict const static n], float b[restrict const static n], float e[restrict const static n], float c[restrict const static 2 * n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2.0f;
    for (int i = 0; i < n; i++)
        e[i] = a[i] * 3.0f;
    for (int i = 0; i < n; i++)
        c[2 * i] = b[i];
    for (int i = 0; i < n; i++)
        c[2 * i + 1] = e[i];
#pragma endscop
}
void chain4(int n, const float a[restrict const static n], float b[restrict const static n], float c[restrict const static n + 1], float d[restrict const static n + 2], float e[restrict const static n + 3]) {
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2.0f;
    for (int i = 1; i <= n; i++)
        c[i] = b[i - 1] + 1.0f;
    for (int i = 2; i <= n + 1; i++)
        d[i] = c[i - 1] + 1.0f;
    for (int i = 3; i <= n + 2; i++)
        e[i] = d[i - 1] + b[i - 3];
#pragma endscop
}
void chain_scaled(int n, const float a[restrict const static 2 * n + 2], float b[restrict const static 2 * n + 2], float c[restrict const static n], float d[restrict const static n + 1]) {
#pragma scop
    for (int i = 0; i < 2 * n; i++)
        b[i] = a[i] * 2.0f;
    for (int i = 0; i < n; i++)
        c[i] = b[2 * i] + 1.0f;
    for (int i = 1; i <= n; i++)
        d[i] = c[i - 1] + b[2 * i - 1];
#pragma endscop
}
void cond_if(int n, const float a[restrict const static n], float b[restrict const static n], float c[restrict const static n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2.0f;
    for (int i = 0; i < n; i++)
        if (i >= 1)
            c[i] = b[i - 1];
        else
            c[i] = 0.0f;
#pragma endscop
}
void sum_of_pairs(int n, const float a[restrict const static 2 * n], float b[restrict const static 2 * n], float p[restrict static 1]) {
#pragma scop
    float s = 0.0f;
    for (int i = 0; i < 2 * n; i++)
        b[i] = a[i] + 1.0f;
#pragma pencil independent reduction(+: s)
    for (int i = 0; i < n; i++)
        s += b[2 * i] * b[2 * i + 1];
    *p = s;
#pragma endscop
}
/* sum of every other one */
void sum_of_even(int n, const float a[restrict const static 2 * n], float b[restrict const static 2 * n], float p[restrict static 1]) {
#pragma scop
    float s = 0.0f;
    for (int i = 0; i < 2 * n; i++)
        b[i] = a[i] + 1.0f;
#pragma pencil independent reduction(+: s)
    for (int i = 0; i < n; i++)
        s += b[2 * i];
    *p = s;
#pragma endscop
}
/* rows */
void rows_then_next(int m, int n, const float a[restrict const static m][n], float b[restrict const static m], float c[restrict const static m + 1]) {
#pragma scop
    for (int i = 0; i < m; i++) {
        float s = 0.0f;
#pragma pencil independent reduction(+: s)
        for (int j = 0; j < n; j++)
            s += a[i][j];
        b[i] = s;
    }
    for (int i = 1; i <= m; i++)
        c[i] = b[i - 1] * 2.0f;
#pragma endscop
}
/* shift of the reduced row */
void shifted_columns(int m, int n, const float a[restrict const static m][n], float b[restrict const static m][n], float c[restrict const static m]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = a[i][j] * 2.0f;
    for (int i = 0; i < m; i++) {
        float s = 0.0f;
#pragma pencil independent reduction(+: s)
        for (int j = 1; j < n; j++)
            s += b[i][j - 1];
        c[i] = s;
    }
#pragma endscop
}
void lagp(int n, int lag, const float a[restrict const static n], float b[restrict const static n], float c[restrict const static n]) {
#pragma scop
    __pencil_assume(lag >= 0);
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2.0f;
    for (int i = lag; i < n; i++)
        c[i] = b[i - lag] + 1.0f;
#pragma endscop
}
/* nchw batch */
void nchw(int b, int h, int w, const float bias[restrict const static 3], float a[restrict const static b][3][2 * h][2 * w], float pool[restrict const static b][3][h][w]) {
#pragma scop
    for (int s = 0; s < b; s++)
      for (int c = 0; c < 3; c++)
        for (int i = 0; i < 2 * h; i++)
            for (int j = 0; j < 2 * w; j++) {
                a[s][c][i][j] += bias[c];
                a[s][c][i][j] = a[s][c][i][j] > 0.0f ? a[s][c][i][j] : 0.0f;
            }
    for (int s = 0; s < b; s++)
      for (int c = 0; c < 3; c++)
        for (int i = 0; i < h; i++)
            for (int j = 0; j < w; j++)
                pool[s][c][i][j] = fmaxf(fmaxf(a[s][c][2 * i][2 * j], a[s][c][2 * i][2 * j + 1]), fmaxf(a[s][c][2 * i + 1][2 * j], a[s][c][2 * i + 1][2 * j + 1]));
#pragma endscop
}
/* mirrored pairs: what a thread does lies at the other end */
void mirrored_pairs(int n, float x[restrict const static 2 * n], float d[restrict const static n]) {
#pragma scop
    for (int i = 0; i < 2 * n; i++)
        x[i] = x[i] * 2.0f;
    for (int i = 0; i < n; i++)
        d[i] = x[2 * n - 1 - 2 * i] - x[2 * n - 2 - 2 * i];
#pragma endscop
}
/* a sum of what is mirrored */
float mirrored_sum(int n, const float a[restrict const static n], float b[restrict const static n]) {
    float s = 0.0f;
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i] + 1.0f;
#pragma pencil independent reduction(+: s)
    for (int i = 0; i < n; i++)
        s += b[n - 1 - i] * (i % 3);
#pragma endscop
    return s;
}
/* every third one from 1 on, by the step of the loop, in a loop over time */
void stepped_in_time(int lag, int n, float a[restrict const static n], float c[restrict const static n]) {
#pragma scop
    for (int t = 0; t < lag; t++) {
        for (int i = 0; i < n; i++)
            a[i] = 0.5f * a[i] + 1.0f;
        for (int i = 1; i < n - 1; i += 3)
            c[i] = a[i - 1] + a[i] + a[i + 1];
    }
#pragma endscop
}
/* a window of a whole row is none */
void long_windows(int m, int n, float a[restrict const static 2 * m][n], float c[restrict const static m]) {
#pragma scop
    for (int i = 0; i < 2 * m; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = a[i][j] + 1.0f;
    for (int i = 0; i < m; i++) {
        c[i] = 0.0f;
        for (int j = 0; j < n; j++)
            c[i] = 0.5f * c[i] + a[2 * i][j] * a[2 * i + 1][j];
    }
#pragma endscop
}
