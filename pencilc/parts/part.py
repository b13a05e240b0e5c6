"""Parts: what stands between the schedule and a back end: rows by role and statements, before anything has a shape.

    host      rows of sequential loops around the part
    kept      P rows: one result (or one independent iteration) for each point
    reduced   R rows: points that are combined

Nothing here knows what a part becomes: a kernel on a GPU, a loop nest on a CPU.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Seq

from pencilc import islx
from pencilc.ir.schedule import Row, Tree, statements_of
from pencilc.ir.scop import AccessKind, Scop, StatementKind
from pencilc.records import dataclass


class Unmappable(Exception):
    """This part has no parallel form yet; the message says why, for the report."""


class Spread(Unmappable):
    """This part has no shape for reductions that other parts begin or go on with."""

    def __init__(self, reductions: tuple[str, ...], reason: str) -> None:
        super().__init__(reason)
        self.reductions = reductions


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


def leaves_loop(scop: Scop, statements: Iterable[str]) -> bool:
    """Whether a loop on the host may be left behind one of `statements`: nothing passes that place."""
    return any(scop.statement(name).kind is StatementKind.LEAVE for name in statements)


def meet(scop: Scop, statements: Seq[str], others: Seq[str]) -> bool:
    """Whether one of `statements` and one of `others` may touch one element, and not both only read it."""
    return touch(scop, statements, [access for name in others for access in scop.touched(name)])


def touch(scop: Scop, statements: Seq[str], accesses: Seq[tuple[AccessKind, islx.Subscripted]]) -> bool:
    """Whether one of `statements` may touch an element of one of `accesses`, and not both only read it."""
    ours = [access for name in statements for access in scop.touched(name)]
    for kind, place in accesses:
        for own, here in ours:
            if (kind is not AccessKind.READ or own is not AccessKind.READ) and islx.may_meet(here, place):
                return True
    return False


def ends_elsewhere(scop: Scop, statements: Seq[str], part: Part) -> bool:
    """Whether one of `statements` updates a reduction that neither they nor `part` end.

    As a thing that `part` does besides, the update would be in place, before the initialisation, which the merge node
    in another part is; on its own it is a reduction, whose initialisation comes first.
    """
    reduced = statements_of(part.body)
    return any(
        reduction.merge not in statements and not set(reduction.updates).intersection(reduced)
        for name in statements
        if (reduction := scop.reduction_with(name)) is not None and name in reduction.updates
    )


def needed(scop: Scop, users: Iterable[str], among: Seq[str]) -> tuple[str, ...]:
    """Those of the statements `among` whose values the statements `users` read, and those that these need, in order."""
    users = set(users)
    wanted = _read(scop, users)
    found: list[str] = []
    for name in reversed(among):
        written = scop.written((name,))
        if written & wanted and name not in users:
            found.insert(0, name)
            wanted |= _read(scop, (name,)) | written
    return tuple(found)


def _read(scop: Scop, statements: Iterable[str]) -> set[str]:
    """What statements read: an update reads its variable too."""
    kinds = (AccessKind.READ, AccessKind.UPDATE)
    return {a.array for s in statements for a in scop.statement(s).accesses if a.kind in kinds}


def part_statements(part: Part) -> tuple[str, ...]:
    """Every statement of a part, in order."""
    return (*part.prologue, *statements_of(part.body), *part.post)
