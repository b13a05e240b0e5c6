// A PENCIL function without host code: pencilc writes range.cu.
#include <float.h>
#include <pencil.h>

#include "range.h"

static void nothing(Range *range) { range->least = FLT_MAX; range->greatest = -FLT_MAX; }

static Range wider(Range a, Range b) {
    Range both = {a.least < b.least ? a.least : b.least, a.greatest > b.greatest ? a.greatest : b.greatest};
    return both;
}

static Range only(float value) { Range range = {value, value}; return range; }

Range range_of(int n, const float a[static const restrict n]) {
    Range range;
    __pencil_reduction_var_init(&range, nothing);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&range, only(a[i]), wider);
    return range;
}
