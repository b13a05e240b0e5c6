"""Nominal sizes: what decides where the sizes are not known when a region is compiled.

Every parameter has the value that the user gives, else NOMINAL, or as near to that as what is known of it allows.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as Seq
from math import prod

import islpy as isl

from pencilc import islx
from pencilc.analysis.box import Domains, image
from pencilc.ir.schedule import Row

NOMINAL = 2048


def points(domains: Domains, rows: Seq[Row], statements: Seq[str]) -> int:
    """The number of points of the box around the values of `rows`; `domains` have no free parameters."""
    total = 1
    for row in rows:
        inside = [s for s in islx.pw_affs_of(row.function) if s in statements]
        total *= volume(image(domains, (row,), inside[:1])) if inside else 1
    return total


def likely(context: isl.Set, given: Iterable[tuple[str, int]]) -> isl.Set:
    """The context with the sizes that are given, but for those that it does not allow."""
    for name, value in given:
        position = context.find_dim_by_name(isl.dim_type.param, name)
        fixed = context.fix_val(isl.dim_type.param, position, isl.Val(value)) if position >= 0 else context
        context = context if fixed.is_empty() else fixed
    return context


def at_nominal_sizes(points: isl.Set, context: isl.Set) -> isl.Set:
    """`points` with every parameter fixed to its nominal value within the context, which is a `likely` one."""
    known = context
    for position in range(points.dim(isl.dim_type.param)):
        name = str(points.get_dim_name(isl.dim_type.param, position))
        at = known.find_dim_by_name(isl.dim_type.param, name)
        value = NOMINAL
        if at >= 0:
            value = _nominal(known, at)
            known = known.fix_val(isl.dim_type.param, at, isl.Val(value))
        points = points.fix_val(isl.dim_type.param, position, isl.Val(value))
    return points


def _nominal(context: isl.Set, position: int) -> int:
    """The value of a parameter nearest to NOMINAL that the context allows, one below it if there is any."""
    if not context.fix_val(isl.dim_type.param, position, isl.Val(NOMINAL)).is_empty():
        return NOMINAL
    params = context.dim(isl.dim_type.param)
    values = isl.Set.from_params(context).move_dims(isl.dim_type.set, 0, isl.dim_type.param, position, 1)
    values = values.project_out(isl.dim_type.param, 0, params - 1)
    below = values.upper_bound_val(isl.dim_type.set, 0, isl.Val(NOMINAL))
    nearest = values.dim_min_val(0) if below.is_empty() else below.dim_max_val(0)
    return int(nearest.to_python()) if nearest.is_int() else 0


def volume(points: isl.Set) -> int:
    """Points of the box around a set without free parameters; sides without a bound count as nominal."""
    return 0 if points.is_empty() else prod(NOMINAL if side is None else len(side) for side in box_sides(points))


def box_sides(points: isl.Set) -> list[range | None]:
    """The values along each side of the box around a set that is not empty, without free parameters.

    None is a side without a bound.
    """
    found: list[range | None] = []
    for position in range(islx.dimensions(points)):
        low, high = points.dim_min_val(position), points.dim_max_val(position)
        is_bounded = low.is_int() and high.is_int()
        found.append(range(int(low.to_python()), int(high.to_python()) + 1) if is_bounded else None)
    return found
