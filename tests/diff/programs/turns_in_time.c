// Steps that take turns: arrays whose names are exchanged, written out; launches of several rounds, the last of which
// may end early.
// sizes: steps=0,1,2,3,7,10 n=5,12 m=5,16
#include <pencil.h>

// Two arrays, as where pointers are swapped.
void swapped(int steps, int n, int m, float a[static const restrict n][m], float b[static const restrict n][m]) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    if (t % 2 == 0) {
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
          b[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    } else {
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
          a[i][j] = 0.25f * (b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1]);
    }
  }
#pragma endscop
}

// Steps of two, and a source that the step says.
void in_steps_of_two(int steps, int n, int m, const float s[static const restrict steps + 1], float a[static const restrict n][m],
                     float b[static const restrict n][m]) {
#pragma scop
  for (int t = 1; t <= steps; t += 2) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        b[i][j] = s[t] + 0.2f * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i][j] = 0.2f * (b[i][j] + b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1]);
  }
#pragma endscop
}

// Three arrays that change places, from step 1 on.
#define STEP(N, C, P)                                                                                          \
  for (int i = 1; i < n - 1; i++)                                                                              \
    for (int j = 1; j < m - 1; j++)                                                                            \
      N[i][j] = 2 * C[i][j] - P[i][j] + 0.1f * t * (C[i - 1][j] + C[i + 1][j] + C[i][j - 1] + C[i][j + 1] - 4 * C[i][j]);
void wave(int steps, int n, int m, float a[static const restrict n][m], float b[static const restrict n][m],
          float c[static const restrict n][m]) {
#pragma scop
  for (int t = 1; t <= steps; t++) {
    if (t % 3 == 1) {
      STEP(c, b, a)
    } else if (t % 3 == 2) {
      STEP(a, c, b)
    } else {
      STEP(b, a, c)
    }
  }
#pragma endscop
}

// What a turn writes that the last round may not have: it goes from launch to launch.
void kept(int steps, int n, float a[static const restrict n], float b[static const restrict n], float c[static const restrict n]) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    if (t % 3 == 0)
      for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1] - a[i];
    if (t % 3 == 1)
      for (int i = 1; i < n - 1; i++) c[i] = b[i - 1] - 0.5f * b[i + 1];
    if (t % 3 == 2)
      for (int i = 1; i < n - 1; i++) a[i] = c[i - 1] + c[i + 1];
  }
#pragma endscop
}

// Every other step damps as well: a turn has more kernels than the other one, and an edge.
void damped(int steps, int n, int m, float a[static const restrict n][m], float b[static const restrict n][m]) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    if ((t & 1) == 0) {
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
          b[i][j] = a[i][j] + 0.2f * (a[i - 1][j] - a[i + 1][j]);
      for (int j = 0; j < m; j++) b[0][j] = b[1][j];
    } else {
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
          a[i][j] = b[i][j] + 0.2f * (b[i][j - 1] - b[i - 1][j]);
      for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
          a[i][j] = a[i][j] * 0.5f;
    }
  }
#pragma endscop
}

// All iterations do the first, some the second: no turns.
void every_fourth(int steps, int n, int m, float a[static const restrict n][m], float b[static const restrict n][m]) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        b[i][j] = a[i][j] + 0.2f * (a[i - 1][j] - a[i + 1][j]);
    if (t % 4 == 3)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
          b[i][j] = 0.5f * b[i][j];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i][j] = b[i][j];
  }
#pragma endscop
}
