// Divisions and functions in elements take registers of their own: none may be spilled.
// sizes: n=0,1,33,1009 m=0,9,100
#include <pencil.h>
#include <math.h>
static void zero(double *v) { *v = 0.0; }
static double add(double a, double b) { return a + b; }
void f(int n, int m, const double x[static const restrict n][m], const double s[static const restrict n], double y[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        double t;
        __pencil_reduction_var_init(&t, zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&t, x[i][j] / s[i], add);
        y[i] = t;
    }
}
void g(int n, int m, const double x[static const restrict n][m], const double s[static const restrict m], double y[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        double t;
        __pencil_reduction_var_init(&t, zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&t, x[i][j] / s[j], add);
        y[i] = t;
    }
}
double h(int n, const double x[static const restrict n], double s) {
        double t;
        __pencil_reduction_var_init(&t, zero);
        for (int j = 0; j < n; j++) __pencil_reduction(&t, sin(x[j]) / s + pow(x[j], s), add);
        return t;
}
