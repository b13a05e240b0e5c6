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

/* Arrays that nothing uses are called as loops are, and as what building blocks make. */
void names_of_arrays(int n, int m, int t[static const restrict n], int i[static const restrict m],
                     unsigned a[static const restrict n][m], int row[static const restrict n],
                     int acc[static const restrict n], int at[static const restrict n]) {
#pragma scop
    for (int t = 0; t < 5; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = m - 2; j >= 1; j--)
                a[i][j + 1] = a[i - 1][j] + a[i][j] * 3 + a[i + 1][j];
    for (int i = 0; i < n; i++) {
        unsigned s = 0;
        for (int row = 0; row < m; row++)
            s += a[i][row];
        a[i][0] = s;
    }
    {
        unsigned acc = sizeof(acc);
        for (int at = 0; at < n; at++)
            for (int left = 0; left < m; left++)
                acc += a[at][left];
        for (int count = 0; count < n && m > 0; count++)
            a[count][0] = acc;
    }
#pragma endscop
}
