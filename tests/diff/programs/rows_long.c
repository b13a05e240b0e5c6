// sizes: n=2 m=131075
// Rows so few and so long that several blocks share one, each row with a ticket of its own.
#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }

void long_rows(int n, int m, const int a[static const restrict n][m], int s[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s[i], a[i][j], add);
    }
}
