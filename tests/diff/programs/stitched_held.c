// Rows that are too long for the registers of a block: in its shared memory as far as that reaches.
// sizes: n=0,5 m=1300,8195,12001
#include <math.h>
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static void nothing(double *v) { *v = 0.0; }
static void least(int *v) { *v = -2147483647; }
static float add(float a, float b) { return a + b; }
static double sum(double a, double b) { return a + b; }
static int larger(int a, int b) { return a > b ? a : b; }

// Three values of an element live at one time in one stage, one float beside two doubles.
void doubles(int n, int m, const double x[static const restrict n][m], const float w[static const restrict n][m],
             double y[static const restrict n][m]) {
    double scaled[n][m], mean[n], spread[n];
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&mean[i], nothing);
        for (int j = 0; j < m; j++) {
            scaled[i][j] = x[i][j] * w[i][j];
            __pencil_reduction(&mean[i], scaled[i][j], sum);
        }
        mean[i] /= m;
        __pencil_reduction_var_init(&spread[i], nothing);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&spread[i], (scaled[i][j] - mean[i]) * (scaled[i][j] - mean[i]), sum);
        for (int j = 0; j < m; j++)
            y[i][j] = scaled[i][j] + x[i][j] / (1.0 + spread[i] / m) - w[i][j];
    }
}

// The row itself is changed by every stage and goes back to memory from the last one that does.
void in_place(int n, int m, int x[static const restrict n][m], int top[static const restrict n]) {
    int first[n], second[n];
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&first[i], least);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&first[i], x[i][j], larger);
        for (int j = 0; j < m; j++)
            x[i][j] = x[i][j] == first[i] ? 0 : x[i][j] - 1;
        __pencil_reduction_var_init(&second[i], least);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&second[i], x[i][j], larger);
        for (int j = 0; j < m; j++)
            x[i][j] = x[i][j] > second[i] / 2 ? second[i] : x[i][j];
        top[i] = first[i] + second[i];
    }
}

// Values of different sizes, one after the other: a narrow one takes the place of a wide one.
void narrow(int n, int m, const short x[static const restrict n][m], const double w[static const restrict n][m],
            short y[static const restrict n][m], float z[static const restrict n][m]) {
    float a[n], b[n], e[n][m];
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&a[i], zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&a[i], (float)(x[i][j] * w[i][j]), add);
        __pencil_reduction_var_init(&b[i], zero);
        for (int j = 0; j < m; j++) {
            e[i][j] = (float)(w[i][j] - a[i]) / m;
            __pencil_reduction(&b[i], fabsf(e[i][j]), add);
        }
        for (int j = 0; j < m; j++) {
            y[i][j] = x[i][j] + 1;
            z[i][j] = e[i][j] / (1.0f + b[i]);
        }
    }
}

// Bytes beside structs of doubles: the largest block has registers for no chunk.
typedef struct { double re, im; } Complex;
void bytes_beside_structs(int n, int m, const signed char x[static const restrict n][m],
                          const Complex w[static const restrict n][m], float z[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        float a, b;
        __pencil_reduction_var_init(&a, zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&a, (float)(x[i][j] * w[i][j].re), add);
        __pencil_reduction_var_init(&b, zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&b, fabsf((float)(w[i][j].im * a) - x[i][j]), add);
        for (int j = 0; j < m; j++)
            z[i][j] = (x[i][j] + (float)w[i][j].im) / (1.0f + b);
    }
}

// Nothing of an element lives from stage to stage: a row may have any length.
void apart(int n, int m, const float x[static const restrict n][m], const float w[static const restrict n][m],
           float y[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        float a;
        __pencil_reduction_var_init(&a, zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&a, x[i][j], add);
        for (int j = 0; j < m; j++)
            y[i][j] = w[i][j] * a / m;
    }
}

// Elements that are no runs in memory: every second one of a row.
void scattered(int n, int m, const float x[static const restrict n][2 * m], float y[static const restrict n][2 * m]) {
    for (int i = 0; i < n; i++) {
        float a;
        __pencil_reduction_var_init(&a, zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&a, expf(x[i][2 * j]), add);
        for (int j = 0; j < m; j++)
            y[i][2 * j] = expf(x[i][2 * j]) / a + x[i][2 * j];
    }
}

// Columns: eight neighbours at a time, of a value that every stage changes and of a narrower one.
void columns(int m, int n, const short x[static const restrict m][8 * n], const double w[static const restrict m][8 * n],
             double y[static const restrict m][8 * n]) {
    for (int k = 0; k < 8 * n; k++) {
        double mean, spread;
        __pencil_reduction_var_init(&mean, nothing);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&mean, x[j][k] * w[j][k], sum);
        mean /= m;
        __pencil_reduction_var_init(&spread, nothing);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&spread, (w[j][k] - mean) * (w[j][k] - mean), sum);
        for (int j = 0; j < m; j++)
            y[j][k] = (w[j][k] - mean) / (1.0 + spread) + x[j][k];
    }
}
