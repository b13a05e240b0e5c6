// A local array of run-time extent that is stored and never read, below the rows of a sum.
// sizes: rows=0,3,5 n=1,31 m=1,6
#include <pencil.h>

static void zero(unsigned *v) { *v = 0; }
static unsigned add(unsigned a, unsigned b) { return a + b; }

void nobody_reads(int rows, int n, int m, const unsigned x[static const restrict rows][n][m],
                  unsigned y[static const restrict rows], unsigned z[static const restrict rows]) {
    for (int r = 0; r < rows; r++) {
        unsigned v[n][m], s[n];
        for (int i = 0; i < n; i++) {
            __pencil_reduction_var_init(&s[i], zero);
            for (int j = 0; j < m; j++)
                __pencil_reduction(&s[i], x[r][i][j], add);
        }
        __pencil_reduction_var_init(&y[r], zero);
        for (int i = 0; i < n; i++)
            __pencil_reduction(&y[r], s[i], add);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                v[i][j] = y[r];
        z[r] = y[r] + 1;
    }
}
