// seed 0
// Nothing comes of `s` and of what is computed from it: no accumulator that nvcc finds set but never used, and no
// function that only the reduction called.
#include <pencil.h>
typedef struct { int low, high; } Range;
static Range only(int x) { Range r = { x, x }; return r; }
static Range join(Range a, Range b) { Range r = { min(a.low, b.low), max(a.high, b.high) }; return r; }
static void nothing(Range *r) { r->low = 1 << 30; r->high = -(1 << 30); }
void f(int n, int m, const int a[static const restrict n], int b[static const restrict n])
{
#pragma scop
    if (m > 2) {
        Range s;
        __pencil_reduction_var_init(&s, nothing);
        for (int i = 0; i < n; i++)
            __pencil_reduction(&s, only(a[i]), join);
        int w = s.low % 1000;
        int v = w + 1;
    }
    for (int i = 0; i < n; i++) b[i] = a[i];
#pragma endscop
}
