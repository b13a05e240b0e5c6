// Sums that may be done in any order, in loops that are looked at: `#pragma pencil reduction`, alone and beside others.
// sizes: n=0,1,33,300 m=1,5,40
#include <math.h>
#include <pencil.h>

double total(int n, const double x[static const restrict n]) {
  double s = 0;
#pragma scop
#pragma pencil reduction(+: s)
  for (int i = 0; i < n; i++)
    s += x[i];
#pragma endscop
  return s;
}

static unsigned next(unsigned *s) { return *s = *s * 1664525u + 1013904223u; }

// Iterations hand on the state, which keeps all in order.
double sampled(int n, const double x[static const restrict n]) {
  double s = 0;
  unsigned state = 1;
#pragma scop
#pragma pencil reduction(+: s)
  for (int i = 0; i < n; i++)
    s += x[(next(&state) >> 8) % n];
#pragma endscop
  return s;
}

// The average moves from element to element; what is added to `s` may be added in any order.
double smoothed(int n, const double x[static const restrict n], double y[static const restrict n]) {
  double s = 0, mean = 0;
#pragma scop
#pragma pencil reduction(+: s)
  for (int i = 0; i < n; i++) {
    mean = 0.5 * (mean + x[i]);
    y[i] = mean;
    s += x[i] * x[i];
  }
#pragma endscop
  return s;
}

void rows(int n, int m, const float x[static const restrict n][m], float y[static const restrict n],
          float w[static const restrict n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    float s = 0, most = -1e30f;
#pragma pencil reduction(+: s) reduction(max: most)
    for (int j = 0; j < m; j++) {
      s += x[i][j];
      if (x[i][j] > most)
        most = x[i][j];
    }
    y[i] = s;
    w[i] = most;
  }
#pragma endscop
}

// Elements that data choose; the other loop is promised to be independent.
void bins(int n, int m, const int k[static const restrict n], const float x[static const restrict n],
          float total[static const restrict m], float y[static const restrict n]) {
#pragma scop
#pragma pencil independent
  for (int i = 0; i < n; i++)
    y[i] = x[i] * 2;
#pragma pencil reduction(+: total)
  for (int i = 0; i < n; i++)
    total[(unsigned)k[i] % m] += x[i];
#pragma endscop
}

// Each step needs the one before; its sums are done in any order.
void forward(int n, int m, const float a[static const restrict m][m], float p[static const restrict n + 1][m],
             float scale[static const restrict n]) {
#pragma scop
  for (int t = 0; t < n; t++) {
    float c = 0;
#pragma pencil reduction(+: c)
    for (int j = 0; j < m; j++) {
      float s = 0;
#pragma pencil reduction(+: s)
      for (int i = 0; i < m; i++)
        s += p[t][i] * a[i][j];
      p[t + 1][j] = s;
      c += s * s;
    }
    scale[t] = c;
    for (int j = 0; j < m; j++)
      p[t + 1][j] = p[t + 1][j] / (1 + c);
  }
#pragma endscop
}
