// Reduced loops beside kept ones, in any place of the subscripts: runs of neighbours, and teams of threads that take them.
// sizes: n=0,3,40 c=5 h=1,33 w=4,31 p=0,19 steps=2
#include <float.h>
#include <limits.h>
#include <pencil.h>

typedef struct { float value; int n, y, x; } Best;
typedef struct { double sum, square; } Moments;
typedef struct { int id; float channel[3]; } Sample;

static void zero(float *v) { *v = 0.0f; }
static void zero_int(int *v) { *v = 0; }
static void lowest(float *v) { *v = -FLT_MAX; }
static void nobody(Best *v) { v->value = FLT_MAX; v->n = v->y = v->x = INT_MAX; }
static void none(Moments *v) { v->sum = v->square = 0.0; }
static float add(float a, float b) { return a + b; }
static int add_int(int a, int b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }
static int is_before(Best a, Best b) { return a.n != b.n ? a.n < b.n : a.y != b.y ? a.y < b.y : a.x < b.x; }
static Best nearer(Best a, Best b) { return a.value < b.value || (a.value == b.value && is_before(a, b)) ? a : b; }
static Best candidate(float value, int n, int y, int x) { Best b = {value, n, y, x}; return b; }
static Moments both(Moments a, Moments b) { Moments m = {a.sum + b.sum, a.square + b.square}; return m; }
static Moments of(float v) { Moments m = {v, (double)v * v}; return m; }

// The channel is kept: what a batch norm sums.
void channels(int n, int c, int h, int w, const float g[static const restrict n][c][h][w], float s[static const restrict c]) {
#pragma scop
    for (int k = 0; k < c; k++) {
        float sum;
        __pencil_reduction_var_init(&sum, zero);
        for (int i = 0; i < n; i++)
            for (int y = 0; y < h; y++)
                for (int x = 0; x < w; x++)
                    __pencil_reduction(&sum, g[i][k][y][x], add);
        s[k] = sum;
    }
#pragma endscop
}

// Inits in a loop of their own, the kept loop between reduced ones, loops not in the order of the subscripts.
void between(int n, int c, int h, int w, const int g[static const restrict n][c][h][w], int s[static const restrict c]) {
#pragma scop
    for (int k = 0; k < c; k++) __pencil_reduction_var_init(&s[k], zero_int);
    for (int y = 0; y < h; y++)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < c; k++)
                for (int x = 0; x < w; x++)
                    __pencil_reduction(&s[k], g[i][k][y][x], add_int);
#pragma endscop
}

// Short trailing loops of constant length.
void trailing(int n, const float x[static const restrict n][2][3], float s[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float sum;
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 3; k++)
                __pencil_reduction(&sum, x[i][j][k], add);
        s[i] = sum;
    }
#pragma endscop
}

// A part of each row: runs with gaps between them.
void inner_part(int n, int c, int h, int w, const float g[static const restrict n][c][h][w], float s[static const restrict c]) {
#pragma scop
    for (int k = 0; k < c; k++) {
        float most;
        __pencil_reduction_var_init(&most, lowest);
        for (int i = 0; i < n; i++)
            for (int y = 1; y < h - 1; y++)
                for (int x = 1; x < w - 1; x++)
                    __pencil_reduction(&most, g[i][k][y][x], larger);
        s[k] = most;
    }
#pragma endscop
}

// A part of the rows, each whole: the run begins behind the first row.
void later_rows(int n, int h, int w, const float g[static const restrict n][h][w], float s[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float sum;
        __pencil_reduction_var_init(&sum, zero);
        for (int y = 2; y < h; y++)
            for (int x = 0; x < w; x++)
                __pencil_reduction(&sum, g[i][y][x], add);
        s[i] = sum;
    }
#pragma endscop
}

// No kept loop, and no whole array.
void part_of_all(int n, int h, int w, const float g[static const restrict n][h][w], float s[static const restrict 1]) {
#pragma scop
    __pencil_reduction_var_init(&s[0], zero);
    for (int i = 0; i < n; i++)
        for (int y = 0; y < h; y++)
            for (int x = 1; x < w; x++)
                __pencil_reduction(&s[0], g[i][y][x], add);
#pragma endscop
}

// The place of the least, which needs every iterator.
void place(int n, int c, int h, int w, const float g[static const restrict n][c][h][w], Best b[static const restrict c]) {
#pragma scop
    for (int k = 0; k < c; k++) {
        Best best;
        __pencil_reduction_var_init(&best, nobody);
        for (int i = 0; i < n; i++)
            for (int y = 0; y < h; y++)
                for (int x = 0; x < w; x++)
                    __pencil_reduction(&best, candidate(g[i][k][y][x], i, y, x), nearer);
        b[k] = best;
    }
#pragma endscop
}

// Two arrays, one of which has no such runs; two reductions.
void two_arrays(int n, int c, int h, int w, const float g[static const restrict n][c][h][w],
                const float weights[static const restrict w][h], float s[static const restrict c],
                Moments m[static const restrict c]) {
#pragma scop
    for (int k = 0; k < c; k++) {
        float sum;
        Moments moments;
        __pencil_reduction_var_init(&sum, zero);
        __pencil_reduction_var_init(&moments, none);
        for (int i = 0; i < n; i++)
            for (int y = 0; y < h; y++)
                for (int x = 0; x < w; x++) {
                    __pencil_reduction(&sum, g[i][k][y][x] * weights[x][y], add);
                    __pencil_reduction(&moments, of(g[i][k][y][x]), both);
                }
        s[k] = sum;
        m[k] = moments;
    }
#pragma endscop
}

// One of two statements has a part of the points only.
void some_rows(int n, int c, int h, int w, const float g[static const restrict n][c][h][w], float s[static const restrict c]) {
#pragma scop
    for (int k = 0; k < c; k++) {
        float sum;
        __pencil_reduction_var_init(&sum, zero);
        for (int i = 0; i < n; i++)
            for (int y = 0; y < h; y++)
                for (int x = 0; x < w; x++) {
                    __pencil_reduction(&sum, g[i][k][y][x], add);
                    if (y > 0 && x < 3) __pencil_reduction(&sum, 2.0f * g[i][k][y - 1][x], add);
                }
        s[k] = sum;
    }
#pragma endscop
}

// Reduced rows that are no box, below a kept one.
void triangle(int n, int h, const float g[static const restrict n][h][h], float s[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float sum;
        __pencil_reduction_var_init(&sum, zero);
        for (int y = 0; y < h; y++)
            for (int x = 0; x <= y; x++)
                __pencil_reduction(&sum, g[i][y][x], add);
        s[i] = sum;
    }
#pragma endscop
}

// Members of structs, and an array inside of one.
void members(int n, int h, const Sample x[static const restrict n][h], float s[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float sum;
        __pencil_reduction_var_init(&sum, zero);
        for (int y = 0; y < h; y++)
            for (int k = 0; k < 3; k++)
                __pencil_reduction(&sum, x[i][y].channel[k], add);
        s[i] = sum;
    }
#pragma endscop
}

// Written on the way, and read: each element once.
void written(int n, int c, int h, int w, const float in[static const restrict n][c][h][w],
             float e[static const restrict n][c][h][w], float r[static const restrict c]) {
#pragma scop
    for (int k = 0; k < c; k++) __pencil_reduction_var_init(&r[k], zero);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < c; k++)
            for (int y = 0; y < h; y++)
                for (int x = 0; x < w; x++)
                    e[i][k][y][x] = in[i][k][y][x] * 2.0f + 1.0f;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < c; k++)
            for (int y = 0; y < h; y++)
                for (int x = 0; x < w; x++)
                    __pencil_reduction(&r[k], e[i][k][y][x], add);
#pragma endscop
}

// Normalised by the channel: a reduction over a batch, then its use.
void normalised(int n, int c, int h, const float x[static const restrict n][c][h], float out[static const restrict n][c][h]) {
#pragma scop
    for (int k = 0; k < c; k++) {
        float sum;
        __pencil_reduction_var_init(&sum, zero);
        for (int i = 0; i < n; i++)
            for (int y = 0; y < h; y++)
                __pencil_reduction(&sum, x[i][k][y], add);
        for (int i = 0; i < n; i++)
            for (int y = 0; y < h; y++)
                out[i][k][y] = x[i][k][y] - sum / (n * h);
    }
#pragma endscop
}

// In a loop on the host, whose step is an index.
void in_steps(int steps, int n, int h, int w, const float g[static const restrict steps][n][h][w],
              float s[static const restrict n]) {
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++) {
            float sum;
            __pencil_reduction_var_init(&sum, zero);
            for (int y = 0; y < h; y++)
                for (int x = t; x < w; x++)
                    __pencil_reduction(&sum, g[t][i][y][x], add);
            s[i] = s[i] * 0.5f + sum;
        }
#pragma endscop
}

// Flattened by hand, with conditions on the data.
void flattened(int n, int c, int p, const float g[static const restrict n * c * p], int s[static const restrict c]) {
#pragma scop
    for (int k = 0; k < c; k++) {
        int count;
        __pencil_reduction_var_init(&count, zero_int);
        for (int i = 0; i < n; i++)
            for (int x = 0; x < p; x++)
                if (g[(i * c + k) * p + x] > 0.0f) __pencil_reduction(&count, 1, add_int);
        s[k] = count;
    }
#pragma endscop
}

// Columns that lie side by side in two kept rows: the mean of pictures, with three channels each.
void picture(int n, int h, int w, const float x[static const restrict n][h][w][3], float mean[static const restrict h][w][3]) {
#pragma scop
    for (int y = 0; y < h; y++)
        for (int k = 0; k < w; k++)
            for (int c = 0; c < 3; c++) {
                float sum;
                __pencil_reduction_var_init(&sum, zero);
                for (int i = 0; i < n; i++) __pencil_reduction(&sum, x[i][y][k][c], add);
                mean[y][k][c] = sum / n + y - 2 * k + c;
            }
#pragma endscop
}

// The same in a part of the rows, with iterators in the element and two reduced rows; kept loops in another order.
void part_of_picture(int n, int h, int w, const int x[static const restrict n][2][h][w], int s[static const restrict w][h]) {
#pragma scop
    for (int k = 0; k < w; k++)
        for (int y = 1; y < h; y++) {
            int sum;
            __pencil_reduction_var_init(&sum, zero_int);
            for (int i = 0; i < n; i++)
                for (int j = 0; j < 2; j++) __pencil_reduction(&sum, x[i][j][y][k] * (y + 2 * k + j), add_int);
            s[k][y] = sum;
        }
#pragma endscop
}

// Short loops over points: merged into the loop around them.
void short_loops(int n, int h, const float x[static const restrict n][2][3], float out[static const restrict n][2][3],
                 int t[static const restrict h][h][4]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 3; k++) out[i][j][k] = x[i][1 - j][k] * 2.0f;
    for (int i = 0; i < h; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 1; k < 4; k++) t[i][j][k] = i + j * k;
#pragma endscop
}
