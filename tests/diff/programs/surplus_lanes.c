// sizes: n=1,3,33 m=0,1,9
// Elements that also write memory: a row must not be done twice by lanes that have none of their own.
#include <math.h>
#include <pencil.h>
static void zero(float *v) { *v = 0; }
static void lowest(float *v) { *v = -1e30f; }
static float add(float a, float b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }

void count_and_sum(int n, int m, float a[static const restrict n][m], float s[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j < m; j++) {
            a[i][j]++;
            __pencil_reduction(&s[i], a[i][j], add);
        }
    }
}

void softmax(int n, int m, float a[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        float top, sum;
        float e[m];
        __pencil_reduction_var_init(&top, lowest);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&top, a[i][j], larger);
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < m; j++) {
            e[j] = expf(a[i][j] - top);
            __pencil_reduction(&sum, e[j], add);
        }
        for (int j = 0; j < m; j++)
            a[i][j] = e[j] / sum;
    }
}
