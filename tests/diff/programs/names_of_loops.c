// A loop around a statement that is a loop itself, in one body with loops of other names.
// sizes: rows=3,5 n=1,3 m=1,6
#include <pencil.h>

static void zero(unsigned *v) { *v = 0; }
static unsigned add(unsigned a, unsigned b) { return a + b; }

void names_of_loops(int rows, int n, int m, const unsigned x[static const restrict rows][n][m],
                    unsigned y[static const restrict rows][n], unsigned z[static const restrict rows]) {
    for (int r = 0; r < rows; r++)
        for (int t = 0; t < 3; t++) {
            unsigned v[m];
            for (int i = 0; i < n; i++) {
                __pencil_reduction_var_init(&y[r][i], zero);
                for (int j = 0; j < m && j <= i; j++)
                    __pencil_reduction(&y[r][i], x[r][i][j] + 1, add);
            }
            for (int j = m - 1; j >= 0; j--) {
                __pencil_reduction_var_init(&v[j], zero);
                for (int i = 0; i < n; i++)
                    __pencil_reduction(&v[j], x[r][i][j] + y[r][i], add);
            }
            for (int j = 0; j < m; j++)
                z[r] = z[r] * 3 + v[j];
        }
}
