// Edges that a parameter chooses: what no iteration writes then goes from launch to launch as it is.
// sizes: n=3,5,12,33 m=4,13 steps=0,1,2,7 neumann=0,1 kind=0,1,2
#include <pencil.h>
void chosen(int n, int steps, int neumann, float a[static const restrict n][n], float b[static const restrict n][n]) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = a[i][j] + 0.1f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] - 4 * a[i][j]);
    if (neumann) {
      for (int i = 0; i < n; i++) { b[i][0] = b[i][1]; b[i][n - 1] = b[i][n - 2]; }
      for (int j = 0; j < n; j++) { b[0][j] = b[1][j]; b[n - 1][j] = b[n - 2][j]; }
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) a[i][j] = b[i][j];
  }
#pragma endscop
}

// Three kinds of them, in planes: launches for each step.
void of_three_kinds(int n, int m, int steps, int kind, float u[static const restrict 2][n][m]) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[(t + 1) % 2][i][j] = 0.25f * (u[t % 2][i - 1][j] + u[t % 2][i + 1][j] + u[t % 2][i][j - 1] + u[t % 2][i][j + 1]);
    if (kind == 1)
      for (int i = 0; i < n; i++) { u[(t + 1) % 2][i][0] = 0; u[(t + 1) % 2][i][m - 1] = 1; }
    else if (kind == 2)
      for (int j = 0; j < m; j++) { u[(t + 1) % 2][0][j] = u[(t + 1) % 2][1][j]; u[(t + 1) % 2][n - 1][j] = 1; }
  }
#pragma endscop
}
