// Tables that functions declare: static or not, in helpers, in loops, of structs, of rows; and arrays that are none.
// sizes: n=1,33,300
#include <pencil.h>

static int value(int s) {
  static const short tab[16] = {0, 1, 2, 3, 4, 5, 6, 7, 0, -1, -2, -3, -4, -5, -6, -7};
  return tab[s & 15];
}

static int sum_of(int k, const int t[static 4]) { return t[k & 3] + t[(k + 1) & 3]; }

static int filled(int k) {
  int t[4] = {1, 2, 3, 4};
  t[k & 3] = 9;
  return t[0] * 1000 + t[1] * 100 + t[2] * 10 + t[3];
}

void decoded(int n, const unsigned char s[static const restrict n], int out[static const restrict n]) {
  static const int step[4] = {7, 16, 34, 80};
  const float w[] = {0.25f, 0.5f, 0.25f};
#pragma scop
  for (int i = 0; i < n; i++)
    out[i] = value(s[i]) * step[s[i] >> 6] + (int)(4 * w[s[i] % 3]) + sum_of(s[i], step);
#pragma endscop
}

struct place {
  int dx, dy;
  float weight;
};

void around(int n, const int a[static const restrict n][n], float out[static const restrict n][n]) {
  const struct place four[4] = {{1, 0, 0.5f}, {-1, 0, 0.25f}, {0, 1, 2}, {.dx = 0, .dy = -1}};
#pragma scop
  for (int y = 1; y < n - 1; y++)
    for (int x = 1; x < n - 1; x++) {
      float s = 0;
      for (int k = 0; k < 4; k++)
        s += four[k].weight * a[y + four[k].dy][x + four[k].dx];
      out[y][x] = s;
    }
#pragma endscop
}

void windows(int n, const float a[static const restrict n + 2][n + 2], float out[static const restrict n][n]) {
#pragma scop
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      float k[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
      float s = 0;
      for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
          s += k[j][i] * a[y + j][x + i];
      out[y][x] = s / 16;
    }
#pragma endscop
}

void changed(int n, const int s[static const restrict n], int out[static const restrict n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    int count[3] = {0, 0, 0};
    const int begins[2] = {s[i], i};
    for (int k = 0; k < 5; k++)
      count[(unsigned)(s[i] + k * k) % 3]++;
    out[i] = count[0] + 10 * count[1] + 100 * count[2] + filled(s[i]) + begins[i & 1];
  }
#pragma endscop
}

// Tables of rows, and of truths, that helpers get.
static int product(int n, const int m[n][2]) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += m[i][0] * m[i][1];
  return s;
}

static int rows_of(int s) {
  const int tab[3][2] = {{1, 2}, {3, 4}, {5, 6}};
  int own[2][2] = {{s, 2}, {3, s}};
  own[s & 1][0] += 4;
  return product(2 + (s & 1), tab) + product(2, own);
}

static void set(int row[static 2]) { row[1] = 7; }

void handed(int n, const int s[static const restrict n], int out[static const restrict n]) {
  static const _Bool is_odd[4] = {0, 5, 0, 1};
#pragma scop
  for (int i = 0; i < n; i++) {
    int row[2][2] = {{1, 2}, {3, 4}};
    set(row[s[i] & 1]);
    out[i] = rows_of(s[i] & 255) + is_odd[s[i] & 3] + row[0][1] * 10 + row[1][1] * 100;
  }
#pragma endscop
}
