// An init in the loop of its updates begins the reduction again; one for each row, element or block is no mistake.
#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }

void again(int n, const float a[static const restrict n], float r[static const restrict 1])
{
#pragma scop
    float s;
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s, zero); // warning[PC0212]: each iteration of the loop over `i` begins `s` again
        if (a[i] > 0)
            __pencil_reduction(&s, a[i], add);
    }
    r[0] = s;
#pragma endscop
}

void rows(int n, int m, const float a[static const restrict n][m], float r[static const restrict n])
{
#pragma scop
    float s;
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s, zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s, a[i][j], add);
        r[i] = s;
    }
#pragma endscop
}

void pairs(int n, const float a[static const restrict n], float r[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float s;
        __pencil_reduction_var_init(&s, zero);
        __pencil_reduction(&s, a[i], add);
        __pencil_reduction(&s, a[n - 1 - i], add);
        r[i] = s;
    }
#pragma endscop
}
