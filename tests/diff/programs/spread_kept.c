// sizes: n=1,33 m=3,70
// Updates of the same rows in several loops, with strides.
#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }

float strided(int n, const float a[static const restrict n]) {
    float s; __pencil_reduction_var_init(&s, zero);
    for (int i = 1; i < n; i += 3) __pencil_reduction(&s, a[i], add);
    for (int i = n - 1; i >= 0; i -= 2) if (a[i] > 0) __pencil_reduction(&s, a[i], add);
    return s;
}
void otherinit(int n, int m, const float a[static const restrict n][m], float s[static const restrict n]) {
    for (int i = 0; i < n; i++) __pencil_reduction_var_init(&s[i], zero);
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) __pencil_reduction(&s[i], a[i][j], add);
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j += 2) __pencil_reduction(&s[i], a[i][j] * 2, add);
}
void stripes(int n, int m, const float a[static const restrict n][m], float s[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j < m; j++) { __pencil_reduction(&s[i], a[i][j], add); if (j > 2) __pencil_reduction(&s[i], a[i][j - 1], add); }
        for (int j = 0; j < m; j++) __pencil_reduction(&s[i], a[i][j], add);
    }
}
