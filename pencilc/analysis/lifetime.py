"""Who sees a variable besides the statements that are looked at."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from pencilc.ir.scop import Access, ArrayKind, Scop


def accesses_outside(scop: Scop, symbol: str, inside: AbstractSet[str]) -> Iterator[Access]:
    """The accesses of a variable, but for kills, in all statements but `inside` and the inits that end there."""
    for name, accesses in scop.accesses_to(symbol).items():
        if name not in inside and not any(r.merge in inside for r in scop.initialised_by(name)):
            yield from accesses


def is_seen(scop: Scop, symbol: str, inside: AbstractSet[str]) -> bool:
    """Whether somebody else than the statements `inside` sees a variable: the caller, or another statement."""
    if any(array.kind is not ArrayKind.LOCAL for array in scop.arrays_of(symbol)):
        return True
    return any(True for _ in accesses_outside(scop, symbol, inside))
