// sizes: n=33,100 h=5,64 m=70,64
// More results than have elements: the others get the initial value, and nothing outside of the array is read.
#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }

void part(int n, int h, int m, const float a[static const restrict n][h], float s[static const restrict m]) {
    __pencil_assume(h <= m);
    for (int j = 0; j < m; j++) __pencil_reduction_var_init(&s[j], zero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < h; j++) __pencil_reduction(&s[j], a[i][j], add);
}
void partrow(int n, int h, int m, const float a[static const restrict h][n], float s[static const restrict m]) {
    __pencil_assume(h <= m);
    for (int j = 0; j < m; j++) __pencil_reduction_var_init(&s[j], zero);
    for (int j = 0; j < h; j++)
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s[j], a[j][i], add);
}
