// The twelve sub-graphs of PANAMERA's Table 2: elementwise operations that end in sums.  The table marks the reduced
// dimensions by underlines, which our copy of the paper has lost; they are chosen after what section 7.2 says of them.
// tolerance: 2e-3
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef A
#define A 16
#endif
#ifndef B
#define B 12
#endif
#ifndef C
#define C 24
#endif

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }
static pencil_half cast16(float v) { return pencil_float_to_half(v); }
static float cast32(pencil_half v) { return pencil_half_to_float(v); }

// 1: cast16, cast32, cast16, r_sum of a small matrix along its short rows
void graph1(int a, const float x[static const restrict a][2], float y[static const restrict a]) {
    pencil_half h[a][2], again[a][2];
    float wide[a][2];
    for (int i = 0; i < a; i++)
        for (int j = 0; j < 2; j++)
            h[i][j] = cast16(x[i][j]);
    for (int i = 0; i < a; i++)
        for (int j = 0; j < 2; j++)
            wide[i][j] = cast32(h[i][j]);
    for (int i = 0; i < a; i++)
        for (int j = 0; j < 2; j++)
            again[i][j] = cast16(wide[i][j]);
    for (int i = 0; i < a; i++) {
        __pencil_reduction_var_init(&y[i], zero);
        for (int j = 0; j < 2; j++)
            __pencil_reduction(&y[i], cast32(again[i][j]), add);
    }
}

// 2: cast16, r_sum along the long rows
void graph2(int a, int c, const float x[static const restrict a][c], float y[static const restrict a]) {
    pencil_half h[a][c];
    for (int i = 0; i < a; i++)
        for (int j = 0; j < c; j++)
            h[i][j] = cast16(x[i][j]);
    for (int i = 0; i < a; i++) {
        __pencil_reduction_var_init(&y[i], zero);
        for (int j = 0; j < c; j++)
            __pencil_reduction(&y[i], cast32(h[i][j]), add);
    }
}

// 3: cast32, r_sum down the columns
void graph3(int a, int c, const pencil_half x[static const restrict a][c], float y[static const restrict c]) {
    float wide[a][c];
    for (int i = 0; i < a; i++)
        for (int j = 0; j < c; j++)
            wide[i][j] = cast32(x[i][j]);
    for (int j = 0; j < c; j++) {
        __pencil_reduction_var_init(&y[j], zero);
        for (int i = 0; i < a; i++)
            __pencil_reduction(&y[j], wide[i][j], add);
    }
}

// 4: mul, r_sum along the long rows
void graph4(int a, int c, const float x[static const restrict a][c], const float w[static const restrict a][c],
            float y[static const restrict a]) {
    float product[a][c];
    for (int i = 0; i < a; i++)
        for (int j = 0; j < c; j++)
            product[i][j] = x[i][j] * w[i][j];
    for (int i = 0; i < a; i++) {
        __pencil_reduction_var_init(&y[i], zero);
        for (int j = 0; j < c; j++)
            __pencil_reduction(&y[i], product[i][j], add);
    }
}

// 5: neg, mul, r_sum of a vector
float graph5(int c, const float x[static const restrict c], const float w[static const restrict c]) {
    float negative[c], product[c], y;
    for (int i = 0; i < c; i++)
        negative[i] = -x[i];
    for (int i = 0; i < c; i++)
        product[i] = negative[i] * w[i];
    __pencil_reduction_var_init(&y, zero);
    for (int i = 0; i < c; i++)
        __pencil_reduction(&y, product[i], add);
    return y;
}

// 6: mul, mul, r_sum of a vector
float graph6(int c, const float x[static const restrict c], const float w[static const restrict c]) {
    float product[c], square[c], y;
    for (int i = 0; i < c; i++)
        product[i] = x[i] * w[i];
    for (int i = 0; i < c; i++)
        square[i] = product[i] * x[i];
    __pencil_reduction_var_init(&y, zero);
    for (int i = 0; i < c; i++)
        __pencil_reduction(&y, square[i], add);
    return y;
}

// 7: add, mul, r_sum over the first two of three dimensions
void graph7(int a, int b, int c, const float x[static const restrict a][b][c], const float w[static const restrict a][b][c],
            float y[static const restrict c]) {
    float sum[a][b][c], product[a][b][c];
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
            for (int k = 0; k < c; k++)
                sum[i][j][k] = x[i][j][k] + w[i][j][k];
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
            for (int k = 0; k < c; k++)
                product[i][j][k] = sum[i][j][k] * x[i][j][k];
    for (int k = 0; k < c; k++) {
        __pencil_reduction_var_init(&y[k], zero);
        for (int i = 0; i < a; i++)
            for (int j = 0; j < b; j++)
                __pencil_reduction(&y[k], product[i][j][k], add);
    }
}

// 8: two branches of add, mul, r_sum over the same dimensions
void graph8(int a, int b, int c, const float x[static const restrict a][b][c], const float w[static const restrict a][b][c],
            float y[static const restrict c], float z[static const restrict c]) {
    float sum[a][b][c], product[a][b][c], other[a][b][c], square[a][b][c];
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
            for (int k = 0; k < c; k++) {
                sum[i][j][k] = x[i][j][k] + w[i][j][k];
                product[i][j][k] = sum[i][j][k] * x[i][j][k];
            }
    for (int k = 0; k < c; k++) {
        __pencil_reduction_var_init(&y[k], zero);
        for (int i = 0; i < a; i++)
            for (int j = 0; j < b; j++)
                __pencil_reduction(&y[k], product[i][j][k], add);
    }
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
            for (int k = 0; k < c; k++) {
                other[i][j][k] = x[i][j][k] + 1.0f;
                square[i][j][k] = other[i][j][k] * w[i][j][k];
            }
    for (int k = 0; k < c; k++) {
        __pencil_reduction_var_init(&z[k], zero);
        for (int i = 0; i < a; i++)
            for (int j = 0; j < b; j++)
                __pencil_reduction(&z[k], square[i][j][k], add);
    }
}

// 9: two sums over the same matrix
void graph9(int a, int c, const float x[static const restrict a][c], const float w[static const restrict a][c],
            float y[static const restrict c], float z[static const restrict c]) {
    for (int j = 0; j < c; j++) {
        __pencil_reduction_var_init(&y[j], zero);
        for (int i = 0; i < a; i++)
            __pencil_reduction(&y[j], x[i][j], add);
    }
    for (int j = 0; j < c; j++) {
        __pencil_reduction_var_init(&z[j], zero);
        for (int i = 0; i < a; i++)
            __pencil_reduction(&z[j], x[i][j] * w[i][j], add);
    }
}

// 10 and 11: reshape (other subscripts of the same memory), cast32, r_sum down the columns
void graph10(int a, int b, int c, const pencil_half x[static const restrict a][b][c],
             float y[static const restrict b][c]) {
    float wide[a][b][c];
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
            for (int k = 0; k < c; k++)
                wide[i][j][k] = cast32(x[i][j][k]);
    for (int j = 0; j < b; j++)
        for (int k = 0; k < c; k++) {
            __pencil_reduction_var_init(&y[j][k], zero);
            for (int i = 0; i < a; i++)
                __pencil_reduction(&y[j][k], wide[i][j][k], add);
        }
}

void graph11(int a, int b, int c, const pencil_half x[static const restrict a][b][c], float y[static const restrict c]) {
    float wide[a][b][c];
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
            for (int k = 0; k < c; k++)
                wide[i][j][k] = cast32(x[i][j][k]);
    for (int k = 0; k < c; k++) {
        __pencil_reduction_var_init(&y[k], zero);
        for (int i = 0; i < a; i++)
            for (int j = 0; j < b; j++)
                __pencil_reduction(&y[k], wide[i][j][k], add);
    }
}

// 12: reshape, r_sum of everything
float graph12(int a, int b, const pencil_half x[static const restrict a][b]) {
    float y;
    __pencil_reduction_var_init(&y, zero);
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
            __pencil_reduction(&y, cast32(x[i][j]), add);
    return y;
}

static unsigned seed = 20;
static float value(void) {
    seed = seed * 1664525u + 1013904223u;
#ifdef INTEGER_DATA
    return (float)(seed >> 30);
#else
    return (float)(seed >> 8) / 16777216.0f;
#endif
}

static double sum_of(int n, const float *y) {
    double checksum = 0.0;
    for (int i = 0; i < n; i++)
        checksum += (i % 7 + 1) * (double)y[i];
    return checksum;
}

int main(int argc, char **argv) {
    int a = argc > 1 ? atoi(argv[1]) : A;
    int b = argc > 2 ? atoi(argv[2]) : B;
    int c = argc > 3 ? atoi(argv[3]) : C;
    float(*x)[b][c] = calloc((size_t)a, sizeof *x), (*w)[b][c] = calloc((size_t)a, sizeof *w);
    pencil_half(*h)[b][c] = calloc((size_t)a, sizeof *h);
    float(*narrow)[2] = calloc((size_t)a, sizeof *narrow);
    float *y = calloc((size_t)a * b * c, sizeof *y), *z = calloc((size_t)a * b * c, sizeof *z);
    for (int i = 0; i < a; i++) {
        narrow[i][0] = value();
        narrow[i][1] = value();
        for (int j = 0; j < b; j++)
            for (int k = 0; k < c; k++) {
                x[i][j][k] = value();
                w[i][j][k] = value();
                h[i][j][k] = cast16(value());
            }
    }
    double checksum = 0.0;
    graph1(a, (const float(*)[2])narrow, y);
    checksum += sum_of(a, y);
    graph2(a, b * c, (const float(*)[b * c])x, y);
    checksum += sum_of(a, y);
    graph3(a * b, c, (const pencil_half(*)[c])h, y);
    checksum += sum_of(c, y);
    graph4(a, b * c, (const float(*)[b * c])x, (const float(*)[b * c])w, y);
    checksum += sum_of(a, y);
    checksum += graph5(a * b * c, &x[0][0][0], &w[0][0][0]);
    checksum += graph6(a * b * c, &x[0][0][0], &w[0][0][0]);
    graph7(a, b, c, x, w, y);
    checksum += sum_of(c, y);
    graph8(a, b, c, x, w, y, z);
    checksum += sum_of(c, y) + sum_of(c, z);
    graph9(a * b, c, (const float(*)[c])x, (const float(*)[c])w, y, z);
    checksum += sum_of(c, y) + sum_of(c, z);
    graph10(a, b, c, (const pencil_half(*)[b][c])h, (float(*)[c])y);
    checksum += sum_of(b * c, y);
    graph11(a, b, c, (const pencil_half(*)[b][c])h, y);
    checksum += sum_of(c, y);
    checksum += graph12(a, b * c, (const pencil_half(*)[b * c])h);
    printf("subgraphs a=%d b=%d c=%d checksum %.5g\n", a, b, c, checksum);
    free(x);
    free(w);
    free(h);
    free(narrow);
    free(y);
    free(z);
    return 0;
}
