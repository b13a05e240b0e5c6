// Steps with edges, corners and sources of their own: what is read from an edge inwards does not widen a tile for each
// iteration.  A tile may begin or end with any row.
// sizes: steps=0,1,7 n=5,12 m=5,16
#include <pencil.h>

// Planes that take turns, all four edges copied.
void neumann(int steps, int n, int m, float u[static const restrict 2][n][m]) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[(t + 1) % 2][i][j] = 0.2f * (u[t % 2][i][j] + u[t % 2][i - 1][j] + u[t % 2][i + 1][j] + u[t % 2][i][j - 1] + u[t % 2][i][j + 1]);
    for (int i = 1; i < n - 1; i++) {
      u[(t + 1) % 2][i][0] = u[(t + 1) % 2][i][1];
      u[(t + 1) % 2][i][m - 1] = u[(t + 1) % 2][i][m - 2];
    }
    for (int j = 0; j < m; j++) {
      u[(t + 1) % 2][0][j] = u[(t + 1) % 2][1][j];
      u[(t + 1) % 2][n - 1][j] = u[(t + 1) % 2][n - 2][j];
    }
  }
#pragma endscop
}

// Corners by themselves.
void corners(int steps, int n, int m, float u[static const restrict 2][n][m]) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    int p = t & 1, q = 1 - p;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[q][i][j] = 0.25f * (u[p][i - 1][j] + u[p][i + 1][j] + u[p][i][j - 1] + u[p][i][j + 1]);
    for (int j = 1; j < m - 1; j++) { u[q][0][j] = u[q][1][j]; u[q][n - 1][j] = u[q][n - 2][j]; }
    for (int i = 1; i < n - 1; i++) { u[q][i][0] = u[q][i][1]; u[q][i][m - 1] = u[q][i][m - 2]; }
    u[q][0][0] = u[q][1][1]; u[q][0][m - 1] = u[q][1][m - 2]; u[q][n - 1][0] = u[q][n - 2][1]; u[q][n - 1][m - 1] = u[q][n - 2][m - 2];
  }
#pragma endscop
}

// A rod, insulated.
void insulated(int steps, int n, float u[static const restrict n], float v[static const restrict n]) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) v[i] = 0.5f * u[i] + 0.25f * (u[i - 1] + u[i + 1]);
    v[0] = v[1];
    v[n - 1] = v[n - 2];
    for (int i = 0; i < n; i++) u[i] = v[i];
  }
#pragma endscop
}

// A rod whose ends are held.
void held(int steps, int n, float left, float right, float u[static const restrict n], float v[static const restrict n]) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    u[0] = left; u[n - 1] = right;
    for (int i = 1; i < n - 1; i++) v[i] = 0.5f * u[i] + 0.25f * (u[i - 1] + u[i + 1]);
    for (int i = 1; i < n - 1; i++) u[i] = v[i];
  }
#pragma endscop
}

// A point that is heated.
void heated(int steps, int n, int m, float q, float u[static const restrict n][m], float v[static const restrict n][m]) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        v[i][j] = 0.25f * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    v[2][3] = v[2][3] + q * t;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) u[i][j] = v[i][j];
  }
#pragma endscop
}

// Mirrored two rows further inside.
void mirrored(int steps, int n, int m, float u[static const restrict n][m], float v[static const restrict n][m]) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        v[i][j] = 0.25f * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    for (int j = 1; j < m - 1; j++) { v[0][j] = v[2][j]; v[n - 1][j] = v[n - 3][j]; }
    for (int i = 0; i < n; i++) { v[i][0] = v[i][2]; v[i][m - 1] = v[i][m - 3]; }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) u[i][j] = v[i][j];
  }
#pragma endscop
}
