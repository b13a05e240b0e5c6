"""Loops that have few iterations, however often they are entered: what may be written out.

for (k < 3) …          for (a < 3) for (b <= a) …
"""

from __future__ import annotations

from collections.abc import Mapping

from pencilc.ir.queries import has_own_jump
from pencilc.ir.source import (
    Binary,
    Cast,
    Expr,
    For,
    IntLiteral,
    Name,
    Node,
    Region,
    TranslationUnit,
    Unary,
    children,
    walk,
)
from pencilc.poly.model.evaluate import GiveUp, Interpreter
from pencilc.records import dataclass

# Iterations of a loop that is written out, at most.
_MOST_ITERATIONS = 32
STEPS = 10_000  # of the interpreter, for one expression


@dataclass(frozen=True, slots=True)
class ShortLoop:
    """A loop whose counter has no other `values` than these."""

    loop: For
    values: tuple[int, ...]


def short_loops(unit: TranslationUnit, region: Region) -> dict[int, ShortLoop]:
    """The loops, by id, that have few iterations however often they are entered, and that no jump leaves."""
    found: dict[int, ShortLoop] = {}

    def look(stmt: Node, ranges: dict[str, tuple[int, ...]]) -> None:
        if isinstance(stmt, For):
            values = _all_values(unit, stmt, ranges)
            if values is not None:
                if not has_own_jump(stmt.body):
                    found[id(stmt)] = ShortLoop(stmt, values)
                ranges = {**ranges, stmt.iterator.name: values}
        for child in children(stmt):
            look(child, ranges)

    look(region.body, {})
    return found


def _all_values(unit: TranslationUnit, loop: For, ranges: Mapping[str, tuple[int, ...]]) -> tuple[int, ...] | None:
    """The values that the counter may have, the counters around having values in `ranges`; None if they are many."""
    used = [n.symbol.name for e in (loop.lower, loop.bound) for n in walk(e) if isinstance(n, Name)]
    if any(name not in ranges for name in used):
        return None
    points: list[dict[str, int]] = [{}]
    for name in dict.fromkeys(used):
        points = [{**point, name: value} for point in points for value in ranges[name]]
        if len(points) > _MOST_ITERATIONS:
            return None
    found: set[int] = set()
    for point in points:
        values = counter_values(unit, loop, point)
        if values is None:
            return None
        found.update(values)
    return tuple(sorted(found)) if len(found) <= _MOST_ITERATIONS else None


def counter_values(unit: TranslationUnit, loop: For, known: Mapping[str, int]) -> list[int] | None:
    """The values of the counter in order, those of other counters being known; None if they are unknown or many."""
    machine = Interpreter(unit, STEPS)
    machine.env.update(known)
    condition = Binary(
        loop.relation, Name(loop.iterator, loop.iterator.type, loop.span), loop.bound, loop.bound.type, loop.span
    )
    values: list[int] = []
    try:
        at = machine.convert(machine.value(loop.lower), loop.iterator.type)
        while isinstance(at, int) and len(values) <= _MOST_ITERATIONS:
            machine.env[loop.iterator.name] = at
            if not machine.truth(condition):
                return values
            values.append(at)
            after = at + loop.step if loop.factor is None else loop.factor.next(at)
            at = machine.convert(after, loop.iterator.type)
    except GiveUp:
        return None
    return None


def is_arithmetic(expr: Expr, names: set[str]) -> bool:
    """Whether the expression is made of constants, `names` and operators alone."""
    for node in walk(expr):
        if isinstance(node, Name) and node.symbol.name not in names:
            return False
        if not isinstance(node, Name | IntLiteral | Binary | Unary | Cast):
            return False
    return True
