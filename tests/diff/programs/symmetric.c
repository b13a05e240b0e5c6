// Results that are the same for (i, j) and (j, i), over the whole square, as people write them; and some that only look so.
// sizes: n=0,1,2,33,70 p=1,40,256 b=0,2 m=5
#include <math.h>
#include <pencil.h>

static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
static float distance(float x, float y) { return (x - y) * (x - y); }

void gram(int n, int p, const float a[static const restrict n][p], float c[static const restrict n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < p; k++)
                s += a[i][k] * a[j][k];
            c[i][j] = s;
        }
#pragma endscop
}

/* C89, the result itself adds up, A' A */
void gram_of_columns(int n, int p, const double a[static const restrict p][n], double c[static const restrict n][n]) {
    int i, j, k;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            c[i][j] = 0;
            for (k = 0; k < p; k++)
                c[i][j] += a[k][j] * a[k][i];
        }
#pragma endscop
}

void declared(int n, int p, const float x[static const restrict n][p], float c[static const restrict n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            __pencil_reduction_var_init(&c[i][j], zero);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&c[i][j], x[i][k] * x[j][k], add);
        }
#pragma endscop
}

/* begun in a nest of its own, the reduced loop outside, and a mean that is taken away */
void covariance(int n, int p, const float x[static const restrict p][n], const float mean[static const restrict n],
                float c[static const restrict n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            c[i][j] = 0;
    for (int k = 0; k < p; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                c[i][j] += (x[k][i] - mean[i]) * (x[k][j] - mean[j]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            c[i][j] /= p + 1;
#pragma endscop
}

/* distances: of a local, by a helper, absolute ones, and the largest of any */
void distances(int n, int p, const float x[static const restrict n][p], float c[static const restrict n][n],
               float d[static const restrict n][n], float e[static const restrict n][n]) {
    float t, most;
#pragma scop
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            float s = 0.0f;
            for (int k = 0; k < p; ++k) {
                const float v = x[i][k] - x[j][k];
                s += v * v;
            }
            c[i][j] = sqrtf(s);
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            t = 0;
            for (int k = 0; k < p; k++)
                t = t + distance(x[j][k], x[i][k]);
            d[i][j] = t;
        }
    for (int i = 0; i <= n - 1; i++)
        for (int j = 0; j <= n - 1; j++) {
            most = 0;
            for (int k = 0; k < p; k++)
                if (fabsf(x[i][k] - x[j][k]) > most)
                    most = fabsf(x[i][k] - x[j][k]);
            e[i][j] = most;
        }
#pragma endscop
}

/* in a batch without braces, of a flat array, with a diagonal */
void batches(int b, int n, int p, const float x[static const restrict b][n][p], float c[static const restrict b][n][n],
             const int y[static const restrict n * p], long flat[static const restrict n * n]) {
#pragma scop
    for (int q = 0; q < b; q++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                float s = i == j ? 1 : 0;
                for (int k = 0; k < p; k++)
                    s += x[q][i][k] * x[q][j][k];
                c[q][i][j] = s;
            }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            long s = 0;
            for (int k = 0; k < p; k++)
                s += y[i * p + k] * y[j * p + k];
            flat[i * n + j] = s;
        }
#pragma endscop
}

/* no symmetry: a factor in front of one of them, what was there before, what is above the diagonal, unsigned differences,
   the absolute value of these, another array, and a sum of differences */
void not_symmetric(int n, int p, int m, const float a[static const restrict n][p], float c[static const restrict n][n],
                   float d[static const restrict n][n], float e[static const restrict n][n],
                   const unsigned u[static const restrict n][p], double f[static const restrict n][n],
                   const float g[static const restrict n][p], float h[static const restrict n][n],
                   float o[static const restrict n][n], float q[static const restrict 2 * n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < p; k++)
                s += 0.1f * a[i][k] * a[j][k];
            c[i][j] = s;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < p; k++)
                d[i][j] += a[i][k] * a[j][k];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            e[i][j] = i < j ? m : 0;
            for (int k = 0; k < p; k++)
                e[i][j] += a[i][k] * a[j][k];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < p; k++)
                s += u[i][k] - u[j][k];
            f[i][j] = s;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < p; k++)
                s += a[i][k] * g[j][k];
            h[i][j] = s;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < p; k++)
                s += a[i][k] - a[j][k];
            o[i][j] = s;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = i; k < p; k++)
                s += a[i][k] * a[j][k];
            q[i + j] = s;
        }
#pragma endscop
}

// At some points a loop has no iterations, which leaves a counter as the point before left it.
void counter_left(int n, int p, const unsigned a[static const restrict n][p], const int len[static const restrict n],
                  unsigned c[static const restrict n][n], unsigned d[static const restrict n][n])
{
    int k, l = 7;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            unsigned s = 0;
            for (k = 0; k < p; k++)
                s += a[i][k] * a[j][k];
            for (k = 1; k < i + j; k++)
                for (l = 0; l < p; l++)
                    s += a[i][l] ^ a[j][l];
            c[i][j] = s + l;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            unsigned s = 0;
            for (k = 0; k < p; k++)
                s += a[i][k] * a[j][k];
            for (k = 0; k < (len[i] & 1) + (len[j] & 1) - 1; k++)
                for (l = 0; l < p; l++)
                    s += a[i][l] ^ a[j][l];
            d[i][j] = s * l;
        }
#pragma endscop
}

// Beside an unsigned bound a negative number is a large one: the loop has no iterations.
void unsigned_bound(int n, unsigned p, const unsigned a[static const restrict p][n],
                    unsigned c[static const restrict n][n], int o[static const restrict 2])
{
    int i = 7, j = 7;
#pragma scop
    for (int v = 0; v < n; v++)
        for (int w = 0; w < n; w++)
            c[v][w] = 3;
    for (int k = -5; k < p; k++)
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++)
                c[i][j] += a[k][i] * a[k][j];
    o[0] = i;
    o[1] = j;
#pragma endscop
}
