// seed 1001348
// Iteration 0 of the loop has a statement of its own; the verifier of order did not see that it comes before the others.
#include <pencil.h>
static void zero(int *v) { *v = 0; }
void first(int n, int m, int b[static const restrict n], int c[static const restrict m])
{
#pragma scop
    for (int t = 0; t < n; t++)
        for (int k = 0; k < m; k++)
            __pencil_reduction_var_init(&c[k], zero);
    for (int i = 0; i < n; i++)
        if (i)
            b[i] = b[0];
        else
            b[i] = -7;
#pragma endscop
}
void third(int n, int m, int b[static const restrict n], int c[static const restrict m], int d[static const restrict m][n])
{
#pragma scop
    for (int t = 0; t < n; t++)
        for (int k = 0; k < m; k++)
            __pencil_reduction_var_init(&c[k], zero);
    for (int i = 0; i < n; i++) {
        if (i == 2)
            for (int k = 0; k < m; k++)
                d[k][i] = k;
        if (i > 2)
            for (int k = 0; k < m; k++)
                d[k][i] = d[k][2] + i;
        b[i] = i;
    }
#pragma endscop
}
