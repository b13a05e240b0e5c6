// Arrays that only order needs, larger than what the caller has: the entry point decides by sizes whether each
// iteration has its own.
// sizes: n=1,5,33 m=1,7,40
#include <pencil.h>
// Declared before the loop.
void before(int n, int m, const float x[restrict static n], const float y[restrict static m], float b[restrict static n]) {
#pragma scop
    float w[m];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) w[j] = x[i] + y[j];
        float s = 0;
        for (int j = 0; j < m; j++) s = s / 2 + w[m - 1 - j];
        b[i] = s;
    }
#pragma endscop
}
// A parameter whose last value is kept.
void kept(int n, int m, const float x[restrict static n], const float y[restrict static m], float b[restrict static n],
          float w[restrict static m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) w[j] = x[i] * y[j];
        float s = 1;
        for (int j = 0; j < m; j++) s = s / 2 + w[m - 1 - j];
        b[i] = s;
    }
#pragma endscop
}
// Two rows, both of which the iterations need for themselves.
void two(int n, int m, const float x[restrict static n], const float y[restrict static m], float b[restrict static n]) {
#pragma scop
    float w[m], v[2 * m];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) w[j] = x[i] + y[j];
        for (int j = 0; j < 2 * m; j++) v[j] = w[j / 2] * 0.5f + j;
        float s = 0;
        for (int j = 0; j < m; j++) s = s / 2 + w[m - 1 - j] + v[2 * m - 1 - j];
        b[i] = s;
    }
#pragma endscop
}
// Two live ranges of one name.
void ranges(int n, int m, const float x[restrict static n], const float y[restrict static m], float b[restrict static n],
            float c[restrict static n]) {
#pragma scop
    float w[m];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) w[j] = x[i] + y[j];
        float s = 0;
        for (int j = 0; j < m; j++) s = s / 2 + w[m - 1 - j];
        b[i] = s;
        for (int j = 0; j < m; j++) w[j] = x[i] - y[j];
        float t = 0;
        for (int j = 0; j < m; j++) t = t / 3 + w[m - 1 - j];
        c[i] = t;
    }
#pragma endscop
}
// Below another loop, one element more than the array of the caller has.
void deep(int n, int m, const float x[restrict static n][m], float b[restrict static n][m]) {
#pragma scop
    float w[m + 1];
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < m; k++) {
            w[m] = x[i][k];
            for (int j = m - 1; j >= 0; j--) w[j] = w[j + 1] / 2 + x[i][j];
            b[i][k] = w[0] + w[m / 2];
        }
    }
#pragma endscop
}
// In two dimensions, in a loop that stays in order.
void planes(int n, int m, int t, const float y[restrict static m], float b[restrict static n]) {
#pragma scop
    __pencil_assume(t == 2);
    float w[4][m];
    for (int k = 0; k < t; k++)
        for (int i = 0; i < n; i++) {
            for (int r = 0; r < 4; r++)
                for (int j = 0; j < m; j++) w[r][j] = b[i] + r * y[j];
            float s = 0;
            for (int j = 0; j < m; j++) s = s / 2 + w[1][m - 1 - j] + w[3][j];
            b[i] = s;
        }
#pragma endscop
}
// A loop backwards, by twos, to a bound that is a sum.
void backwards(int n, int m, const float y[restrict static m], float b[restrict static n + m]) {
#pragma scop
    float w[m];
    for (int i = n + m - 1; i >= 0; i -= 2) {
        for (int j = 0; j < m; j++) w[j] = i + y[j];
        float s = 0;
        for (int j = 0; j < m; j++) s = s / 2 + w[m - 1 - j];
        b[i] = s;
    }
#pragma endscop
}
// The number of iterations differs, so that no parameter tells the memory: in order.
void triangle(int n, int m, const float y[restrict static m], float b[restrict static n][n]) {
#pragma scop
    float w[m];
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++) {
            for (int j = 0; j < m; j++) w[j] = i - k + y[j];
            float s = 0;
            for (int j = 0; j < m; j++) s = s / 2 + w[m - 1 - j];
            b[i][k] = s;
        }
#pragma endscop
}
