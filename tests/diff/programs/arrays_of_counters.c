// Local arrays whose extents depend on the counters of the loops around them.
// sizes: n=0,1,9,33 m=1,20
#include <pencil.h>
static void zero(float *x) { *x = 0; }
static float add(float a, float b) { return a + b; }
void triangle(int n, const float a[static const restrict n], float o[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float t[i + 1];
        for (int j = 0; j <= i; j++) t[j] = a[j] * 2;
        float s;
        __pencil_reduction_var_init(&s, zero);
        for (int j = 0; j <= i; j++) __pencil_reduction(&s, t[i - j] * t[j], add);
        o[i] = s;
    }
#pragma endscop
}

void nested(int n, int m, const float a[static const restrict n][m], float o[static const restrict n][m])
{
#pragma scop
    for (int i = 1; i < n; i += 2)
        for (int k = 0; k < m - i; k++) {
            float t[m - k][2 * i];
            for (int j = 0; j < m - k; j++) t[j][i] = a[i][j + k];
            o[i][k] = t[0][i] + t[m - k - 1][i];
        }
#pragma endscop
}

void downward(int n, const float a[static const restrict n], float o[static const restrict n])
{
#pragma scop
    int i;
    for (i = n - 1; i >= 0; i--) {
        const int k = n - i;
        float t[k + 1], u[min(k, 4)][(i + 4) / 2];
        for (int j = 0; j < k; j++) t[j] = a[j] - i;
        for (int j = 0; j < min(k, 4); j++) u[j][i / 2] = t[j];
        o[i] = t[k - 1] + u[0][i / 2];
    }
#pragma endscop
}

void bounded_by_outer(unsigned n, const float a[static const restrict n], float o[static const restrict n])
{
#pragma scop
    for (unsigned i = 0; i < n; i++) {
        float s = 0;
        for (unsigned j = 0; j < i; j++) {
            float t[j + 1];
            for (unsigned k = 0; k <= j; k++) t[k] = a[k];
            s += t[j / 2];
        }
        o[i] = s;
    }
#pragma endscop
}
