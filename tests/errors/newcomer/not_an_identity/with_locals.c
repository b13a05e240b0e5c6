#include <pencil.h>
typedef struct { float lo, hi; } range;
static void empty(range *r) { r->lo = 0; r->hi = 0; }
static range both(range a, range b)
{
    range r = a;
    if (b.lo < r.lo)
        r.lo = b.lo;
    if (b.hi > r.hi)
        r.hi = b.hi;
    return r;
}

void extent(int n, const float a[static const restrict n], float out[static const restrict 2])
{
#pragma scop
    range r;
    __pencil_reduction_var_init(&r, empty);
    for (int i = 0; i < n; i++) {
        range x = { a[i], a[i] };
        __pencil_reduction(&r, x, both);
    }
    out[0] = r.lo;
    out[1] = r.hi;
#pragma endscop
}
