// sizes: n=0,1,2,33,300 m=0,1,2,35 lag=0,1,40 steps=0,1,3
// Loops that meet behind a shift, a scaling or a fold, and some that nearly do.
#include <math.h>
#include <pencil.h>

#pragma STDC FP_CONTRACT OFF
/* shift, parallel */
void shift1(int n, const float a[restrict const static n], float b[restrict const static n], float c[restrict const static n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2.0f;
    for (int i = 1; i < n; i++)
        c[i] = b[i - 1] + 1.0f;
#pragma endscop
}
/* scaling, parallel */
void scale1(int n, const float a[restrict const static 2 * n], float b[restrict const static 2 * n], float c[restrict const static n]) {
#pragma scop
    for (int i = 0; i < 2 * n; i++)
        b[i] = a[i] * 2.0f;
    for (int i = 0; i < n; i++)
        c[i] = b[2 * i] + 1.0f;
#pragma endscop
}
/* different lower bounds */
void bounds(int n, const float a[restrict const static n], float b[restrict const static n], float c[restrict const static n]) {
#pragma scop
    for (int i = 1; i < n; i++)
        b[i - 1] = a[i] * 2.0f;
    for (int i = 0; i < n - 1; i++)
        c[i] = b[i] + 1.0f;
#pragma endscop
}
/* reversed */
void reversed(int n, const float a[restrict const static n], float b[restrict const static n], float c[restrict const static n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2.0f;
    for (int i = 0; i < n; i++)
        c[i] = b[n - 1 - i] + 1.0f;
#pragma endscop
}
/* reduction */
#pragma pencil
float reduce(int n, const float a[restrict const static n], float b[restrict const static n]) {
    float s = 0.0f;
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2.0f;
#pragma pencil independent reduction(+: s)
    for (int i = 1; i < n; i++)
        s += b[i - 1] * 3.0f;
#pragma endscop
    return s;
}
void stencil(int n, const float a[restrict const static n], float b[restrict const static n], float c[restrict const static n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2.0f;
    for (int i = 1; i < n - 1; i++)
        c[i] = b[i - 1] + b[i] + b[i + 1];
#pragma endscop
}
void pool(int n, float x[restrict const static 2 * n], float d[restrict const static n]) {
#pragma scop
    for (int i = 0; i < 2 * n; i++)
        x[i] = x[i] + 1.0f;
    for (int i = 0; i < n; i++)
        d[i] = x[2 * i] + x[2 * i + 1];
#pragma endscop
}
void same(int n, const float a[restrict const static n], float b[restrict const static n], float c[restrict const static n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2.0f;
    for (int i = 0; i < n; i++)
        c[i] = b[i] + 1.0f;
#pragma endscop
}
/* producers and consumers that meet behind a shift or a scaling */
void two_d(int n, int m, const float a[restrict const static n][m], float b[restrict const static n][m], float c[restrict const static n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = a[i][j] * 2.0f;
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m - 1; j++)
            c[i][j] = b[i - 1][j + 1] + 1.0f;
#pragma endscop
}
/* transposed and shifted */
void turned(int n, int m, const float a[restrict const static n][m], float b[restrict const static n][m], float c[restrict const static m][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = a[i][j] * 2.0f;
    for (int j = 1; j < m; j++)
        for (int i = 0; i < n; i++)
            c[j][i] = b[i][j - 1] + 1.0f;
#pragma endscop
}
/* subsampled in both */
void subsample(int n, int m, const float a[restrict const static 2 * n][2 * m], float b[restrict const static 2 * n][2 * m], float c[restrict const static n][m]) {
#pragma scop
    for (int i = 0; i < 2 * n; i++)
        for (int j = 0; j < 2 * m; j++)
            b[i][j] = a[i][j] * 2.0f;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[i][j] = b[2 * i][2 * j + 1];
#pragma endscop
}
/* rows: producer elementwise, consumer a row sum of the row before */
void row_before(int n, int m, const float a[restrict const static n][m], float b[restrict const static n][m], float s[restrict const static n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = a[i][j] * 2.0f;
    for (int i = 1; i < n; i++) {
        float t = 0.0f;
#pragma pencil independent reduction(+: t)
        for (int j = 0; j < m; j++)
            t += b[i - 1][j];
        s[i] = t;
    }
#pragma endscop
}
/* a chain of three */
void chain3(int n, const float a[restrict const static n], float b[restrict const static n + 2], float c[restrict const static n + 2], float d[restrict const static n + 4]) {
#pragma scop
    for (int i = 0; i < n; i++)
        b[i + 1] = a[i] * 2.0f;
    for (int i = 2; i < n + 2; i++)
        c[i] = b[i - 1] - 1.0f;
    for (int i = 3; i < n + 3; i++)
        d[i] = c[i - 1] * b[i - 2];
#pragma endscop
}
/* upsampled: every second one from the smaller array */
void upsample(int n, const float a[restrict const static n], float b[restrict const static n], float c[restrict const static 2 * n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2.0f;
    for (int i = 0; i < n; i++)
        c[2 * i] = b[i];
    for (int i = 0; i < 2 * n; i++)
        c[i] = c[i] + 1.0f;
#pragma endscop
}
/* by a parameter */
void by_lag(int n, int lag, const float a[restrict const static n], float b[restrict const static n], float c[restrict const static n]) {
#pragma scop
    __pencil_assume(lag >= 0);
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2.0f;
    for (int i = lag; i < n; i++)
        c[i] = b[i - lag] + 1.0f;
#pragma endscop
}
/* inside of a loop over time */
void in_time(int steps, int n, float a[restrict const static n], float b[restrict const static n]) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n - 1; i++)
            b[i] = a[i] * 0.5f;
        for (int i = 1; i < n; i++)
            a[i] = a[i] + b[i - 1];
    }
#pragma endscop
}
/* reads of the same elements, nothing written between */
void shared_reads(int n, const float a[restrict const static n], float s[restrict const static 1], float t[restrict const static 1]) {
#pragma scop
    float x = 0.0f, y = 0.0f;
#pragma pencil independent reduction(+: x)
    for (int i = 0; i < n - 1; i++)
        x += a[i];
#pragma pencil independent reduction(+: y)
    for (int i = 1; i < n; i++)
        y += a[i - 1] * a[i - 1];
    s[0] = x; t[0] = y;
#pragma endscop
}
/* two loads of one array, differences beside a sum */
void differences(int n, const float a[restrict const static n], float s[restrict const static 1], float t[restrict const static 1]) {
#pragma scop
    float x = 0.0f, y = 0.0f;
#pragma pencil independent reduction(+: x)
    for (int i = 0; i < n - 1; i++)
        x += a[i];
#pragma pencil independent reduction(+: y)
    for (int i = 1; i < n; i++)
        y += a[i] - a[i - 1];
    s[0] = x; t[0] = y;
#pragma endscop
}
/* downwards */
void downward(int n, const float a[restrict const static n], float b[restrict const static n], float c[restrict const static n]) {
#pragma scop
    for (int i = n - 1; i >= 0; i--)
        b[i] = a[i] * 2.0f;
    for (int i = n - 2; i >= 0; i--)
        c[i] = b[i + 1] + 1.0f;
#pragma endscop
}
/* steps */
void by_steps(int n, const float a[restrict const static n], float b[restrict const static n], float c[restrict const static n]) {
#pragma scop
    for (int i = 0; i < n; i += 2)
        b[i] = a[i] * 2.0f;
    for (int i = 1; i < n; i += 2)
        c[i] = b[i - 1] + 1.0f;
#pragma endscop
}
/* a histogram of what was shifted */
void counts(int n, const int a[restrict const static n], int b[restrict const static n], int h[restrict const static 16]) {
#pragma scop
    for (int i = 0; i < 16; i++) h[i] = 0;
    for (int i = 0; i < n; i++)
        b[i] = a[i] & 15;
    for (int i = 1; i < n; i++)
        h[b[i - 1] & 15] += 1;
#pragma endscop
}
/* far away, guarded */
void far(int n, const float a[restrict const static n], float b[restrict const static n], float c[restrict const static n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2.0f;
    for (int i = 0; i < n; i++)
        if (i >= 1000) c[i] = b[i - 1000] + 1.0f; else c[i] = 0.0f;
#pragma endscop
}
void near(int n, const float a[restrict const static n], float b[restrict const static n], float c[restrict const static n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2.0f;
    for (int i = 0; i < n; i++)
        if (i >= 3) c[i] = b[i - 3] + 1.0f; else c[i] = 0.0f;
#pragma endscop
}
void listing1(int m, int n, float bias, float a[restrict const static m][n], float pool[restrict const static m / 2][n / 2]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = a[i][j] + bias;
    for (int i = 0; i < m / 2; i++)
        for (int j = 0; j < n / 2; j++)
            pool[i][j] = fmaxf(fmaxf(a[2 * i][2 * j], a[2 * i][2 * j + 1]), fmaxf(a[2 * i + 1][2 * j], a[2 * i + 1][2 * j + 1]));
#pragma endscop
}

/* windows that overlap: three values each, two apart */
void overlapping(int n, float x[restrict const static 2 * n + 1], float d[restrict const static n]) {
#pragma scop
    for (int i = 0; i < 2 * n + 1; i++)
        x[i] = x[i] + 1.0f;
    for (int i = 0; i < n; i++)
        d[i] = x[2 * i] + x[2 * i + 1] + x[2 * i + 2];
#pragma endscop
}
/* windows that begin one further */
void from_one(int n, float x[restrict const static 3 * n + 2], float d[restrict const static n]) {
#pragma scop
    for (int i = 0; i < 3 * n + 2; i++)
        x[i] = x[i] * 0.5f;
    for (int i = 0; i < n; i++)
        d[i] = x[3 * i + 1] + x[3 * i + 2] + x[3 * i + 3];
#pragma endscop
}
/* channels around the windows, a loop that goes on behind them */
void channels(int n, int m, float a[restrict const static 3][2 * n][2 * m], float d[restrict const static 3][n][m], float e[restrict const static 3][2 * n][2 * m]) {
#pragma scop
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < 2 * n; i++)
            for (int j = 0; j < 2 * m; j++)
                a[c][i][j] = fmaxf(a[c][i][j], 0.0f);
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                d[c][i][j] = 0.25f * (a[c][2 * i][2 * j] + a[c][2 * i][2 * j + 1] + a[c][2 * i + 1][2 * j] + a[c][2 * i + 1][2 * j + 1]);
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < 2 * n; i++)
            for (int j = 0; j < 2 * m; j++)
                e[c][i][j] = a[c][i][j] + 1.0f;
#pragma endscop
}
/* the mean of what was pooled */
float pooled_sum(int n, float x[restrict const static 2 * n], float d[restrict const static n]) {
    float s = 0.0f;
#pragma scop
    for (int i = 0; i < 2 * n; i++)
        x[i] = x[i] + 1.0f;
    for (int i = 0; i < n; i++)
        d[i] = x[2 * i] + x[2 * i + 1];
#pragma pencil independent reduction(+: s)
    for (int i = 0; i < n; i++)
        s += d[i];
#pragma endscop
    return s;
}
/* each value for two, by a quotient */
void doubled(int n, const float a[restrict const static n], float b[restrict const static n], float c[restrict const static 2 * n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2.0f;
    for (int i = 0; i < 2 * n; i++)
        c[i] = b[i / 2] + 1.0f;
#pragma endscop
}
/* in a loop over time: what is pooled is added to the next step */
void pooled_in_time(int steps, int n, float x[restrict const static 2 * n], float d[restrict const static n]) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < 2 * n; i++)
            x[i] = x[i] * 0.5f + (float)t;
        for (int i = 0; i < n; i++)
            d[i] = d[i] + x[2 * i] * x[2 * i + 1];
    }
#pragma endscop
}
/* a shift in each step */
void lag_in_time(int steps, int n, float x[restrict const static n + 1], float y[restrict const static n + 1]) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            x[i] = x[i] * 0.5f + (float)t;
        for (int i = 1; i < n + 1; i++)
            y[i] = y[i] + x[i - 1];
    }
#pragma endscop
}
/* so far apart that few iterations of the one are some of the other */
void rarely(int n, const float a[restrict const static 100 * n], float b[restrict const static 100 * n], float c[restrict const static n]) {
#pragma scop
    for (int i = 0; i < 100 * n; i++)
        b[i] = a[i] * 2.0f;
    for (int i = 0; i < n; i++)
        c[i] = b[100 * i + 7] + 1.0f;
#pragma endscop
}
/* a blur, rows and columns, and its sum */
float blurred(int n, int m, const float a[restrict const static n][m], float b[restrict const static n][m], float c[restrict const static n][m]) {
    float s = 0.0f;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m - 1; j++)
            b[i][j] = a[i][j - 1] + a[i][j] + a[i][j + 1];
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            c[i][j] = b[i - 1][j] + b[i][j] + b[i + 1][j];
#pragma pencil independent reduction(+: s)
    for (int i = 1; i < n - 1; i++)
#pragma pencil independent reduction(+: s)
        for (int j = 1; j < m - 1; j++)
            s += c[i][j];
#pragma endscop
    return s;
}
/* a softmax of the row before */
void normed_before(int n, int m, float a[restrict const static n][m], float y[restrict const static n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = a[i][j] * 0.5f;
    for (int i = 1; i < n; i++) {
        float most = -1e30f;
        for (int j = 0; j < m; j++)
            most = fmaxf(most, a[i - 1][j]);
        for (int j = 0; j < m; j++)
            y[i][j] = a[i - 1][j] - most;
    }
#pragma endscop
}
/* backwards: nothing is moved */
void against(int n, const float a[restrict const static n], float b[restrict const static n], float c[restrict const static n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2.0f;
    for (int i = 0; i < n - 1; i++)
        c[i] = b[n - 1 - i] + b[i + 1];
#pragma endscop
}
/* what is overwritten behind its reader: the second loop comes one later */
void overwritten(int n, float a[restrict const static n + 1], float c[restrict const static n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        c[i] = a[i + 1] * 2.0f;
    for (int i = 1; i < n + 1; i++)
        a[i] = 0.5f * (float)i;
#pragma endscop
}
