// Stitched kernels in unusual places: below a loop of the host, with rows and elements that do not begin at zero,
// with start values, conditions on parameters, two kept loops, values that must be loaded, and what must stay apart.
// sizes: n=0,1,9 m=0,3,131 t=2 flag=0,1
#include <math.h>
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static void five(int *v) { *v = 5; }
static float add(float a, float b) { return a + b; }
static int sum(int a, int b) { return a + b; }
static double larger(double a, double b) { return a > b ? a : b; }
static void least(double *v) { *v = -1e300; }

// Each round of the host loop reads what the one before has written.
void rounds(int t, int n, int m, float x[static const restrict n][m]) {
#pragma scop
    for (int k = 0; k < t; k++)
        for (int i = 0; i < n; i++) {
            float mean;
            __pencil_reduction_var_init(&mean, zero);
            for (int j = 0; j < m; j++)
                __pencil_reduction(&mean, x[i][j], add);
            for (int j = 0; j < m; j++)
                x[i][j] = x[i][j] - mean / m + k;
        }
#pragma endscop
}

// Rows from 1, elements from 2, an operator that starts from five; the row's factor comes from memory and goes back.
void offset(int n, int m, const int x[static const restrict n][m], int factor[static const restrict n],
            int y[static const restrict n][m]) {
    for (int i = 1; i < n; i++) {
        int total;
        __pencil_reduction_var_init(&total, five);
        for (int j = 2; j < m; j++)
            __pencil_reduction(&total, x[i][j] * factor[i], sum);
        factor[i] += total;
        for (int j = 2; j < m; j++)
            y[i][j] = x[i][j] + factor[i];
    }
}

// The second walk is there only if the flag is set.
void conditional(int n, int m, int flag, const float x[static const restrict n][m], float s[static const restrict n],
                 float y[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s[i], x[i][j], add);
        if (flag > 0)
            for (int j = 0; j < m; j++)
                y[i][j] = x[i][j] - s[i];
    }
}

// Two kept loops; the maximum and the sum of doubles.
void planes(int n, int m, const double x[static const restrict n][3][m], double y[static const restrict n][3][m]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            double most;
            __pencil_reduction_var_init(&most, least);
            for (int j = 0; j < m; j++)
                __pencil_reduction(&most, x[i][k][j], larger);
            for (int j = 0; j < m; j++)
                y[i][k][j] = exp(x[i][k][j] - most);
        }
}

// The neighbour's new value is wanted: these stay apart.
void neighbours(int n, int m, float x[static const restrict n][m], float y[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        float total;
        __pencil_reduction_var_init(&total, zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&total, x[i][j], add);
        for (int j = 0; j < m; j++)
            x[i][j] += total;
        for (int j = 0; j < m; j++)
            y[i][j] = x[i][m - 1 - j];
    }
}

// A row is as long as its number: these stay apart.
void triangle(int n, const float x[static const restrict n][n], float y[static const restrict n][n]) {
    for (int i = 0; i < n; i++) {
        float total;
        __pencil_reduction_var_init(&total, zero);
        for (int j = 0; j <= i; j++)
            __pencil_reduction(&total, x[i][j], add);
        for (int j = 0; j <= i; j++)
            y[i][j] = x[i][j] / (total + 1.0f);
    }
}

// The call is made again after its argument has changed, and in a branch.
void calls(int n, int m, float x[static const restrict n][m], float y[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        float total, again;
        __pencil_reduction_var_init(&total, zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&total, sinf(x[i][j]), add);
        for (int j = 0; j < m; j++)
            x[i][j] += total;
        __pencil_reduction_var_init(&again, zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&again, sinf(x[i][j]) + (x[i][j] > 0 ? cosf(x[i][j]) : 0), add);
        for (int j = 0; j < m; j++)
            y[i][j] = sinf(x[i][j]) + cosf(x[i][j]) + again;
    }
}

// Unsigned sizes and long iterators.
void wide(unsigned n, unsigned m, const float x[static const restrict n][m], float y[static const restrict n][m]) {
    for (long i = 0; i < n; i++) {
        float total;
        __pencil_reduction_var_init(&total, zero);
        for (long j = 0; j < m; j++)
            __pencil_reduction(&total, x[i][j], add);
        for (long j = 0; j < m; j++)
            y[i][j] = x[i][j] + total;
    }
}
