// sizes: n=3 m=5 k=300
// Columns with an outer kept loop whose rows are split over blocks: a ticket for each tile of each.
#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }

void deep(int n, int k, int m, const float a[static const restrict n][k][m], float s[static const restrict n][m]) {
    for (int b = 0; b < n; b++)
        for (int j = 0; j < m; j++)
            __pencil_reduction_var_init(&s[b][j], zero);
    for (int b = 0; b < n; b++)
        for (int i = 0; i < k; i++)
            for (int j = 0; j < m; j++)
                __pencil_reduction(&s[b][j], a[b][i][j], add);
}
