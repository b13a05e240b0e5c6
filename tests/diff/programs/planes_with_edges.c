#include <pencil.h>
// Edges that are copied on all sides, of planes that take turns: isl gave their remainders up, and one thread did it all.
// sizes: steps=0,1,5 n=3,40 m=3,70 l=3,9
// zero flux by clamped neighbours inside
void clamped(int steps, int n, int m, float u[static const restrict 2][n][m]) {
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        float up = i > 0 ? u[t % 2][i - 1][j] : u[t % 2][i][j];
        float down = i < n - 1 ? u[t % 2][i + 1][j] : u[t % 2][i][j];
        float left = j > 0 ? u[t % 2][i][j - 1] : u[t % 2][i][j];
        float right = j < m - 1 ? u[t % 2][i][j + 1] : u[t % 2][i][j];
        u[(t + 1) % 2][i][j] = 0.25f * (up + down + left + right);
      }
#pragma endscop
}
// one dimension, mirrored
void one(int steps, int n, double u[static const restrict 2][n]) {
#pragma scop
  __pencil_assume(n >= 3);
  for (int t = 1; t <= steps; t++) {
    for (int i = 1; i < n - 1; i++) u[t % 2][i] = 0.5 * u[(t - 1) % 2][i] + 0.25 * (u[(t - 1) % 2][i - 1] + u[(t - 1) % 2][i + 1]);
    u[t % 2][0] = u[t % 2][1];
    u[t % 2][n - 1] = u[t % 2][n - 2];
  }
#pragma endscop
}
// a source term and a coefficient
void heat(int steps, int n, int m, float u[static const restrict 2][n][m], const float k[static const restrict n][m], const float f[static const restrict n][m]) {
#pragma scop
  __pencil_assume(n >= 3 && m >= 3);
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[(t + 1) % 2][i][j] = u[t % 2][i][j] + k[i][j] * (u[t % 2][i - 1][j] + u[t % 2][i + 1][j] + u[t % 2][i][j - 1] + u[t % 2][i][j + 1] - 4 * u[t % 2][i][j]) + f[i][j];
    for (int j = 0; j < m; j++) { u[(t + 1) % 2][0][j] = u[(t + 1) % 2][1][j]; u[(t + 1) % 2][n - 1][j] = u[(t + 1) % 2][n - 2][j]; }
    for (int i = 0; i < n; i++) { u[(t + 1) % 2][i][0] = u[(t + 1) % 2][i][1]; u[(t + 1) % 2][i][m - 1] = u[(t + 1) % 2][i][m - 2]; }
  }
#pragma endscop
}
void cube(int steps, int n, int m, int l, float u[static const restrict 2][n][m][l]) {
#pragma scop
  __pencil_assume(n >= 3 && m >= 3 && l >= 3);
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) for (int k = 1; k < l - 1; k++)
        u[(t + 1) % 2][i][j][k] = u[t % 2][i][j][k] + 0.1f * (u[t % 2][i - 1][j][k] + u[t % 2][i + 1][j][k] + u[t % 2][i][j - 1][k] + u[t % 2][i][j + 1][k] + u[t % 2][i][j][k - 1] + u[t % 2][i][j][k + 1] - 6 * u[t % 2][i][j][k]);
    for (int j = 0; j < m; j++) for (int k = 0; k < l; k++) { u[(t + 1) % 2][0][j][k] = u[(t + 1) % 2][1][j][k]; u[(t + 1) % 2][n - 1][j][k] = u[(t + 1) % 2][n - 2][j][k]; }
    for (int i = 0; i < n; i++) for (int k = 0; k < l; k++) { u[(t + 1) % 2][i][0][k] = u[(t + 1) % 2][i][1][k]; u[(t + 1) % 2][i][m - 1][k] = u[(t + 1) % 2][i][m - 2][k]; }
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { u[(t + 1) % 2][i][j][0] = u[(t + 1) % 2][i][j][1]; u[(t + 1) % 2][i][j][l - 1] = u[(t + 1) % 2][i][j][l - 2]; }
  }
#pragma endscop
}
