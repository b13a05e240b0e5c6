// More accumulators than a thread has registers for: each of the kernels makes the values that it needs, and what
// one of them is stitched with shares a launch with that one alone.
// sizes: n=0,1,5 m=1,40
#include <pencil.h>

typedef struct {
    double a, b, c, d, e, f, g, h;
} Sums;

static void none(Sums *v) {
    Sums r = {0, 0, 0, 0, 0, 0, 0, 0};
    *v = r;
}
static Sums join(Sums x, Sums y) {
    Sums r = {x.a + y.a, x.b + y.b, x.c + y.c, x.d + y.d, x.e + y.e, x.f + y.f, x.g + y.g, x.h + y.h};
    return r;
}
static Sums of(double x, int k) {
    Sums r = {x, x * k, x + k, k, x - k, 2 * x, 3 * x, 1};
    return r;
}
static double cut(double x) { return x > 3 ? 3 : x; }

void many(int n, int m, const double x[static const restrict n][m], double y[static const restrict n][m]) {
#pragma scop
    __pencil_assume(m > 0);
    for (int i = 0; i < n; i++) {
        double r = cut(x[i][0]);
        Sums s0, s1, s2, s3, s4, s5, s6;
        __pencil_reduction_var_init(&s0, none);
        __pencil_reduction_var_init(&s1, none);
        __pencil_reduction_var_init(&s2, none);
        __pencil_reduction_var_init(&s3, none);
        __pencil_reduction_var_init(&s4, none);
        __pencil_reduction_var_init(&s5, none);
        __pencil_reduction_var_init(&s6, none);
        for (int j = 0; j < m; j++) {
            double l = cut(x[i][j]) + r;
            __pencil_reduction(&s0, of(l, 0), join);
            __pencil_reduction(&s1, of(l, 1), join);
            __pencil_reduction(&s2, of(l, 2), join);
            __pencil_reduction(&s3, of(l, 3), join);
            __pencil_reduction(&s4, of(l, 4), join);
            __pencil_reduction(&s5, of(l, 5), join);
            __pencil_reduction(&s6, of(l, 6), join);
        }
        for (int j = 0; j < m; j++)
            y[i][j] = cut(x[i][j]) + s0.a + s1.b + s2.c + s3.d + s4.e + s5.f + s6.g - s6.h;
    }
#pragma endscop
}
