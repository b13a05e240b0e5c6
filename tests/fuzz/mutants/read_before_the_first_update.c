#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
void f(int n, const int x[static const restrict n], int o[static const restrict n]) {
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) o[i] = s;
    for (int i = 0; i < n; i++) { __pencil_reduction(&s, x[i], add); }
    if (n > 0) o[0] = s;
}
