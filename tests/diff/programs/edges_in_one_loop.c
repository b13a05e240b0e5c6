// All edges of a square in one loop: its iterations meet in the corners alone.
// sizes: n=3,4,5,12,33 steps=0,1,5
#include <pencil.h>

// Walls, with a lid that moves.
void walls(int n, float u[static const restrict n][n], float v[static const restrict n][n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    u[0][i] = 0; u[n - 1][i] = 1; u[i][0] = 2; u[i][n - 1] = 3;
    v[i][0] = 0.5f * i; v[0][i] = -1.0f * i; v[n - 1][i] = 4; v[i][n - 1] = 5;
  }
#pragma endscop
}

// What lies inside, in each step.
void insulated(int n, int steps, float u[static const restrict n][n], float w[static const restrict n][n]) {
#pragma scop
  __pencil_assume(n >= 3);
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        w[i][j] = u[i][j] + 0.1f * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j]);
    for (int i = 0; i < n; i++) { w[i][0] = w[i][1]; w[i][n - 1] = w[i][n - 2]; w[0][i] = w[1][i]; w[n - 1][i] = w[n - 2][i]; }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        u[i][j] = w[i][j];
  }
#pragma endscop
}

// With a halo around, flattened.
#define AT(i, j) ((i) * (n + 2) + (j))
void halo(int n, float h[static const restrict (n + 2) * (n + 2)]) {
#pragma scop
  for (int i = 0; i <= n + 1; i++) {
    h[AT(i, 0)] = h[AT(i, 1)];
    h[AT(i, n + 1)] = h[AT(i, n)];
    h[AT(0, i)] = h[AT(1, i)];
    h[AT(n + 1, i)] = h[AT(n, i)];
  }
#pragma endscop
}

// Downwards, and a torus.
void torus(int n, int g[static const restrict n + 2][n + 2]) {
#pragma scop
  for (int i = n + 1; i >= 0; i--) {
    g[i][0] = g[i][n];
    g[i][n + 1] = g[i][1];
    g[0][i] = g[n][i];
    g[n + 1][i] = g[1][i];
  }
#pragma endscop
}

// Iterations that all wait for each other have no corners.
void in_order(int n, float a[static const restrict n + 1], float b[static const restrict n + 1]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    a[i + 1] = 0.5f * b[i] + a[i];
    b[i + 1] = a[i] - b[i];
  }
#pragma endscop
}
