// Composed kernels that were once wrong.
// sizes: rows=3,5 n=0,31 m=7
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static void dzero(double *v) { *v = 0.0; }
static float add(float a, float b) { return a + b; }
static double dadd(double a, double b) { return a + b; }

// The sum of a row has one accumulator a thread, and no grid to combine the values of blocks in.
void one_set(int rows, int n, int m, const double x[static const restrict rows][n][m],
             double y[static const restrict rows]) {
    for (int r = 0; r < rows; r++) {
        double d[n];
        float f[n];
        _Bool b[n];
        for (int i = 0; i < n; i++) {
            double dot;
            __pencil_reduction_var_init(&dot, dzero);
            for (int j = 0; j < m; j++)
                __pencil_reduction(&dot, x[r][i][j], dadd);
            d[i] = dot;
            f[i] = (float)i;
            b[i] = i % 3 == 0;
        }
        __pencil_reduction_var_init(&y[r], dzero);
        for (int i = 0; i < n; i++)
            __pencil_reduction(&y[r], d[i] * f[i] + b[i], dadd);
    }
}

// How many rows the memory of `s` has is a function in several pieces.
void pieces(int rows, int n, const float x[static const restrict rows][n][n], float y[static const restrict rows],
            float out[static const restrict rows][n]) {
    for (int r = 0; r < rows; r++) {
        float s[n];
        for (int i = r; i < n; i++) {
            __pencil_reduction_var_init(&s[i], zero);
            for (int j = 0; j < r; j++)
                __pencil_reduction(&s[i], x[r][i][j < n ? j : n - 1], add);
        }
        __pencil_reduction_var_init(&y[r], zero);
        for (int i = r; i < n; i++)
            __pencil_reduction(&y[r], s[i], add);
        for (int k = 0; k < n; k++) {
            __pencil_reduction_var_init(&out[r][k], zero);
            for (int i = r; i < n; i++)
                __pencil_reduction(&out[r][k], x[r][i][k] * s[i] + y[r], add);
        }
    }
}

struct table {
    float values[3000];
};
static struct table filled(float a) {
    struct table t;
    for (int k = 0; k < 3000; k++)
        t.values[k] = a + k % 3;
    return t;
}
static float looked_up(struct table t, int k) { return t.values[k % 3000]; }

// Four tables of a row are more than a block may declare.
void tables(int rows, int n, int m, const float x[static const restrict rows][n][m],
            float y[static const restrict rows][m], float sum[static const restrict rows]) {
    for (int r = 0; r < rows; r++) {
        float all;
        struct table first, second, third, fourth;
        __pencil_reduction_var_init(&all, zero);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                __pencil_reduction(&all, x[r][i][j], add);
        first = filled(all);
        second = filled(all + 1.0f);
        third = filled(all + 2.0f);
        fourth = filled(all + 3.0f);
        for (int j = 0; j < m; j++) {
            __pencil_reduction_var_init(&y[r][j], zero);
            for (int i = 0; i < n; i++)
                __pencil_reduction(&y[r][j],
                                   x[r][i][j] * looked_up(first, i) + looked_up(second, j) + looked_up(third, j) -
                                       looked_up(fourth, i),
                                   add);
        }
        __pencil_reduction_var_init(&sum[r], zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&sum[r], y[r][j], add);
    }
}

// Vectors of inner points take turns in one region, each with sizes of its own.
void turns(int rows, int n, int m, const float x[static const restrict rows][2][n][m][3],
           float y[static const restrict rows][2][n]) {
    for (int r = 0; r < rows; r++) {
        float t[2][n];
        for (int h = 0; h < 2; h++)
            for (int i = 0; i < n; i++) {
                float v[m];
                for (int j = 0; j < m; j++) {
                    __pencil_reduction_var_init(&v[j], zero);
                    for (int k = 0; k < 3; k++)
                        __pencil_reduction(&v[j], x[r][h][i][j][k], add);
                }
                __pencil_reduction_var_init(&t[h][i], zero);
                for (int j = 0; j < m; j++)
                    __pencil_reduction(&t[h][i], v[j], add);
            }
        for (int h = 0; h < 2; h++)
            for (int i = 0; i < n; i++) {
                float u[m];
                for (int j = 0; j < m; j++) {
                    __pencil_reduction_var_init(&u[j], zero);
                    for (int k = 0; k < 3; k++)
                        __pencil_reduction(&u[j], x[r][h][i][j][k] * (t[1 - h][i] - t[h][i]) + i, add);
                }
                __pencil_reduction_var_init(&y[r][h][i], zero);
                for (int j = 0; j < m; j++)
                    __pencil_reduction(&y[r][h][i], u[j], add);
            }
    }
}
