// Elements of reductions and of stitched rows that hold a loop: what it reads moves with it, however it lies in memory.
// sizes: n=0,1,9 m=1,34,131
#include <pencil.h>

static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }

// The loop is never empty, so `y[k][j]` is read for every element.
int polynomials(int m, const int y[static const restrict 3][m], const int u[static const restrict 3]) {
    int total;
    __pencil_reduction_var_init(&total, zero);
    for (int j = 0; j < m; j++) {
        int v = 0;
        for (int k = 0; k < 3; k++) v = v * 2 + y[k][j] * u[k];
        __pencil_reduction(&total, v, add);
    }
    return total;
}

// In every stage of a row.
void rows(int n, int m, const int x[static const restrict n][m], const int y[static const restrict 3][m],
          int out[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int s;
        __pencil_reduction_var_init(&s, zero);
        for (int j = 0; j < m; j++) {
            int v = x[i][j];
            for (int k = 0; k < 3; k++) v = v * 2 ^ y[k][j];
            __pencil_reduction(&s, v, add);
        }
        for (int j = 0; j < m; j++) {
            int v = s;
            for (int k = 0; k < 3; k++) v = v * 3 ^ y[k][j];
            out[i][j] = v - x[i][j];
        }
    }
#pragma endscop
}
