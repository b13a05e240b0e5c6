"""Parts: what stands between the schedule and a back end: rows by role and statements, before anything has a shape.

    host      rows of sequential loops around the part
    kept      P rows: one result (or one independent iteration) for each point
    reduced   R rows: points that are combined

Nothing here knows what a part becomes: a kernel on a GPU, a loop nest on a CPU.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Seq
from dataclasses import dataclass

from pencilc import islx
from pencilc.ir.schedule import Row, Tree, statements_of
from pencilc.ir.scop import Access, AccessKind, Scop


class Unmappable(Exception):
    """This part has no parallel form yet; the message says why, for the report."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Rows by role and statements that become one kernel, or one loop nest."""

    host: tuple[Row, ...]
    kept: tuple[Row, ...]
    reduced: tuple[Row, ...]
    body: Tree | None
    prologue: tuple[str, ...] = ()
    post: tuple[str, ...] = ()
    indirect: tuple[str, ...] = ()  # reductions that the part updates in place (parts/in_place.py)


@dataclass(frozen=True, slots=True, eq=False)
class SequentialLoop:
    """A sequential loop around parts."""

    row: Row
    items: tuple[Part | SequentialLoop, ...]


Items = tuple[Part | SequentialLoop, ...]


def parts_of(items: Iterable[Part | SequentialLoop]) -> Iterator[Part]:
    """Every part below `items`, in order."""
    for item in items:
        if isinstance(item, Part):
            yield item
        else:
            yield from parts_of(item.items)


def meet(scop: Scop, statements: Seq[str], others: Seq[str]) -> bool:
    """Whether one of `statements` and one of `others` may touch one element, and not both only read it."""
    for first in _touched(scop, statements):
        for second in _touched(scop, others):
            if _meet(first, second):
                return True
    return False


def _touched(scop: Scop, statements: Seq[str]) -> list[Access]:
    return [access for access in scop.accesses(statements) if access.kind is not AccessKind.KILL]


def _meet(first: Access, second: Access) -> bool:
    if first.array != second.array or first.kind is second.kind is AccessKind.READ:
        return False
    places = [(a.array, islx.fixed_values(a.relation)) for a in (first, second)]
    return islx.may_meet(places[0], places[1])


def part_statements(part: Part) -> tuple[str, ...]:
    """Every statement of a part, in order."""
    return (*part.prologue, *statements_of(part.body), *part.post)
