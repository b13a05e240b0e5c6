// sizes: n=0,1,33 m=1,5,64
// Several reads of one array in one macro stand in one place of the source.
#include <math.h>
#include <pencil.h>
static void lowest(float *v) { *v = -INFINITY; }
static float larger(float a, float b) { return a > b ? a : b; }
#define D(i) ((i) < n - 1 ? a[(i) + 1] - a[i] : 0.0f)
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
void diffs(int n, const float a[static const restrict n], float o[static const restrict 1])
{
#pragma scop
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, D(i), add);
    o[0] = s;
#pragma endscop
}
#define E2(i, j) ((j) < m - 1 ? b[i][(j) + 1] * b[i][j] : b[i][0])
void rowdiffs(int n, int m, const float b[static const restrict n][m], float o[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&o[i], zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&o[i], E2(i, j), add);
    }
#pragma endscop
}
#define NB(i, j) (b[i][j] + ((j) > 0 ? b[i][(j) - 1] : 0.0f) + ((j) < m - 1 ? b[i][(j) + 1] : 0.0f))
void norm(int n, int m, const float b[static const restrict n][m], float o[static const restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float s = 0;
        __pencil_reduction_var_init(&s, zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s, NB(i, j), add);
        for (int j = 0; j < m; j++)
            o[i][j] = NB(i, j) / (s + 10.0f);
    }
#pragma endscop
}

#define SOFTMAX(name, m)                                                                             \
    void name(int n, const float x[static const restrict n][m], float y[static const restrict n][m]) \
    {                                                                                                \
        for (int i = 0; i < n; i++) {                                                                \
            float largest, sum;                                                                      \
            __pencil_reduction_var_init(&largest, lowest);                                           \
            for (int j = 0; j < m; j++)                                                              \
                __pencil_reduction(&largest, x[i][j], larger);                                       \
            __pencil_reduction_var_init(&sum, zero);                                                 \
            for (int j = 0; j < m; j++)                                                              \
                __pencil_reduction(&sum, expf(x[i][j] - largest), add);                              \
            for (int j = 0; j < m; j++)                                                              \
                y[i][j] = expf(x[i][j] - largest) / sum;                                             \
        }                                                                                            \
    }

SOFTMAX(softmax_64, 64)

#define LAP(u, i, j) (u[(i) - 1][j] + u[(i) + 1][j] + u[i][(j) - 1] + u[i][(j) + 1] - 4.0f * u[i][j])
void heat(int n, int m, const float a[static const restrict n][m], float b[static const restrict n][m])
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            b[i][j] = a[i][j] + 0.1f * LAP(a, i, j);
#pragma endscop
}
