"""The C type of flat indices: 32 bits only where the domain proves them enough."""

from __future__ import annotations

from math import prod

import islpy as isl

from pencilc import islx

# An index may run past its bound by the points that a whole grid takes at once, which is far less than this again.
_LIMIT = 2**30


def index_type(points: isl.Set, context: isl.Set) -> str:
    """`int` if { [t] }, the points of a kernel, are provably fewer than 2^30 and within +-2^30; else `long long`."""
    if islx.dimensions(points) == 0:
        return "int"
    known = points.intersect_params(context).project_out_all_params()
    if known.is_empty():
        return "int"
    ranges = []
    for position in range(islx.dimensions(known)):
        low, high = known.dim_min_val(position), known.dim_max_val(position)
        if not (low.is_int() and high.is_int()) or abs(low.to_python()) > _LIMIT or abs(high.to_python()) > _LIMIT:
            return "long long"
        ranges.append(high.to_python() - low.to_python() + 1)
    return "int" if prod(ranges) < _LIMIT else "long long"
