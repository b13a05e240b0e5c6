"""Data-dependent conditions: when one set of guards implies another."""

from __future__ import annotations

from dataclasses import fields

from pencilc.ir.queries import names_in
from pencilc.ir.scop import AccessKind, Scop
from pencilc.ir.source import Expr


def implies(stronger: tuple[Expr, ...], weaker: tuple[Expr, ...], scop: Scop) -> bool:
    """Whether every guard in `weaker` is also in `stronger`, with the same value at both places.

    The same expression of the same `if` has the same value, since nothing that it reads is written
    under it; equal expressions of two `if`s have it when nothing in the region writes what they read.
    """
    return all(any(a is b or (_same(a, b) and _is_constant(a, scop)) for a in stronger) for b in weaker)


def _same(left: object, right: object) -> bool:
    """Structural equality without spans."""
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(_same(a, b) for a, b in zip(left, right, strict=True))
    if type(left) is not type(right):
        return False
    if not hasattr(left, "span"):
        return left == right
    names = [f.name for f in fields(left) if f.name != "span"]  # type: ignore[arg-type]
    return all(_same(getattr(left, name), getattr(right, name)) for name in names)


def _is_constant(expr: Expr, scop: Scop) -> bool:
    read = names_in(expr)
    arrays = {a.name for a in scop.arrays if a.symbol.name in read}
    return not any(
        a.array in arrays and a.kind not in (AccessKind.READ, AccessKind.KILL)
        for s in scop.statements
        for a in s.accesses
    )
