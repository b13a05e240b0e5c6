// sizes: n=1,1031 m=2,5,16,17,64,127,130
// Rows of every width of a team of lanes, of a pitch that leaves some of them unaligned.
#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }

void rows_short(int n, int m, const int a[static const restrict n][m], int s[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s[i], a[i][j], add);
    }
}
