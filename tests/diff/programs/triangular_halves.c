// Products of which both the results and what is added for each are triangles.
// sizes: n=0,1,31,33
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

// A triangle times a triangle is one.
void both(int n, const float a[static const restrict n][n], const float b[static const restrict n][n],
          float c[static const restrict n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            __pencil_reduction_var_init(&c[i][j], zero);
            for (int k = j; k <= i; k++)
                __pencil_reduction(&c[i][j], a[i][k] * b[k][j], add);
        }
#pragma endscop
}

// Half of the results have no values that are added, and are there all the same.
void half(int n, const float a[static const restrict n][n], const float b[static const restrict n][n],
          float c[static const restrict n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            __pencil_reduction_var_init(&c[i][j], zero);
            for (int k = 0; k <= i; k++)
                if (j <= i)
                    __pencil_reduction(&c[i][j], a[i][k] * b[j][k], add);
        }
#pragma endscop
}
