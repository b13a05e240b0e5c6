// Which row the threads of a warp lie along: loops in any order over arrays in any, short rows, members, flat arrays.
// sizes: n=1,9,33 m=2,40 p=3 t=2
#include <pencil.h>
typedef struct { float x, y; } V;
typedef struct { int x, y; } P;
// Column walk.
void column(int n, int m, float a[restrict static n][m]) {
#pragma scop
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
      a[j][i] = a[j][i] * 2.0f + 1.0f;
#pragma endscop
}
// Several statements, loops the wrong way, one nest.
void column2(int n, int m, float a[restrict static n][m], float b[restrict static n][m]) {
#pragma scop
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
      a[j][i] = a[j][i] * 2.0f;
      b[j][i] = a[j][i] + b[j][i];
    }
#pragma endscop
}
// Two nests, one the wrong way round.
void two(int n, int m, float a[restrict static n][m], float b[restrict static n][m]) {
#pragma scop
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
      a[j][i] = a[j][i] * 2.0f;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
      b[i][j] = a[i][j] + b[i][j];
#pragma endscop
}
// More accesses one way.
void majority(int n, float a[restrict static n][n], const float b[restrict static n][n], const float c[restrict static n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
      a[j][i] = b[j][i] + c[i][j];
#pragma endscop
}
// Multiplicity: c has three neighbours in its row.
void multiplicity(int n, float a[restrict static n][n], const float c[restrict static n][n]) {
#pragma scop
    for (int i = 1; i < n-1; i++)
      for (int j = 0; j < n; j++)
      a[i][j] = c[j][i] + c[j][i-1] + c[j][i+1];
#pragma endscop
}
// 3-D permuted.
void cube(int n, int m, int p, float a[restrict static n][m][p], const float b[restrict static n][m][p]) {
#pragma scop
    for (int k = 0; k < p; k++)
      for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
        a[i][j][k] = b[i][j][k] + 1.0f;
#pragma endscop
}
// Members.
void members(int n, int m, V a[restrict static n][m], const float b[restrict static m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
      a[j][i].x = b[i][j];
      a[j][i].y = 2.0f * b[i][j];
    }
#pragma endscop
}
// Flat.
void flat(int n, int m, float a[restrict static n * m], const float b[restrict static n * m]) {
#pragma scop
  __pencil_assume(n > 0 && m > 0);
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
      a[j * m + i] = b[j * m + i] * 3.0f;
#pragma endscop
}
// Short contiguous.
void rgb(int n, float x[restrict static n][3], const float y[restrict static 3][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
      for (int c = 0; c < 3; c++)
      x[i][c] = y[c][i] * 2.0f;
#pragma endscop
}
void rgb2(int n, float x[restrict static n][3]) {
#pragma scop
    for (int c = 0; c < 3; c++)
      for (int i = 0; i < n; i++)
      x[i][c] = x[i][c] * 2.0f;
#pragma endscop
}
// Sequential inside.
void seq(int n, int m, float s[restrict static n][m], const float a[restrict static n][m][64]) {
#pragma scop
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
      float t = 0.0f;
        for (int k = 0; k < 64; k++)
        t = t * 0.5f + a[i][j][k];
      s[i][j] = t;
    }
#pragma endscop
}
void seq2(int n, int m, float s[restrict static m][n], const float a[restrict static n][64][m]) {
#pragma scop
    for (int j = 0; j < m; j++)
      for (int i = 0; i < n; i++) {
      float t = 0.0f;
        for (int k = 0; k < 64; k++)
        t = t * 0.5f + a[i][k][j];
      s[j][i] = t;
    }
#pragma endscop
}
// Stride 2.
void strided(int n, int m, float a[restrict static m][2*n], float b[restrict static n][m]) {
#pragma scop
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
      b[j][i] = a[i][2 * j];
#pragma endscop
}
// Reversed.
void reversed(int n, int m, float a[restrict static n][m], const float b[restrict static n][m]) {
#pragma scop
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
      a[j][m - 1 - i] = b[j][m-1-i];
#pragma endscop
}
// Skewed.
void skew(int n, float a[restrict static 2*n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
      a[i + j][i] = (float)(i - 2 * j);
#pragma endscop
}
// Host loop with columns: k seq outer.
void steps(int n, int m, int t, float a[restrict static n][m], float b[restrict static n][m]) {
#pragma scop
    for (int s = 0; s < t; s++) {
      for (int i = 1; i < m-1; i++)
        for (int j = 1; j < n-1; j++)
        b[j][i] = a[j][i] + a[j][i-1] + a[j-1][i];
      for (int i = 1; i < m-1; i++)
        for (int j = 1; j < n-1; j++)
        a[j][i] = b[j][i];
  }
#pragma endscop
}
// A short row that is assumed to be short: threads along it and the other one.
void channels(int n, int p, float x[restrict static n][p], const float y[restrict static p][n]) {
#pragma scop
    __pencil_assume(p <= 4 && p > 0);
    for (int i = 0; i < n; i++)
        for (int c = 0; c < p; c++)
            x[i][c] = y[c][i] + x[i][c];
#pragma endscop
}
// What is read in each iteration of the inner loop weighs more than what is stored once.
void weighed(int n, int m, float s[restrict static n][m], const float a[restrict static 16][m][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float v = 0.0f;
            for (int k = 0; k < 16; k++) v = 0.5f * v + a[k][j][i];
            s[i][j] = v;
        }
#pragma endscop
}
// Sums of columns whose elements do not lie side by side, nor the results.
void sum_members(int n, int m, int s[restrict static m], const P a[restrict static n][m]) {
#pragma scop
    for (int j = 0; j < m; j++) {
        s[j] = 0;
        for (int i = 0; i < n; i++) s[j] += a[i][j].x;
    }
#pragma endscop
}
void sum_strided(int n, int m, int s[restrict static m][2], const int a[restrict static n][2 * m]) {
#pragma scop
    for (int j = 0; j < m; j++) {
        s[j][1] = 7;
        for (int i = 0; i < n; i++) s[j][1] += a[i][2 * j];
    }
#pragma endscop
}
void sum_backwards(int n, int m, int s[restrict static m], const int a[restrict static n][m]) {
#pragma scop
    for (int j = 0; j < m; j++) {
        s[j] = 0;
        for (int i = 0; i < n; i++) s[j] += a[i][m - 1 - j];
    }
#pragma endscop
}
// The index of the element is a variable of the loop.
void sum_shifted(int n, int m, int s[restrict static n], const int a[restrict static n + 3][m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        s[i] = 1;
        for (int k = 0; k < 3; k++) {
            int row = i + k;
            s[i] += a[row][0];
        }
    }
#pragma endscop
}
// Several statements, each of whose arrays wants something else; the last subscript is the outer loop.
void sum_outer(int n, int m, int s[restrict static n], const int a[restrict static m][n], const int b[restrict static n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        s[i] = 0;
        for (int j = 0; j < m; j++) s[i] += a[j][i] * b[i][j] + a[m - 1 - j][i];
    }
#pragma endscop
}
