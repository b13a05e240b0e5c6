// Sequential loops one behind the other, whose kernels know them by different names and types.
// sizes: n=0,1,33,130
#include <pencil.h>

static void zero(unsigned *v) { *v = 0; }
static unsigned add(unsigned a, unsigned b) { return a + b; }

void neighbours(int n, int a[static const restrict n], int b[static const restrict n]) {
#pragma scop
    for (int t = 0; t < 3; t++)
        for (int i = 0; i < n; i++)
            a[i] = a[n - 1 - i] > 2 ? t : a[i] + 1;
    for (short u = 0; u < 3; u++)
        for (int i = 0; i < n; i++)
            b[i] = b[n - 1 - i] > 2 ? u : b[i] + a[i];
#pragma endscop
}

void crossed(int n, unsigned q[static const restrict n], const unsigned x[static const restrict n][n]) {
#pragma scop
    for (int j = 1; j < n; j++) {
        unsigned s;
        __pencil_reduction_var_init(&s, zero);
        for (int i = 0; i < n; i++)
            __pencil_reduction(&s, x[j][i], add);
        q[j] = s + q[j - 1];
    }
    for (int k = 0; k < n - 1; k++) {
        unsigned s;
        __pencil_reduction_var_init(&s, zero);
        for (int i = 0; i < n; i++)
            __pencil_reduction(&s, q[i] * 5, add);
        q[k] = s;
    }
#pragma endscop
}
