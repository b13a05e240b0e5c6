// Windows of a radius that no one says to be positive, in flattened pictures: where it is negative the source would write in
// front of the picture, so that rows are never left.
// sizes: h=1,9,40 w=1,7,37 r=0,1,4,11 n=0,5,70 m=0,3,40
#include <pencil.h>

// The sum of a window.
void box(int h, int w, int r, const float in[static const restrict h * w], float out[static const restrict h * w]) {
#pragma scop
  for (int y = r; y < h - r; y++)
    for (int x = r; x < w - r; x++) {
      float sum = 0;
      for (int j = -r; j <= r; j++)
        for (int i = -r; i <= r; i++) sum += in[(y + j) * w + x + i];
      out[y * w + x] = sum / ((2 * r + 1) * (2 * r + 1));
    }
#pragma endscop
}

// The least value, marked, and a border that is one wider.
static void most(unsigned char *v) { *v = 255; }
static unsigned char less(unsigned char a, unsigned char b) { return a < b ? a : b; }
void erode(int h, int w, int r, const unsigned char in[static const restrict h * w], unsigned char out[static const restrict h * w]) {
#pragma scop
  for (int y = r + 1; y < h - r - 1; y++)
    for (int x = r + 1; x < w - r - 1; x++) {
      unsigned char least;
      __pencil_reduction_var_init(&least, most);
      for (int j = y - r; j <= y + r; j++)
        for (int i = x - r; i <= x + r; i++) __pencil_reduction(&least, in[j * w + i], less);
      out[y * w + x] = least;
    }
#pragma endscop
}

// Of colours, in each of two branches.
void sharpen(int h, int w, int r, const int in[static const restrict h * w * 3], int out[static const restrict h * w * 3]) {
#pragma scop
  for (int y = r; y < h - r; y++)
    for (int x = r; x < w - r; x++)
      for (int c = 0; c < 3; c++) {
        int sum = 0;
        for (int j = -r; j <= r; j++) sum += in[((y + j) * w + x) * 3 + c];
        if (sum > 100) {
          out[(y * w + x) * 3 + c] = 255;
          continue;
        }
        out[(y * w + x) * 3 + c] = 2 * in[(y * w + x) * 3 + c] - sum;
      }
#pragma endscop
}

// Weights, counted from the corner of the window; rows in pictures of two dimensions.
void weighted(int h, int w, int r, const float in[static const restrict h][w], const float k[static const restrict 2 * r + 1][2 * r + 1],
              float out[static const restrict h][w]) {
#pragma scop
  for (int y = r; y < h - r; y++)
    for (int x = r; x < w - r; x++) {
      float sum = 0;
      for (int j = y - r; j <= y + r; j++)
        for (int i = x - r; i < x + r + 1; i++) sum += in[j][i] * k[j - (y - r)][i - x + r];
      out[y][x] = sum;
    }
#pragma endscop
}

// Only what lies in the picture, and how much that is.
static void nothing(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
void mean(int h, int w, int r, const int in[static const restrict h][w], int out[static const restrict h][w]) {
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int sum, count;
      __pencil_reduction_var_init(&sum, nothing);
      __pencil_reduction_var_init(&count, nothing);
      for (int j = -r; j <= r; j++)
        for (int i = -r; i <= r; i++)
          if (y + j >= 0 && y + j < h && x + i >= 0 && x + i < w) {
            __pencil_reduction(&sum, in[y + j][x + i], add);
            __pencil_reduction(&count, 1, add);
          }
      out[y][x] = count > 0 ? sum / count : -1;
    }
#pragma endscop
}

// The same by the bounds of the loops; a moving sum of long counters.
void total(int h, int w, int r, const int in[static const restrict h][w], int out[static const restrict h][w]) {
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int sum;
      __pencil_reduction_var_init(&sum, nothing);
      for (int j = max(0, y - r); j <= min(h - 1, y + r); j++)
        for (int i = x - r < 0 ? 0 : x - r; i <= (x + r >= w ? w - 1 : x + r); i++) __pencil_reduction(&sum, in[j][i], add);
      out[y][x] = sum;
    }
#pragma endscop
}
void moving(long n, long m, const int in[static const restrict n + m], int out[static const restrict n]) {
#pragma scop
  for (long i = 0; i < n; i++) {
    int sum;
    __pencil_reduction_var_init(&sum, nothing);
    for (long k = i; k < m + i; k++) __pencil_reduction(&sum, in[k] * (int)(k - i), add);
    out[i] = sum;
  }
#pragma endscop
}
