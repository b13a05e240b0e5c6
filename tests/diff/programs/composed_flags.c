// Kernels behind a composed one under several conditions, among others that it does not stand for: all of them ask
// whether it, and a stitched one behind it, has run.
// sizes: rows=3,5,40 n=1,9,33 m=1,6
#include <pencil.h>

static void zero(unsigned *v) { *v = 0; }
static unsigned add(unsigned a, unsigned b) { return a + b; }
static unsigned larger(unsigned a, unsigned b) { return a > b ? a : b; }

void flags(int rows, int n, int m, const unsigned x[static const restrict rows][n][m],
           unsigned factor[static const restrict rows][n], unsigned kept[static const restrict rows][n],
           unsigned twice[static const restrict rows][n][m], unsigned most[static const restrict rows][n],
           unsigned sum[static const restrict rows]) {
    for (int r = 0; r < rows; r++) {
        unsigned own[n];
        for (int i = n - 1; i >= 0; i--)
            own[i] = 3u * (unsigned)i;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                twice[r][i][j] = x[r][i][j] * 2u;
        for (int i = 0; i < n; i++) {
            __pencil_reduction_var_init(&most[r][i], zero);
            for (int j = 0; j < m; j++)
                __pencil_reduction(&most[r][i], x[r][i][j] ^ own[i], larger);
        }
        __pencil_reduction_var_init(&sum[r], zero);
        for (int i = n - 1; i >= 0; i--)
            __pencil_reduction(&sum[r], (unsigned)i + most[r][i] + factor[r][i], add);
        for (int i = 0; i < n; i++)
            kept[r][i] = own[i];
    }
}
