// Parts that do not depend on each other: blocks of their own in one launch.
// sizes: n=0,1,33,9001 m=0,7,100
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }
static void none(int *v) { *v = 0; }
static int larger(int a, int b) { return a > b ? a : b; }

// Two whole reductions over different domains, an elementwise loop and a nest.
void mixed(int n, int m, const float a[static const restrict n], const int b[static const restrict m],
           const float x[static const restrict n][m], float y[static const restrict n][m], float z[static const restrict m],
           float sum[static const restrict 1], int most[static const restrict 1]) {
    float s;
    int best;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    sum[0] = s;
    __pencil_reduction_var_init(&best, none);
    for (int j = 0; j < m; j++)
        __pencil_reduction(&best, b[j], larger);
    most[0] = best;
    for (int j = 0; j < m; j++)
        z[j] = b[j] * 2.0f;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[i][j] = x[i][j] + 1.0f;
}

// What follows one of them waits for it, and no longer.
void chains(int n, int m, const float a[static const restrict n], const float b[static const restrict m],
            float y[static const restrict n], float z[static const restrict m]) {
    float s, t;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    for (int i = 0; i < n; i++)
        y[n - 1 - i] = a[i] - s;
    __pencil_reduction_var_init(&t, zero);
    for (int j = 0; j < m; j++)
        __pencil_reduction(&t, b[j], add);
    for (int j = 0; j < m; j++)
        z[m - 1 - j] = b[j] - t;
}
