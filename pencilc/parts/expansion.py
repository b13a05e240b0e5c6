"""Which locals of loops need a dimension for a loop of their scope: what one iteration leaves for other parts.

for i { float s; ... }        s[i], unless the loop over i goes around all parts that use s; where i may be below zero,
                              s[i - least]
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Seq
from functools import reduce

import islpy as isl

from pencilc import islx
from pencilc.analysis.box import Domains
from pencilc.analysis.iterators import iterator_of
from pencilc.ir.schedule import Row
from pencilc.ir.scop import Array, Scop
from pencilc.ir.storage import Expanded, Expansion
from pencilc.parts.part import Unmappable


def expansion(scop: Scop, array: Array, users: Seq[tuple[str, tuple[Row, ...]]], domains: Domains) -> Expansion:
    """The iterators of the array's scope that need a dimension, with the bounds of each; raises Unmappable.

    `users`: the statements that touch the array, with the rows of the sequential loops around their parts.
    """
    found: list[Expanded] = []
    for position, iterator in enumerate(array.scope_iterators):
        if not all(_goes_around(scop, rows, statement, position) for statement, rows in users):
            touched = [domains[statement] for statement, _ in users if not domains[statement].is_empty()]
            found.append(Expanded(iterator, *_bounds(touched, position)))
    return tuple(found)


def _goes_around(scop: Scop, rows: Seq[Row], statement: str, position: int) -> bool:
    """Whether one of `rows` is the loop at depth `position` of the statement; scopes are prefixes of the loops."""
    own = scop.statement(statement).iterators[position].name
    return any(iterator_of(scop, row, statement) == own for row in rows)


def _bounds(domains: Seq[isl.Set], position: int) -> tuple[isl.PwAff, isl.PwAff | None]:
    """The greatest value of a dimension, and the least one if it may be below zero, as functions of the parameters."""
    if not domains:
        raise Unmappable("a local that no statement touches")
    largest = _bound(domains, position, islx.highest, isl.PwAff.union_max)
    if all(_from_zero(domain, position) for domain in domains):
        return largest, None
    return largest, _bound(domains, position, islx.lowest, isl.PwAff.union_min)


def _bound(
    domains: Seq[isl.Set],
    position: int,
    of: Callable[[isl.Set, int], isl.PwAff | None],
    joined: Callable[[isl.PwAff, isl.PwAff], isl.PwAff],
) -> isl.PwAff:
    found: list[isl.PwAff] = []
    for domain in domains:
        bound = of(domain, position)
        if bound is None:
            raise Unmappable("a kernel uses a local of a loop without a known bound of another one")
        found.append(bound)
    return reduce(joined, found)


def _from_zero(domain: isl.Set, position: int) -> bool:
    below = domain.intersect(islx.variable(domain, position).lt_set(islx.constant(domain, 0)))
    return bool(below.is_empty())
