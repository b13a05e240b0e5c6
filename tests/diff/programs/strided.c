// sizes: n=0,1,33 m=1,9
// Loops of other steps than one: what is read is not contiguous.
#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }

int every_second(int n, const int a[static const restrict n]) {
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i += 2)
        __pencil_reduction(&s, a[i], add);
    return s;
}

int pairs(int n, const int a[static const restrict n]) {
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i + 1 < n; i += 2)
        __pencil_reduction(&s, a[i] * a[i + 1], add);
    return s;
}

int backwards(int n, const int a[static const restrict n]) {
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = n - 1; i > 0; i -= 2)
        __pencil_reduction(&s, a[i] * a[i - 1], add);
    return s;
}

void odd_columns(int n, int m, const int a[static const restrict n][m], int s[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 1; j < m; j += 2)
            __pencil_reduction(&s[i], a[i][j], add);
    }
}
