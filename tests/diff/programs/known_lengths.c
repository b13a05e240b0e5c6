// Rows whose lengths are constants or bounded: forms for other lengths are not there.
// sizes: n=0,1,33
#include <math.h>
#include <pencil.h>

static void lowest(float *v) { *v = -INFINITY; }
static float larger(float a, float b) { return a > b ? a : b; }
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }

void softmax_64(int n, const float x[static const restrict n][64], float y[static const restrict n][64])
{
    for (int i = 0; i < n; i++) {
        float largest, sum;
        __pencil_reduction_var_init(&largest, lowest);
        for (int j = 0; j < 64; j++) __pencil_reduction(&largest, x[i][j], larger);
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < 64; j++) __pencil_reduction(&sum, expf(x[i][j] - largest), add);
        for (int j = 0; j < 64; j++) y[i][j] = expf(x[i][j] - largest) / sum;
    }
}

void softmax_1500(int n, const float x[static const restrict n][1500], float y[static const restrict n][1500])
{
    for (int i = 0; i < n; i++) {
        float largest, sum;
        __pencil_reduction_var_init(&largest, lowest);
        for (int j = 0; j < 1500; j++) __pencil_reduction(&largest, x[i][j], larger);
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < 1500; j++) __pencil_reduction(&sum, expf(x[i][j] - largest), add);
        for (int j = 0; j < 1500; j++) y[i][j] = expf(x[i][j] - largest) / sum;
    }
}

void sums_3(int n, const float a[static const restrict n][3], float s[static const restrict n])
{
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j < 3; j++) __pencil_reduction(&s[i], a[i][j], add);
    }
}

void sums_200(int n, const float a[static const restrict n][200], float s[static const restrict n])
{
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j < 200; j++) __pencil_reduction(&s[i], a[i][j], add);
    }
}

// Between 33 and 100 chunks: a warp has a row.
void sums_some(int n, int m, const float a[static const restrict n][m], float s[static const restrict n])
{
    __pencil_assume(m >= 130 && m <= 400);
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&s[i], a[i][j], add);
    }
}
