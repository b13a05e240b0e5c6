// sizes: n=70 m=9,2049
// More rows than blocks, and rows for some lanes of a warp, with an integer instruction for whole warps.
#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }

void many_rows(int n, int m, const int a[static const restrict n][m], int s[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s[i], a[i][j], add);
    }
}
