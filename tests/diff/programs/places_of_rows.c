// Places that a row has, of which its elements make use: borders that go round or stay, in steps of a grid, chosen by
// parameters, for sums of rows.
// sizes: n=1,2,5,40 m=1,6,33 steps=3
#include <pencil.h>

void gray_scott(int n, int m, int steps, double u[static const restrict n][m], double v[static const restrict n][m],
                double nu[static const restrict n][m], double nv[static const restrict n][m]) {
#pragma scop
  for (int s = 0; s < steps; s++) {
    for (int i = 0; i < n; i++) {
      int im = i == 0 ? n - 1 : i - 1, ip = i == n - 1 ? 0 : i + 1;
      for (int j = 0; j < m; j++) {
        int jm = j == 0 ? m - 1 : j - 1, jp = j == m - 1 ? 0 : j + 1;
        double lu = u[im][j] + u[ip][j] + u[i][jm] + u[i][jp] - 4 * u[i][j];
        double lv = v[im][j] + v[ip][j] + v[i][jm] + v[i][jp] - 4 * v[i][j];
        double uvv = u[i][j] * v[i][j] * v[i][j];
        nu[i][j] = u[i][j] + 0.16 * lu - uvv;
        nv[i][j] = v[i][j] + 0.08 * lv + uvv;
      }
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        u[i][j] = nu[i][j];
        v[i][j] = nv[i][j];
      }
  }
#pragma endscop
}

void mirrored(int n, int m, const float a[static const restrict n * m], float b[static const restrict n * m]) {
#pragma scop
  for (int y = 0; y < n; y++) {
    int up = (y - 1 + n) % n, down = y + 1 < n ? y + 1 : y;
    b[y * m] = a[up * m];
    for (int x = 1; x < m; x++)
      b[y * m + x] = a[up * m + x] - 2 * a[y * m + x] + a[down * m + x - 1];
  }
#pragma endscop
}

void sums(int n, int m, const float a[static const restrict n][m], float s[static const restrict n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    int other = i % 2 == 0 ? i : n - 1 - i;
    float total = 0;
    for (int j = 0; j < m; j++)
      total += a[other][j];
    s[i] = total;
  }
#pragma endscop
}
