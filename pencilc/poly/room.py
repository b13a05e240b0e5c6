"""How much memory all iterations of some loops take where each has a variable for itself, and whether there is room."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as Seq

import islpy as isl

from pencilc import islx
from pencilc.ir.scop import Array, ArrayKind, Scop, Statement
from pencilc.ir.source import Expr, element_type, extents
from pencilc.poly.conditions import value_of_sizes

_SMALL = 256  # bytes of an array of which there may be as many as an array of the caller's has elements


def most_iterations(scop: Scop, statements: Iterable[Statement], depth: int) -> isl.PwAff | None:
    """The number of values that the loop at `depth` around all of the statements has at most, where all have the same
    ones.
    """
    found: isl.PwAff | None = None
    for count in _counts(scop, statements, depth):
        if count is None:
            return None
        found = count if found is None else found.union_max(count)
    return found


def number_of_iterations(scop: Scop, statements: Iterable[Statement], depth: int) -> Expr | None:
    """How many iterations the loop at `depth` around all of the statements has at most, as a value of the source."""
    counts = _counts(scop, statements, depth)
    largest = next((c for c in counts if c is not None and all(_is_at_most(each, c) for each in counts)), None)
    return None if largest is None else value_of_sizes(largest, scop.params)


def _counts(scop: Scop, statements: Iterable[Statement], depth: int) -> list[isl.PwAff | None]:
    return [islx.count_along(s.domain.intersect_params(scop.context), depth) for s in statements]


def _is_at_most(count: isl.PwAff | None, other: isl.PwAff) -> bool:
    """Whether a number is never larger than another one, which is there wherever the first one is."""
    return count is not None and bool(count.domain().is_subset(count.le_set(other)))


def is_small_enough(scop: Scop, array: Array, iterations: Seq[isl.PwAff | None]) -> bool:
    """Whether the variables of all iterations together have no more elements than an array of the caller's."""
    is_small = 0 < array.symbol.type.size <= _SMALL
    sides = [*iterations, *([] if is_small else _own_extents(scop, array))]
    given = (_extents(scop, each) for each in scop.arrays if each.kind is ArrayKind.PARAM)
    return any(islx.has_room(scop.context, elements, sides) for elements in given)


def most_bytes(scop: Scop, array: Array, iterations: Seq[isl.PwAff | None]) -> int | None:
    """The bytes that the variables of all iterations take at most; None where nothing that is known bounds them."""
    total = element_type(array.symbol.type).size
    for side in (*iterations, *_own_extents(scop, array)):
        largest = None if side is None else side.intersect_params(scop.context).max_val()
        if largest is None or not largest.is_int():
            return None
        total *= max(0, int(largest.to_python()))
    return total


def _own_extents(scop: Scop, array: Array) -> list[isl.PwAff | None]:
    """The extents of the source's array, whatever arrays its members are."""
    return _extents(scop, array)[: len(extents(array.symbol.type))]


def _extents(scop: Scop, array: Array) -> list[isl.PwAff | None]:
    """The number of elements of each dimension of an array, as functions of the parameters."""
    extent = array.extent.intersect_params(scop.context)
    first = len(array.scope_iterators)
    return [islx.count_along(extent, position) for position in range(first, islx.dimensions(extent))]
