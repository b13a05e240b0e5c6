// Two different elements of one array that a stage of a stitched kernel loads: a run of memory for each.
// sizes: n=1,5 m=4,33,8200
#include <pencil.h>

static void zero(unsigned *v) { *v = 0; }
static unsigned add(unsigned a, unsigned b) { return a + b; }

void opposite(int n, int m, const unsigned x[static const restrict n][m], unsigned u[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        unsigned s, t;
        __pencil_reduction_var_init(&s, zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&s, x[i][j] + 2 * x[n - 1 - i][j], add);
        __pencil_reduction_var_init(&t, zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&t, s * x[i][j] ^ x[n - 1 - i][j], add);
        u[i] = t;
    }
#pragma endscop
}

// Neighbours are loaded where one stage alone uses them, too.
void neighbours(int n, int m, const unsigned x[static const restrict n][m], unsigned y[static const restrict n][m]) {
#pragma scop
    for (int i = 1; i < n; i++) {
        unsigned s;
        __pencil_reduction_var_init(&s, zero);
        for (int j = 1; j < m; j++) __pencil_reduction(&s, x[i][j] * x[i][j - 1], add);
        for (int j = 1; j < m; j++) y[i][j] = s + x[i][j] * x[i - 1][j] - x[i - 1][j - 1];
    }
#pragma endscop
}
