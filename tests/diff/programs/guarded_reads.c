// Reads that a condition of their expression guards, in flattened arrays: they stay in their row.
// sizes: n=0,1,5,33 m=1,4,35 steps=0,1,3
#include <pencil.h>

// The temperature of a chip, as Rodinia has it.
void hotspot(int n, int m, int steps, float a[static const restrict n * m], float b[static const restrict n * m],
             const float power[static const restrict n * m]) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int r = 0; r < n; r++)
      for (int c = 0; c < m; c++) {
        float here = a[r * m + c];
        float north = r == 0 ? here : a[(r - 1) * m + c];
        float south = (r < n - 1) ? a[(r + 1) * m + c] : here;
        float west = c > 0 ? a[r * m + c - 1] : here;
        float east = c == m - 1 ? here : a[r * m + c + 1];
        b[r * m + c] = here + 0.1f * (power[r * m + c] + north + south + west + east - 4 * here);
      }
    for (int r = 0; r < n; r++)
      for (int c = 0; c < m; c++)
        a[r * m + c] = b[r * m + c];
  }
#pragma endscop
}

// Zeros outside, in one expression; both conditions at once, and conditions in others.
void zeros(int n, int m, const float a[static const restrict n * m], float out[static const restrict n * m]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[i * m + j] = (i > 0 && j > 0 ? a[(i - 1) * m + j - 1] : 0.0f) + (i + 1 >= n || j + 1 >= m ? 0.0f : a[(i + 1) * m + j + 1])
                     + (i > 0 ? (j < m - 1 ? a[(i - 1) * m + j + 1] : 1.0f) : 2.0f);
#pragma endscop
}

// A helper that asks.
static float at(int n, int m, const float a[const restrict n * m], int i, int j) {
  return i < 0 || i >= n || j < 0 || j >= m ? 0.0f : a[i * m + j];
}
void laplace(int n, int m, const float a[static const restrict n * m], float out[static const restrict n * m]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[i * m + j] = at(n, m, a, i - 1, j) + at(n, m, a, i + 1, j) + at(n, m, a, i, j - 1) + at(n, m, a, i, j + 1) - 4 * a[i * m + j];
#pragma endscop
}

// Whether a neighbour is set, in a condition on data.
void grown(int n, int m, const unsigned char a[static const restrict n * m], unsigned char out[static const restrict n * m]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      out[i * m + j] = 0;
      if (a[i * m + j] > 100 || (j > 0 && a[i * m + j - 1] > 100) || (j + 1 < m && a[i * m + j + 1] > 100))
        out[i * m + j] = 255;
    }
#pragma endscop
}

// A condition of an opaque statement, on what it has changed before: any element may be read.
void changed(int n, int m, int a[static const restrict n * m], int out[static const restrict n * m]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int k = 0;
      if (a[i * m + j] > 3) {
        k = j + a[i * m + j] % 2;
        out[i * m + j] = k < m ? a[i * m + k] : -1;
      } else
        out[i * m + j] = k;
    }
#pragma endscop
}

// What a condition on sizes keeps a row's values from: those are in registers of its kernel.
static void least(double *v) { *v = -1e30; }
static double greater(double a, double b) { return a > b ? a : b; }
static void none(double *v) { *v = 0.0; }
static double plus(double a, double b) { return a + b; }
void spread(int n, int m, const double d[static const restrict n][m], double e[static const restrict n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    double most, sum;
    __pencil_reduction_var_init(&most, least);
    for (int j = 0; j < m; j++) __pencil_reduction(&most, d[i][j], greater);
    __pencil_reduction_var_init(&sum, none);
    for (int j = 0; j < m; j++) __pencil_reduction(&sum, most - d[i][j], plus);
    e[i] = m > 1 ? most + sum : 0;
  }
#pragma endscop
}
