// Points that share what they read, in tiles: layouts, operators, types, bounds, prologues and epilogues as people write them.
// sizes: m=1,16,33 n=17,40 p=0,19 steps=2
#include <float.h>
#include <limits.h>
#include <math.h>
#include <pencil.h>
#include <stdint.h>

typedef struct { float re, im; } Complex;
typedef struct { float value; int index; } Best;
typedef struct { unsigned char r, g, b; } Pixel;
typedef struct { short r, g, b; } Colour;

static void zero(float *v) { *v = 0.0f; }
static void zero_double(double *v) { *v = 0.0; }
static void zero_int(int *v) { *v = 0; }
static void most_int(int *v) { *v = INT_MAX; }
static void lowest(float *v) { *v = -FLT_MAX; }
static void nothing(Complex *v) { v->re = 0.0f; v->im = 0.0f; }
static void nobody(Best *v) { v->value = FLT_MAX; v->index = INT_MAX; }
static float add(float a, float b) { return a + b; }
static double add_double(double a, double b) { return a + b; }
static int add_int(int a, int b) { return a + b; }
static int smaller(int a, int b) { return a < b ? a : b; }
static float larger(float a, float b) { return a > b ? a : b; }
static Complex plus(Complex a, Complex b) { Complex c = {a.re + b.re, a.im + b.im}; return c; }
static Complex times(Complex a, Complex b) {
    Complex c = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return c;
}
static Best nearer(Best a, Best b) { return a.value < b.value || (a.value == b.value && a.index < b.index) ? a : b; }
static Best candidate(float value, int index) { Best b = {value, index}; return b; }

// Both operands as rows: neighbours of both lie along the depth.
void by_rows(int m, int n, int p, const float a[static const restrict m][p], const float b[static const restrict n][p],
             float c[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum;
            __pencil_reduction_var_init(&sum, zero);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&sum, a[i][k] * b[j][k], add);
            c[i][j] = sum > 0.0f ? sum : 0.0f;
        }
#pragma endscop
}

// Both as columns, with the loop over the depth outside.
void by_columns(int m, int n, int p, const double a[static const restrict p][m], const double b[static const restrict p][n],
                double c[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            __pencil_reduction_var_init(&c[i][j], zero_double);
    for (int k = 0; k < p; k++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++)
                __pencil_reduction(&c[i][j], a[k][i] * b[k][j], add_double);
#pragma endscop
}

// Shortest paths: another operator, in a semiring of integers; what is there already counts too.
void shortest(int m, int n, int p, const int a[static const restrict m][p], const int b[static const restrict p][n],
              int c[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            __pencil_reduction_var_init(&c[i][j], most_int);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&c[i][j], a[i][k] / 2 + b[k][j] / 2, smaller);
        }
#pragma endscop
}

// The result is the nearest of a point: the kept rows are not those of an array; a struct is what is combined.
void nearest(int m, int n, int p, const float x[static const restrict m][p], const float y[static const restrict n][p],
             float distance[static const restrict m][n], int at[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            Best best;
            __pencil_reduction_var_init(&best, nobody);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&best, candidate((x[i][k] - y[j][k]) * (x[i][k] - y[j][k]), k), nearer);
            distance[i][j] = best.value;
            at[i][j] = best.index;
        }
#pragma endscop
}

// Layers: a batch of products, with loops that begin at one and a sum that goes on.
void batched(int m, int n, int p, const float a[static const restrict 3][m][p], const float b[static const restrict 3][p][n],
             float c[static const restrict 3][m][n]) {
#pragma scop
    for (int l = 0; l < 3; l++)
        for (int i = 1; i < m; i++)
            for (int j = 1; j <= n - 1; j++) {
                __pencil_reduction_var_init(&c[l][i][j], zero);
                for (int k = 1; k < p; k++)
                    __pencil_reduction(&c[l][i][j], a[l][i - 1][k] * b[l][k - 1][j], add);
            }
#pragma endscop
}

// Structs, and two reductions in one.
void complex_products(int m, int n, int p, const Complex a[static const restrict m][p],
                      const Complex b[static const restrict p][n], Complex c[static const restrict m][n],
                      float most[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            __pencil_reduction_var_init(&c[i][j], nothing);
            __pencil_reduction_var_init(&most[i][j], lowest);
            for (int k = 0; k < p; k++) {
                __pencil_reduction(&c[i][j], times(a[i][k], b[k][j]), plus);
                __pencil_reduction(&most[i][j], a[i][k].re + b[k][j].im, larger);
            }
        }
#pragma endscop
}

// Bytes into integers; a condition, weights that all points share, elements of three bytes.
void bytes(int m, int n, int p, const int8_t a[static const restrict m][p], const Pixel b[static const restrict n][p],
           const int w[static const restrict p], int c[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            __pencil_reduction_var_init(&c[i][j], zero_int);
            for (int k = 0; k < p; k++)
                if (w[k] % 3 != 0)
                    __pencil_reduction(&c[i][j], a[i][k] * (b[j][k].r - b[j][k].b) + w[k] / 1024, add_int);
        }
#pragma endscop
}

// Elements of six bytes, of which no power of two has the length of a sector.
void colours(int m, int n, int p, const Colour a[static const restrict m][p], const Colour b[static const restrict n][p],
             int c[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            __pencil_reduction_var_init(&c[i][j], zero_int);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&c[i][j], a[i][k].r * b[j][k].r + a[i][k].g * b[j][k].b, add_int);
        }
#pragma endscop
}

// The lower half of a symmetric result.
void gram(int m, int p, const float a[static const restrict m][p], float c[static const restrict m][m]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++) {
            __pencil_reduction_var_init(&c[i][j], zero);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&c[i][j], a[i][k] * a[j][k], add);
        }
#pragma endscop
}

// A convolution with channels: the reduced rows are three.
void windows(int m, int n, const float x[static const restrict 3][n + 4], const float w[static const restrict m][3][5],
             const float bias[static const restrict m], float y[static const restrict m][n]) {
#pragma scop
    for (int o = 0; o < m; o++)
        for (int j = 0; j < n; j++) {
            float sum;
            __pencil_reduction_var_init(&sum, zero);
            for (int c = 0; c < 3; c++)
                for (int r = 0; r < 5; r++)
                    __pencil_reduction(&sum, w[o][c][r] * x[c][j + r], add);
            y[o][j] = sum + bias[o];
        }
#pragma endscop
}

// Flattened, with a pitch, counters of other types, and rows that an index chooses.
void flattened(int m, int n, int p, const float a[static const restrict m * p], const float b[static const restrict p * n],
               float c[static const restrict m * n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            float sum;
            __pencil_reduction_var_init(&sum, zero);
            for (int k = p - 1; k >= 0; k--)
                __pencil_reduction(&sum, a[i * p + k] * b[k * n + j], add);
            c[i * n + j] = sum;
        }
#pragma endscop
}

// All elements are scaled, and the lower half goes on: what stands before the loop has more points than the loop.
void scaled_gram(int m, int p, const double a[static const restrict m][p], double c[static const restrict m][m]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            c[i][j] *= 0.5;
            if (j <= i)
                for (int k = 0; k < p; k++)
                    c[i][j] -= a[i][k] * a[j][k];
        }
#pragma endscop
}

// Conditions leave one value of the reduced row, and of a kept one.
void borders(int m, int n, int p, const int a[static const restrict m][p], const int b[static const restrict p][n],
             int c[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            __pencil_reduction_var_init(&c[i][j], zero_int);
            for (int k = 0; k < p; k++) {
                __pencil_reduction(&c[i][j], (a[i][k] % 100) * (b[k][j] % 100), add_int);
                if (k == 2)
                    __pencil_reduction(&c[i][j], a[i][k] % 7 + b[k][j] % 5 + k, add_int);
                if (j == 3 && k > i)
                    __pencil_reduction(&c[i][j], a[i][k] % 3 - b[k][j] % 11, add_int);
            }
        }
#pragma endscop
}

// Plain C: a recurrence with differences, a scalar on the outside, a long index; a step on the host around it.
void recurrence(int m, int n, int p, int steps, const float a[static const restrict m][p],
                const float b[static const restrict n][p], float c[static const restrict m][n],
                float d[static const restrict n][m]) {
#pragma scop
    float s;
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < m; i++)
            for (long j = 0; j < n; j++) {
                s = d[j][i];
                for (int k = 0; k < p; k++) {
                    float gap = a[i][k] - b[j][k];
                    s = 0.25f * s + gap * gap;
                }
                c[i][j] = s;
            }
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++)
                d[j][i] = c[m - 1 - i][j] + t;
    }
#pragma endscop
}

// One update has fewer points than the other: its condition is its own, whatever the other one has.
void halves(int m, int n, int p, const int a[static const restrict m][p], const int b[static const restrict p][n],
            int c[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            __pencil_reduction_var_init(&c[i][j], zero_int);
            for (int k = 0; k < p; k++) {
                if (i >= j)
                    __pencil_reduction(&c[i][j], 7 * (a[i][k] % 100) + k, add_int);
                __pencil_reduction(&c[i][j], (a[i][k] % 100) * (b[k][j] % 100), add_int);
            }
        }
#pragma endscop
}

// A result for every point, elements for the lower half alone: the others keep what they begin with.
void lower(int m, int p, const int a[static const restrict m][p], int c[static const restrict m][m]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            __pencil_reduction_var_init(&c[i][j], zero_int);
            if (j <= i)
                for (int k = 0; k < p; k++)
                    __pencil_reduction(&c[i][j], (a[i][k] % 100) * (a[j][k] % 100), add_int);
        }
#pragma endscop
}
