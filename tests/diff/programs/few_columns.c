// Sums of a few columns: one reduction with several accumulators, which reads whole rows, one behind the other.
// sizes: n=0,1,33,1025 h=0,1,33 w=1,31 g=0,1,3 m=70
#include <math.h>
#include <pencil.h>
static void zero(float *v) { *v = 0.0f; }
static void lowest(float *v) { *v = -INFINITY; }
static void highest(float *v) { *v = INFINITY; }
static float add(float a, float b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }
static float smaller(float a, float b) { return a < b ? a : b; }
static void none(int *v) { *v = 0; }
static int plus(int a, int b) { return a + b; }
static void nil(double *v) { *v = 0.0; }
static double dadd(double a, double b) { return a + b; }

// The box around points: inits in loops of their own, both updates in one loop.
void box(int n, const float p[static const restrict n][3], float lo[static const restrict 3], float hi[static const restrict 3]) {
#pragma scop
    for (int c = 0; c < 3; c++) {
        __pencil_reduction_var_init(&lo[c], highest);
        __pencil_reduction_var_init(&hi[c], lowest);
    }
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) {
            __pencil_reduction(&lo[c], p[i][c], smaller);
            __pencil_reduction(&hi[c], p[i][c], larger);
        }
#pragma endscop
}

// The mean colour of a picture: bytes, a local array, and what is done behind it.
void mean_colour(int h, int w, const unsigned char img[static const restrict h][w][3], float out[static const restrict 3]) {
#pragma scop
    int sums[3];
    for (int c = 0; c < 3; c++) {
        __pencil_reduction_var_init(&sums[c], none);
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                __pencil_reduction(&sums[c], img[y][x][c], plus);
    }
    for (int c = 0; c < 3; c++)
        out[c] = (float)sums[c] / ((float)h * (float)w + 1.0f);
#pragma endscop
}

// What is away from the mean, of each point.
void centred(int n, const float p[static const restrict n][3], float q[static const restrict n][3]) {
#pragma scop
    float s[3];
    for (int c = 0; c < 3; c++)
        __pencil_reduction_var_init(&s[c], zero);
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            __pencil_reduction(&s[c], p[i][c], add);
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            q[i][c] = p[i][c] - s[c] / (float)n;
#pragma endscop
}

// Weights, doubles, and four columns of which a condition takes some.
void weighted(int n, const double p[static const restrict n][4], const int take[static const restrict n],
              const double w[static const restrict n], double s[static const restrict 4]) {
#pragma scop
    for (int c = 0; c < 4; c++) {
        __pencil_reduction_var_init(&s[c], nil);
        for (int i = 0; i < n; i++)
            if (take[i])
                __pencil_reduction(&s[c], w[i] * p[i][c], dadd);
    }
#pragma endscop
}

// The products of two columns with each other.
void moments(int n, const float p[static const restrict n][2], float m[static const restrict 2][2]) {
#pragma scop
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            __pencil_reduction_var_init(&m[a][b], zero);
            for (int i = 0; i < n; i++)
                __pencil_reduction(&m[a][b], p[i][a] * p[i][b], add);
        }
#pragma endscop
}

// The sums of each group of points: a row of the result for each.
void groups(int g, int n, const float p[static const restrict g][n][2], float s[static const restrict g][2]) {
#pragma scop
    for (int k = 0; k < g; k++)
        for (int c = 0; c < 2; c++) {
            __pencil_reduction_var_init(&s[k][c], zero);
            for (int i = 0; i < n; i++)
                __pencil_reduction(&s[k][c], p[k][i][c], add);
        }
#pragma endscop
}

// Each second point, from the last one to the first.
void strided(int n, const float p[static const restrict n][3], float s[static const restrict 3]) {
#pragma scop
    for (int c = 0; c < 3; c++)
        __pencil_reduction_var_init(&s[c], zero);
    for (int i = n - 1; i >= 0; i--)
        for (int c = 0; c < 3; c++)
            __pencil_reduction(&s[c], p[i][c], add);
#pragma endscop
}

// With a value that is looked at before.
void spread(int n, const float p[static const restrict n][3], const float at[static const restrict 3],
            float s[static const restrict 3]) {
#pragma scop
    for (int c = 0; c < 3; c++)
        __pencil_reduction_var_init(&s[c], zero);
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) {
            const float away = p[i][c] - at[c];
            __pencil_reduction(&s[c], away * away, add);
        }
#pragma endscop
}

// Only two of three columns.
void two_of_three(int n, const float p[static const restrict n][3], float s[static const restrict 2]) {
#pragma scop
    for (int c = 0; c < 2; c++) {
        __pencil_reduction_var_init(&s[c], zero);
        for (int i = 0; i < n; i++)
            __pencil_reduction(&s[c], p[i][c], add);
    }
#pragma endscop
}

// Flat, as libraries have it.
void flat(int n, const float p[static const restrict 3 * n], float s[static const restrict 3]) {
#pragma scop
    for (int c = 0; c < 3; c++) {
        __pencil_reduction_var_init(&s[c], zero);
        for (int i = 0; i < n; i++)
            __pencil_reduction(&s[c], p[3 * i + c], add);
    }
#pragma endscop
}

// With plain sums.
void plain(int n, const float p[static const restrict n][3], float s[static const restrict 3]) {
#pragma scop
    for (int c = 0; c < 3; c++)
        s[c] = 0.0f;
#pragma pencil independent reduction(+: s)
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            s[c] += p[i][c];
#pragma endscop
}

// The middle of each group of points, written out by hand: rows of points.
void middles(int g, int n, const float p[static const restrict g][n][3], float x[static const restrict g],
             float y[static const restrict g], float z[static const restrict g]) {
#pragma scop
    for (int k = 0; k < g; k++) {
        __pencil_reduction_var_init(&x[k], zero);
        __pencil_reduction_var_init(&y[k], zero);
        __pencil_reduction_var_init(&z[k], zero);
        for (int i = 0; i < n; i++) {
            __pencil_reduction(&x[k], p[k][i][0], add);
            __pencil_reduction(&y[k], p[k][i][1], add);
            __pencil_reduction(&z[k], p[k][i][2], add);
        }
    }
#pragma endscop
}

// Each row is looked at again when its sums are known.
void away(int g, int n, const float p[static const restrict g][n][2], float d[static const restrict g][n]) {
#pragma scop
    for (int k = 0; k < g; k++) {
        float x, y;
        __pencil_reduction_var_init(&x, zero);
        __pencil_reduction_var_init(&y, zero);
        for (int i = 0; i < n; i++) {
            __pencil_reduction(&x, p[k][i][0], add);
            __pencil_reduction(&y, p[k][i][1], add);
        }
        for (int i = 0; i < n; i++)
            d[k][i] = (p[k][i][0] - x) * (p[k][i][1] - y);
    }
#pragma endscop
}

// Neighbours with a stride of their own, and rows of which the length is data.
void pairs(int n, const float p[static const restrict 2 * n], float s[static const restrict 2]) {
#pragma scop
    __pencil_reduction_var_init(&s[0], zero);
    __pencil_reduction_var_init(&s[1], zero);
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&s[0], p[2 * i], add);
        __pencil_reduction(&s[1], p[1 + 2 * i] * p[2 * i], add);
    }
#pragma endscop
}

void ragged(int g, int m, const int start[static const restrict g + 1], const float p[static const restrict m][2],
            float x[static const restrict g], float y[static const restrict g]) {
#pragma scop
    for (int k = 0; k < g; k++) {
        __pencil_reduction_var_init(&x[k], zero);
        __pencil_reduction_var_init(&y[k], zero);
        for (int i = start[k]; i < start[k + 1]; i++) {
            __pencil_reduction(&x[k], p[i][0], add);
            __pencil_reduction(&y[k], p[i][1], add);
        }
    }
#pragma endscop
}

// One element of each row: the loop over a row has one value, and elements do not lie side by side along the other one.
float trace(int m, const float a[static const restrict m][m]) {
  float sum;
#pragma scop
  __pencil_reduction_var_init(&sum, zero);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      if (j == i) __pencil_reduction(&sum, a[i][j], add);
#pragma endscop
  return sum;
}
