// Loops over time whose launches do several iterations each, and some that look as if they might, as people write them.
// sizes: steps=0,1,2,5 n=2,3,5,13 m=8 rounds=2
#include <pencil.h>

void copied(int steps, int n, int m, float a[static const restrict n][m], float b[static const restrict n][m])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        b[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i][j] = b[i][j];
  }
#pragma endscop
}

void line(int steps, int n, int a[static const restrict n], int b[static const restrict n])
{
#pragma scop
  for (int t = 1; t <= steps; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = (a[i - 1] + 3 * a[i] - a[i + 1] + t) % 1000;
    for (int i = 1; i < n - 1; i++)
      a[i] = (b[i - 1] + 3 * b[i] - b[i + 1]) % 1000;
  }
#pragma endscop
}

void in_turn(int steps, int n, float a[static const restrict n][n], float b[static const restrict n][n])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    if (t % 2 == 0) {
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          b[i][j] = 0.5f * (a[i - 1][j] + a[i][j + 1]);
    } else {
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          a[i][j] = 0.5f * (b[i + 1][j] + b[i][j - 1]);
    }
  }
#pragma endscop
}

void with_borders(int steps, int n, float a[static const restrict n][n], float b[static const restrict n][n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[i][j] = a[i][j] + 1.0f;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = 0.2f * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j] + a[i - 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = b[i][j];
    for (int j = 0; j < n; j++) {
      a[0][j] = a[1][j];
      a[n - 1][j] = a[n - 2][j];
    }
  }
#pragma endscop
}

void waves(int steps, int n, double before[static const restrict n][n], double now[static const restrict n][n],
           double next[static const restrict n][n], double speed[static const restrict n][n],
           double pulse[static const restrict steps + 1])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        next[i][j] = 2 * now[i][j] - before[i][j] + pulse[t]
            + speed[i][j] * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1] - 4 * now[i][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        before[i][j] = now[i][j];
        now[i][j] = next[i][j];
      }
  }
#pragma endscop
}

void where_open(int steps, int n, unsigned char open[static const restrict n][n], float a[static const restrict n][n],
                float b[static const restrict n][n])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        if (open[i][j] > 2)
          b[i][j] = 0.5f * (a[i - 1][j] + a[i + 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = a[i][j] + 0.125f * b[i][j - 1];
  }
#pragma endscop
}

void box(int steps, int n, float a[static const restrict n][n][n], float b[static const restrict n][n][n])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          b[i][j][k] = 0.125f * (a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] + a[i][j][k - 1] + a[i][j][k + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          a[i][j][k] = b[i][j][k];
  }
#pragma endscop
}

void fields(int steps, int n, int m, double ex[static const restrict n][m], double ey[static const restrict n][m],
            double hz[static const restrict n][m], double fict[static const restrict steps + 1])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int j = 0; j < m; j++)
      ey[0][j] = fict[t];
    for (int i = 1; i < n; i++)
      for (int j = 0; j < m; j++)
        ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
    for (int i = 0; i < n; i++)
      for (int j = 1; j < m; j++)
        ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
    for (int i = 0; i < n - 1; i++)
      for (int j = 0; j < m - 1; j++)
        hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
#pragma endscop
}

void two_planes(int steps, int n, float u[static const restrict 2][n][n])
{
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        u[(t + 1) % 2][i][j] = 0.5f * (u[t % 2][i - 1][j] + u[t % 2][i][j + 1]);
#pragma endscop
}

void shifted(int steps, int n, int a[static const restrict n][n], int b[static const restrict n][n])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n - 3; i++)
      for (int j = 0; j < n - 2; j++)
        b[i + 2][j + 1] = (a[i][j] + 2 * a[i + 3][j + 2]) % 100;
    for (int i = 2; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = (a[i][j] + b[i][j]) % 100;
  }
#pragma endscop
}

void of_region(int steps, int n, float a[static const restrict n][n])
{
#pragma scop
  float b[n][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[i][j] = a[i][j];
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = 0.25f * (b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1]);
  }
#pragma endscop
}

void backwards(int steps, int n, float a[static const restrict n][n], float b[static const restrict n][n],
               float f[static const restrict steps + 1])
{
#pragma scop
  for (int t = steps; t > 0; t--) {
    for (int i = n - 2; i > 0; i--)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j]) + f[t];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = b[i][j];
  }
#pragma endscop
}

static void zero(float *v) { *v = 0; }
static float add(float x, float y) { return x + y; }

void in_rounds(int rounds, int steps, long n, float a[static const restrict n], float b[static const restrict n],
               float sums[static const restrict rounds + 1])
{
#pragma scop
  for (int r = 0; r < rounds; r++) {
    __pencil_reduction_var_init(&sums[r], zero);
    for (long i = 0; i < n; i++)
      __pencil_reduction(&sums[r], a[i], add);
    for (int t = r; t < r + steps; t++) {
      for (long i = 1; i < n - 1; i++)
        b[i] = 0.5f * (a[i - 1] + a[i + 1]) + sums[r] * 0.001f;
      for (long i = 1; i < n - 1; i++)
        a[i] = b[i] + t;
    }
  }
#pragma endscop
}

void unsigned_ones(unsigned steps, unsigned n, unsigned char a[static const restrict n][n],
                   unsigned char b[static const restrict n][n])
{
#pragma scop
  for (unsigned t = 0; t < steps; t++) {
    for (unsigned i = 1; i + 1 < n; i++)
      for (unsigned j = 1; j + 1 < n; j++)
        b[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / 4;
    for (unsigned i = 1; i + 1 < n; i++)
      for (unsigned j = 1; j + 1 < n; j++)
        a[i][j] = b[i][j];
  }
#pragma endscop
}

void some_steps(int steps, int n, float a[static const restrict n][n], float b[static const restrict n][n])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = 0.5f * (a[i - 1][j] + a[i][j + 1]);
    if (t >= 2)
      for (int j = 2; j < n - 2; j++)
        b[1][j] = b[2][j] + 1.0f;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = b[i][j];
  }
#pragma endscop
}

void turned(int steps, int n, float a[static const restrict n][n], float b[static const restrict n][n])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < n - 1; i++)
        b[i][j] = 0.5f * (a[i - 1][j] + a[i][j + 1]);
    for (int i = 2; i < n; i++)
      for (int j = 0; j < n - 2; j++)
        a[i - 1][j + 1] = b[i - 1][j + 1] * 0.5f;
  }
#pragma endscop
}

void window(int steps, int n, float w[static const restrict 3][3], float a[static const restrict n][n],
            float b[static const restrict n][n])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        float s = 0.0f;
        for (int k = 0; k < 3; k++)
          for (int l = 0; l < 3; l++)
            s = s + w[k][l] * a[i + k - 1][j + l - 1];
        b[i][j] = s;
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = b[i][j];
  }
#pragma endscop
}
