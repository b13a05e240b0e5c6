"""Images of statements under schedule rows, and whether they are boxes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

import islpy as isl

from pencilc import islx
from pencilc.ir.schedule import Row
from pencilc.ir.scop import Reduction, Scop
from pencilc.ir.shapes import BoxDimension, Kernel

Domains = Mapping[str, isl.Set]


def fixed(domains: Domains, rows: Sequence[Row], names: Sequence[str]) -> dict[str, isl.Set]:
    """Each domain { S[i] } cut down to the instances whose rows have the values of the parameters `names`."""
    result: dict[str, isl.Set] = {}
    for statement, domain in domains.items():
        for row, name in zip(rows, names, strict=True):
            function = islx.pw_affs_of(row.function).get(statement)
            # A scalar that is computed outside of an inner row has no place in it.
            domain = domain if function is None else domain.intersect(_where(function, name))
        result[statement] = domain
    return result


def _where(function: isl.PwAff, name: str) -> isl.Set:
    """{ S[i] : f(i) = name } for a new or known parameter `name`."""
    relation = isl.Map.from_pw_aff(function)
    point = isl.Set(f"[{name}] -> {{ [{name}] }}")
    return relation.intersect_range(point).domain()


def image(domains: Domains, rows: Sequence[Row], statements: Iterable[str]) -> isl.Set:
    """{ [t0, t1, ...] }: the values that `rows` take on the statements' instances."""
    result: isl.Set | None = None
    for statement in statements:
        points = at_rows(domains[statement], rows, statement).intersect_domain(domains[statement]).range()
        result = points if result is None else result.union(points)
    if result is None:
        return isl.Set("{ [] }")
    return result.coalesce()


def row_on_init(row: Row, reduction: Reduction) -> Row:
    """The row on the reduction's init as well: what it is on the merge node, which has the same iterators."""
    functions = islx.pw_affs_of(row.function)
    if reduction.init in functions or reduction.merge not in functions:
        return row
    merged = functions[reduction.merge]
    (to_merge,) = islx.maps_of(reduction.i2m)
    function = merged.pullback_pw_multi_aff(to_merge.as_pw_multi_aff())
    return Row(row.flag, islx.union_pw_aff([*functions.values(), function]))


def launches(kernels: Sequence[Kernel]) -> isl.Set:
    """{ [h] }: the values of the host rows for which some of the kernels has something to do."""
    return reduce(isl.Set.union, (kernel.domain for kernel in kernels)).coalesce()


def at_rows(domain: isl.Set, rows: Iterable[Row], statement: str) -> isl.Map:
    """{ S[i] -> [t0, t1, ...] }: the values of `rows` on the instances of a statement."""
    relation = isl.Map.from_domain(domain)
    for row in rows:
        relation = relation.flat_range_product(isl.Map.from_pw_aff(islx.pw_affs_of(row.function)[statement]))
    return relation


def box_of(points: isl.Set, context: isl.Set) -> tuple[BoxDimension, ...] | None:
    """The bounds of { [t] } if it is exactly a box with one affine expression for each bound; None otherwise."""
    bounds = hull_of(points, context)
    if bounds is None:
        return None
    inhabited = points.params().intersect(context)
    return bounds if within(points, bounds).intersect_params(inhabited).is_subset(points) else None


def is_hull_empty_without(points: isl.Set, context: isl.Set, launched: isl.Set) -> bool:
    """Whether the bounds of { [t] } leave nothing for the sizes in `launched` for which there are no points.

    A sum under `if (n > 3)` has none for n = 2, where its bounds `0 <= t < n` do.
    """
    bounds = hull_of(points, context)
    without = launched.intersect(context).subtract(points.params())
    return bounds is None or without.is_empty() or within(points, bounds).intersect_params(without).is_empty()


def is_box_within(points: isl.Set, bounds: tuple[BoxDimension, ...], launched: isl.Set) -> bool:
    """Whether { [t] } has all of the box, for every size in `launched`."""
    return bool(within(points, bounds).intersect_params(launched).is_subset(points))


def within(points: isl.Set, bounds: tuple[BoxDimension, ...], first: int = 0) -> isl.Set:
    """The box of these bounds, of the dimensions from number `first` on, in the space of `points`."""
    hull = isl.Set.universe(points.get_space())
    for position, side in enumerate(bounds, first):
        here = islx.variable(points, position)
        hull = hull.intersect(here.ge_set(_on(points, side.lower))).intersect(here.le_set(_on(points, side.upper)))
    return hull


def hull_of(points: isl.Set, context: isl.Set, with_planes: bool = False) -> tuple[BoxDimension, ...] | None:
    """The bounds of the least box around { [t] }; None without points, or where a bound is no one affine expression.

    `with_planes`: where all points have the same value in a dimension, that may be a quotient or a remainder.
    """
    return _box(points, context, True, with_planes)


def box_around(points: isl.Set, context: isl.Set) -> tuple[BoxDimension, ...] | None:
    """The bounds of a box around { [t] }: where a bound of the least one has several expressions, that one of them
    which holds for all sizes; None without points, or where none does.

    Of { [i] : 0 <= i < n - 1 } and, for m > 1, { [i] : 0 <= i < n } it is 0 <= i < n.
    """
    return _box(points, context, False)


def _box(
    points: isl.Set, context: isl.Set, is_least: bool, with_planes: bool = False
) -> tuple[BoxDimension, ...] | None:
    if points.is_empty():
        return None
    inhabited = points.params().intersect(context)
    found: list[BoxDimension] = []
    for position in range(islx.dimensions(points)):
        lowest, highest = islx.lowest(points, position), islx.highest(points, position)
        if lowest is None or highest is None:
            return None
        lower, upper = lowest.gist(inhabited), highest.gist(inhabited)
        if with_planes and len(islx.pieces(lower)) == 1 and inhabited.is_subset(lower.eq_set(upper).params()):
            found.append(BoxDimension(lower, lower))
            continue
        if not is_least:
            lower, upper = _below(lower, inhabited), _above(upper, inhabited)
        if len(islx.pieces(lower)) != 1 or len(islx.pieces(upper)) != 1:
            return None
        if not (_is_integral(lower) and _is_integral(upper)):
            return None
        found.append(BoxDimension(lower, upper))
    return tuple(found)


def sides_around(points: isl.Set, context: isl.Set, position: int) -> tuple[BoxDimension, ...]:
    """The ways to bound a dimension of { [t] } by one expression at each end, for all sizes: what ends at the lesser of
    r and n - 1 ends at r, and at n - 1.
    """
    inhabited = points.params().intersect(context)
    lowest, highest = islx.lowest(points, position), islx.highest(points, position)
    if lowest is None or highest is None:
        return ()
    lowers = (each.neg() for each in _all_above(lowest.gist(inhabited).neg(), inhabited))
    uppers = _all_above(highest.gist(inhabited), inhabited)
    sides = (BoxDimension(lower, upper) for lower in lowers for upper in uppers)
    return tuple(each for each in sides if _is_integral(each.lower) and _is_integral(each.upper))


def _above(function: isl.PwAff, inhabited: isl.Set) -> isl.PwAff:
    """The first of `_all_above`; the function itself where there is none."""
    return next(iter(_all_above(function, inhabited)), function)


def _all_above(function: isl.PwAff, inhabited: isl.Set) -> list[isl.PwAff]:
    """Those of the function's expressions which are nowhere below it, one with a limit first if there is such."""
    expressions = (isl.PwAff.from_aff(expression) for _, expression in islx.pieces(function))
    found = [each for each in expressions if function.gt_set(each).intersect(inhabited).is_empty()]
    return sorted(found, key=lambda each: not each.intersect_params(inhabited).max_val().is_int())


def _below(function: isl.PwAff, inhabited: isl.Set) -> isl.PwAff:
    """That one of the function's expressions which is nowhere above it; the function itself where none is."""
    return _above(function.neg(), inhabited).neg()


def ranges_of(points: isl.Set, context: isl.Set) -> tuple[BoxDimension, ...]:
    """The least and the greatest value of each dimension of { [t] }, with divisions and pieces where need be."""
    inhabited = points.params().intersect(context)
    return tuple(
        BoxDimension(points.dim_min(position).gist(inhabited), points.dim_max(position).gist(inhabited))
        for position in range(islx.dimensions(points))
    )


def _is_integral(function: isl.PwAff) -> bool:
    """Whether the function needs no division: its text is then plain arithmetic."""
    aff = islx.pieces(function)[0][1]
    return bool(aff.get_denominator_val().is_one()) and aff.dim(isl.dim_type.div) == 0


def _on(points: isl.Set, function: isl.PwAff) -> isl.PwAff:
    """A function of the parameters as a function on the space of `points`."""
    return function.insert_domain(points.get_space())


def live_domains(scop: Scop) -> dict[str, isl.Set]:
    """The domain of every statement, cut down by the context."""
    return {s.name: s.domain.intersect_params(scop.context) for s in scop.statements}
