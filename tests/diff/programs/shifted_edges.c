// Shifted sums where walks do more than that, or convert what they add.
// sizes: n=1,3 m=0,1,17000
#include <math.h>
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static void wide_zero(double *v) { *v = 0.0; }
static void none(int *v) { *v = 0; }
static void lowest(float *v) { *v = -INFINITY; }
static void wide_lowest(double *v) { *v = -INFINITY; }
static float add(float a, float b) { return a + b; }
static double wide_add(double a, double b) { return a + b; }
static int add_whole(int a, int b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }
static double wide_larger(double a, double b) { return a > b ? a : b; }
static int whole_larger(int a, int b) { return a > b ? a : b; }

// Squares of integers are exact as they are.
void whole_numbers(int n, int m, const int x[static const restrict n][m], int y[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int max, sum;
        __pencil_reduction_var_init(&max, none);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&max, x[i][j], whole_larger);
        __pencil_reduction_var_init(&sum, none);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&sum, (x[i][j] - max) * (x[i][j] - max), add_whole);
        for (int j = 0; j < m; j++)
            y[i][j] = x[i][j] + sum;
    }
#pragma endscop
}

// What temporaries round away is gone; values and shifts are narrower than the sums.
void conversions(int n, int m, const float x[static const restrict n][m], const signed char c[static const restrict n][m],
                 float y[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float max, sum, squares;
        double total, wide;
        __pencil_reduction_var_init(&max, lowest);
        __pencil_reduction_var_init(&total, wide_zero);
        for (int j = 0; j < m; j++) {
            __pencil_reduction(&max, x[i][j] * 0.5f, larger);
            __pencil_reduction(&total, c[i][j] * 0.25, wide_add);
        }
        __pencil_reduction_var_init(&sum, zero);
        __pencil_reduction_var_init(&squares, zero);
        __pencil_reduction_var_init(&wide, wide_zero);
        for (int j = 0; j < m; j++) {
            int k = x[i][j] * 10.5f;
            __pencil_reduction(&sum, k * expf(k - max), add);
            short h = c[i][j] * 1.3f;
            __pencil_reduction(&squares, (h - max) * (h - max), add);
            float narrow = c[i][j] * 1.1;
            __pencil_reduction(&wide, (narrow - total) * (narrow - total), wide_add);
        }
        for (int j = 0; j < m; j++)
            y[i][j] = x[i][j] / (1.0f + sum * sum) + squares * 0.01f + (float)(wide * 1e-6);
    }
#pragma endscop
}

// Narrow values, the shift of a wide row.
void narrow_values(int n, int m, const float x[static const restrict n][m], double y[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        double max, sum;
        __pencil_reduction_var_init(&max, wide_lowest);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&max, x[i][j], wide_larger);
        __pencil_reduction_var_init(&sum, wide_zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&sum, exp(x[i][j] - max), wide_add);
        y[i] = log(sum) + max;
    }
#pragma endscop
}

// Whole shifts of floating values.
void whole_shift(int n, int m, const int x[static const restrict n][m], const float w[static const restrict n][m],
                 float y[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int max;
        float sum, squares;
        __pencil_reduction_var_init(&max, none);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&max, x[i][j], whole_larger);
        __pencil_reduction_var_init(&sum, zero);
        __pencil_reduction_var_init(&squares, zero);
        for (int j = 0; j < m; j++) {
            __pencil_reduction(&sum, expf(w[i][j] - max), add);
            __pencil_reduction(&squares, (max / 2 - w[i][j]) * (max / 2 - w[i][j]), add);
        }
        for (int j = 0; j < m; j++)
            y[i][j] = x[i][j] / (1.0f + sum * sum) + squares;
    }
#pragma endscop
}

// The second walk reads x, which it overwrites; `t` is wanted later than the new x.
void overwritten(int n, int m, float x[static const restrict n][m], const float w[static const restrict n][m],
                 float y[static const restrict n][m], float t[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float max, sum, other;
        __pencil_reduction_var_init(&max, lowest);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&max, w[i][j], larger);
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < m; j++) {
            t[i][j] = x[i][j] * max;
            x[i][j] = w[i][j] - max;
            __pencil_reduction(&sum, expf(x[i][j]), add);
        }
        __pencil_reduction_var_init(&other, zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&other, x[i][j] * sum, add);
        for (int j = 0; j < m; j++)
            y[i][j] = t[i][j] + other;
    }
#pragma endscop
}

// What is counted depends on what the second walk makes.
void guarded(int n, int m, float x[static const restrict n][m], float y[static const restrict n][m],
             float z[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float max, sum, squares;
        __pencil_reduction_var_init(&max, lowest);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&max, x[i][j], larger);
        __pencil_reduction_var_init(&sum, zero);
        __pencil_reduction_var_init(&squares, zero);
        for (int j = 0; j < m; j++) {
            float old = x[i][j];
            x[i][j] = 0.5f - x[i][j];
            float t = z[i][j] > 0.0f ? x[i][j] * 0.5f : x[i][j];
            if (x[i][j] > 0.0f)
                __pencil_reduction(&sum, expf(old - max), add);
            if (t > 0.0f)
                __pencil_reduction(&squares, (t - max) * (t - max), add);
        }
        for (int j = 0; j < m; j++)
            y[i][j] = x[i][j] / (1.0f + sum * sum) + squares;
    }
#pragma endscop
}

// Infinite values around a shift that is finite.
void infinite(int n, int m, const float x[static const restrict n][m], float y[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float max, sum, squares;
        __pencil_reduction_var_init(&max, lowest);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&max, x[i][j], larger);
        __pencil_reduction_var_init(&sum, zero);
        __pencil_reduction_var_init(&squares, zero);
        for (int j = 0; j < m; j++) {
            float t = x[i][j] > 0.25f ? -INFINITY : x[i][j];
            __pencil_reduction(&sum, expf(t - max), add);
            __pencil_reduction(&squares, (t - max) * (t - max), add);
        }
        for (int j = 0; j < m; j++)
            y[i][j] = x[i][j] * (j % 2 == 0 ? sum : squares);
    }
#pragma endscop
}
