// sizes: n=0,1,2,33 m=0,1,40
// Rows of a nest of which some have no elements, by a condition: what the others keep in registers is neither loaded nor
// stored for them.
#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
void inside(int n, int m, int a[static const restrict n][m], int b[static const restrict 2 * n + 1],
            int o[static const restrict 2 * n + 1])
{
#pragma scop
    for (int i = 0; i <= 2 * n; i++) {
        int r = b[i];
        if (i < n) {
            __pencil_reduction_var_init(&r, zero);
            for (int j = 0; j < m; j++)
                __pencil_reduction(&r, a[i][j], add);
            for (int j = 0; j < m; j++)
                a[i][j] = r + j;
        }
        o[i] = r;
    }
#pragma endscop
}
void overwritten(int n, int m, const int x[static const restrict n + 2][m], int y[static const restrict n + 2][m],
                 int o[static const restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n + 2; i++) {
        int r = i;
        if (i > 0) {
            __pencil_reduction_var_init(&r, zero);
            for (int j = 0; j < m; j++)
                __pencil_reduction(&r, x[i][j], add);
            for (int j = 0; j < m; j++)
                y[i][j] = x[i][j] - r;
        }
        o[i] = r;
    }
#pragma endscop
}
void borders(int n, int m, int a[static const restrict n][m], const int b[static const restrict n],
             int o[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int r = b[i];
        if (i >= 1 && i < n - 1) {
            __pencil_reduction_var_init(&r, zero);
            for (int j = 0; j < m; j++)
                __pencil_reduction(&r, a[i][j], add);
            for (int j = 0; j < m; j++)
                a[i][j] = r + j;
        }
        o[i] = r;
    }
#pragma endscop
}
