// sizes: n=1,33,70 m=3,64,300
// What follows the reduction overwrites what its elements read.
#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
void fac(int n, int m, const float a[static const restrict n][m], float factor[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        float s;
        __pencil_reduction_var_init(&s, zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&s, a[i][j] * factor[i], add);
        factor[i] = s;
    }
}
