// A local that a loop inside one statement fills and reads again: there is nothing to load for it.
// sizes: rows=0,3,5 n=1,33,1030 m=0,1,7
#include <pencil.h>

static void zero(unsigned *v) { *v = 0; }
static unsigned add(unsigned a, unsigned b) { return a + b; }

void fresh(int rows, int n, int m, const unsigned x[static const restrict rows][n][m],
           const unsigned y[static const restrict rows][n], unsigned sum[static const restrict rows],
           unsigned z[static const restrict rows][n]) {
    for (int r = 0; r < rows; r++) {
        unsigned own[n];
        __pencil_reduction_var_init(&sum[r], zero);
        for (int i = 0; i < n; i++)
            __pencil_reduction(&sum[r], y[r][i], add);
        for (int i = 0; i < n; i++) {
            __pencil_reduction_var_init(&own[i], zero);
            for (int j = 0; j < m && j <= i; j++)
                __pencil_reduction(&own[i], x[r][i][j] ^ sum[r], add);
        }
        for (int i = 0; i < n; i++)
            z[r][i] = own[i];
    }
}
