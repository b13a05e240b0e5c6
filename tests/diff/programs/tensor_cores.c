// Sums of products that tensor cores do, as people write them, and some beside them that they must not do.
// sizes: m=16,35 n=17,70 p=0,7,80
#include <pencil.h>
#include <stdint.h>

#define R [static const restrict

static void zero(float *v) { *v = 0.0f; }
static void zero_int(int *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
static int add_int(int a, int b) { return a + b; }
static float from(pencil_half v) { return pencil_half_to_float(v); }

// Both as columns, the loop over the depth outside.
void columns(int m, int n, int p, const pencil_bfloat16 a R p][m], const pencil_bfloat16 b R p][n], float c R m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            __pencil_reduction_var_init(&c[i][j], zero);
    for (int k = 0; k < p; k++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++)
                __pencil_reduction(&c[i][j], pencil_bfloat16_to_float(a[k][i]) * pencil_bfloat16_to_float(b[k][j]), add);
#pragma endscop
}

// One as a column, the other as a row; variables of the iteration; a result that is no float.
void locals(int m, int n, int p, const pencil_bfloat16 a R p][m], const pencil_bfloat16 b R n][p], pencil_bfloat16 c R m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float s;
            __pencil_reduction_var_init(&s, zero);
            for (int k = 0; k < p; k++) {
                float x = pencil_bfloat16_to_float(a[k][i]), y = pencil_bfloat16_to_float(b[j][k]);
                __pencil_reduction(&s, y * x, add);
            }
            c[i][j] = pencil_float_to_bfloat16(0.5f * s);
        }
#pragma endscop
}

// Layers, loops from one, downwards; a sum that goes on.
void batch(int m, int n, int p, const pencil_half a R 2][m][p], const pencil_half b R 2][p][n], float c R 2][m][n]) {
#pragma scop
    for (int l = 0; l < 2; l++)
        for (int i = 1; i < m; i++)
            for (int j = 1; j < n; j++) {
                float s;
                __pencil_reduction_var_init(&s, zero);
                for (int k = p - 1; k > 0; k--)
                    __pencil_reduction(&s, pencil_half_to_float(a[l][i - 1][k]) * pencil_half_to_float(b[l][k - 1][j]), add);
                c[l][i][j] += s;
            }
#pragma endscop
}

// The lower half of a symmetric result.
void gram(int m, int p, const pencil_half a R m][p], float c R m][m]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++) {
            __pencil_reduction_var_init(&c[i][j], zero);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&c[i][j], pencil_half_to_float(a[i][k]) * pencil_half_to_float(a[j][k]), add);
        }
#pragma endscop
}

// Windows: two reduced rows, of which no chunk is known to lie side by side.
void windows(int m, int n, const int8_t x R 3][n + 4], const int8_t w R m][3][5], int y R m][n]) {
#pragma scop
    for (int o = 0; o < m; o++)
        for (int j = 0; j < n; j++) {
            int s;
            __pencil_reduction_var_init(&s, zero_int);
            for (int c = 0; c < 3; c++)
                for (int r = 0; r < 5; r++)
                    __pencil_reduction(&s, w[o][c][r] * x[c][j + r], add_int);
            y[o][j] = s;
        }
#pragma endscop
}

// Flat arrays, unsigned bytes, conversions and types between; plain C, since these are integers.
void flat(int m, int n, int p, const uint8_t a R p * m], const unsigned char b R n * p], int c R m * n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (long j = 0; j < n; j++)
            for (int k = 0; k < p; k++) {
                short x = a[k * m + i];
                c[i * n + j] += x * (int)b[j * p + k];
            }
#pragma endscop
}

// Not these: a helper that converts, a factor inside of the sum, operands of two types, a condition, an order.
void others(int m, int n, int p, const pencil_half a R m][p], const pencil_half b R p][n], const int8_t s R m][p],
            const uint8_t u R p][n], float c R m][n], float d R m][n], int e R m][n], int f R m][n], float g R m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            __pencil_reduction_var_init(&c[i][j], zero);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&c[i][j], from(a[i][k]) * from(b[k][j]), add);
        }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            __pencil_reduction_var_init(&d[i][j], zero);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&d[i][j], 0.5f * pencil_half_to_float(a[i][k]) * pencil_half_to_float(b[k][j]), add);
        }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            __pencil_reduction_var_init(&e[i][j], zero_int);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&e[i][j], s[i][k] * u[k][j], add_int);
        }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            __pencil_reduction_var_init(&f[i][j], zero_int);
            for (int k = 0; k < p; k++)
                if (k != j)
                    __pencil_reduction(&f[i][j], u[k][i % n] * u[k][j], add_int);
        }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < p; k++)
                g[i][j] += pencil_half_to_float(a[i][k]) * pencil_half_to_float(b[k][j]);
#pragma endscop
}
