// Behind the reduction of a row: what reads an element that another lane stored, stores over one that another lane
// stored, or over one that another lane read.
// sizes: n=33 m=1,7,33,300
#include <pencil.h>

static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }

void reads(int n, int m, float a[static const restrict n][m], float o[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        float s;
        __pencil_reduction_var_init(&s, zero);
        for (int j = 0; j < m; j++) {
            a[i][j] = a[i][j] * 2.0f;
            __pencil_reduction(&s, a[i][j], add);
        }
        o[i] = s + a[i][m / 2];
    }
}

void stores(int n, int m, float a[static const restrict n][m], float o[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        float s;
        __pencil_reduction_var_init(&s, zero);
        for (int j = 0; j < m; j++) {
            a[i][j] = a[i][j] * 2.0f;
            __pencil_reduction(&s, a[i][j], add);
        }
        a[i][m - 1] = s;
        o[i] = s;
    }
}

void stores_over(int n, int m, float a[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        float s;
        __pencil_reduction_var_init(&s, zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s, a[i][j], add);
        a[i][m - 1] = s;
    }
}
