// Reductions whose values are added in other iterations than the variable is begun in.
// sizes: n=0,1,2,5 m=0,1,3
#include <pencil.h>

static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }

void one_row(int n, int m, const float a[static const restrict n][m], float c[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&c[i], zero);
        for (int r = 0; r < 1; r++)
            for (int k = 0; k < m; k++)
                __pencil_reduction(&c[r], a[r][k], add);
    }
#pragma endscop
}

void first_alone(int n, int m, const float a[static const restrict m], float c[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&c[i], zero);
        for (int k = 0; k < m; k++)
            __pencil_reduction(&c[0], a[k], add);
    }
#pragma endscop
}

void half_the_place(int n, int m, const float a[static const restrict m], float c[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&c[i], zero);
        for (int k = 0; k < m; k++)
            __pencil_reduction(&c[i / 2], a[k], add);
    }
#pragma endscop
}
