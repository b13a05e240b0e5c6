// Neighbours whose places tables tell: in loops that are written out, by scalars, of structs, in flattened arrays, with
// borders that conditions leave out.
// sizes: n=1,5,33 m=1,6,40
#include <pencil.h>

static const int dx[8] = {1, -1, 0, 0, 1, -1, 1, -1}, dy[8] = {0, 0, 1, -1, 1, -1, -1, 1};

void life(int n, int m, const unsigned char a[static const restrict n][m], unsigned char out[static const restrict n][m]) {
#pragma scop
  for (int y = 0; y < n; y++)
    for (int x = 0; x < m; x++) {
      int alive = 0;
      for (int k = 0; k < 8; k++) {
        int ny = y + dy[k], nx = x + dx[k];
        if (ny >= 0 && ny < n && nx >= 0 && nx < m)
          alive += a[ny][nx] & 1;
      }
      out[y][x] = alive == 3 || (alive == 2 && (a[y][x] & 1));
    }
#pragma endscop
}

void spread(int n, int m, const float a[static const restrict n * m], float out[static const restrict n * m]) {
  static const struct {
    int x, y;
    float weight;
  } four[4] = {{1, 0, 0.5f}, {-1, 0, 0.25f}, {0, 1, 2}, {.x = 0, .y = -1, .weight = 1}};
#pragma scop
  for (int y = 1; y < n - 1; y++)
    for (int x = 1; x < m - 1; x++) {
      float s = 0;
      for (int k = 0; k < 4; k++)
        s += four[k].weight * a[(y + four[k].y) * m + x + four[k].x];
      out[y * m + x] = s;
    }
#pragma endscop
}

// The order of neighbours is a table too.
void in_rounds(int n, int m, int steps, float a[static const restrict n][m], float b[static const restrict n][m]) {
  const int order[4] = {2, 0, 3, 1};
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int y = 1; y < n - 1; y++)
      for (int x = 1; x < m - 1; x++) {
        b[y][x] = a[y][x];
        for (int k = 0; k < 4; k++)
          b[y][x] += 0.1f * (a[y + dy[order[k]]][x + dx[order[k]]] - a[y][x]);
      }
    for (int y = 1; y < n - 1; y++)
      for (int x = 1; x < m - 1; x++)
        a[y][x] = b[y][x];
  }
#pragma endscop
}

// One grid for each direction, which a loop around the others goes through.
void streamed(int n, int m, const float f[static const restrict 5][n][m], float g[static const restrict 5][n][m]) {
  static const int cx[5] = {0, 1, -1, 0, 0}, cy[5] = {0, 0, 0, 1, -1}, back[5] = {0, 2, 1, 4, 3};
#pragma scop
  for (int y = 1; y < n - 1; y++)
    for (int x = 1; x < m - 1; x++)
      for (int k = 0; k < 5; k++)
        g[back[k]][y][x] = f[k][y - cy[k]][x - cx[k]];
#pragma endscop
}

void streamed_by_grids(int n, int m, const float f[static const restrict 5][n][m], float g[static const restrict 5][n][m]) {
  static const int cx[5] = {0, 1, -1, 0, 0}, cy[5] = {0, 0, 0, 1, -1};
#pragma scop
  for (int k = 0; k < 5; k++)
    for (int y = 1; y < n - 1; y++)
      for (int x = 1; x < m - 1; x++)
        g[k][y][x] = f[k][y - cy[k]][x - cx[k]];
#pragma endscop
}
