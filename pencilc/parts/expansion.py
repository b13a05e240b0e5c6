"""Which locals of loops need a dimension for a loop of their scope: what one iteration leaves for other parts.

for i { float s; ... }        s[i], unless the loop over i goes around all parts that use s
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as Seq

import islpy as isl

from pencilc import islx
from pencilc.analysis.box import Domains
from pencilc.analysis.iterators import iterator_of
from pencilc.ir.schedule import Row
from pencilc.ir.scop import Array, Scop
from pencilc.parts.part import Unmappable


def expansion(
    scop: Scop, array: Array, users: Seq[tuple[str, tuple[Row, ...]]], domains: Domains
) -> tuple[tuple[str, isl.PwAff], ...]:
    """The iterators of the array's scope that need a dimension, with the largest value of each; raises Unmappable.

    `users`: the statements that touch the array, with the rows of the sequential loops around their parts.
    """
    found: list[tuple[str, isl.PwAff]] = []
    for position, iterator in enumerate(array.scope_iterators):
        if not all(_goes_around(scop, rows, statement, position) for statement, rows in users):
            found.append((iterator, _largest((statement for statement, _ in users), position, domains)))
    return tuple(found)


def _goes_around(scop: Scop, rows: Seq[Row], statement: str, position: int) -> bool:
    """Whether one of `rows` is the loop at depth `position` of the statement; scopes are prefixes of the loops."""
    own = scop.statement(statement).iterators[position].name
    return any(iterator_of(scop, row, statement) == own for row in rows)


def _largest(statements: Iterable[str], position: int, domains: Domains) -> isl.PwAff:
    result: isl.PwAff | None = None
    for statement in statements:
        domain = domains[statement]
        if domain.is_empty():
            continue
        largest = islx.highest(domain, position)
        if largest is None:
            raise Unmappable("a kernel uses a local of a loop without a known bound of another one")
        below = domain.intersect(islx.variable(domain, position).lt_set(islx.constant(domain, 0)))
        if not below.is_empty():
            raise Unmappable("a kernel uses a local of a loop that starts below zero of another one")
        result = largest if result is None else result.union_max(largest)
    if result is None:
        raise Unmappable("a local that no statement touches")
    return result
