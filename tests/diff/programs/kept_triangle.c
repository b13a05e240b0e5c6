// sizes: n=1,33 m=3,70
// Kept points that are no box, and rows of different lengths.
#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }

void tri(int n, const float a[static const restrict n][n], float s[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j <= i; j++) __pencil_reduction(&s[i], a[i][j], add);
    }
}
void tric(int n, const float a[static const restrict n][n], float s[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j <= i; j++) __pencil_reduction(&s[i], a[j][i], add);
    }
}
void tri2(int n, int m, const float a[static const restrict n][m], const float b[static const restrict n][m], float s[static const restrict n][n]) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) {
        __pencil_reduction_var_init(&s[i][j], zero);
        for (int k = 0; k < m; k++) __pencil_reduction(&s[i][j], a[i][k] * b[j][k], add);
    }
}
