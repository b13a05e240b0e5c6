"""Who sees a variable besides the statements that are looked at."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pencilc.ir.scop import Access, AccessKind, ArrayKind, Scop


def accesses_outside(scop: Scop, inside: Collection[str]) -> Iterator[Access]:
    """The accesses of all statements but `inside` and the inits of the reductions that end there."""
    own = {*inside, *(r.init for r in scop.reductions if r.merge in inside)}
    for statement in scop.statements:
        if statement.name not in own:
            yield from statement.accesses


def is_seen(scop: Scop, symbol: str, inside: Collection[str]) -> bool:
    """Whether somebody else than the statements `inside` sees a variable: the caller, or another statement."""
    arrays = scop.arrays_of(symbol)
    if any(array.kind is not ArrayKind.LOCAL for array in arrays):
        return True
    names = {array.name for array in arrays}
    for access in accesses_outside(scop, inside):
        if access.array in names and access.kind is not AccessKind.KILL:
            return True
    return False
