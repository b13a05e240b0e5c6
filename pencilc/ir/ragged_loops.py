"""Ragged loops: which iterators of a statement have bounds that are data, and when two loops have the same ones.

for (int j = start[i]; j < start[i + 1]; j++)       first = start[i], end = start[i + 1]
"""

from __future__ import annotations

from collections.abc import Mapping

from pencilc.ir.queries import names_in
from pencilc.ir.scop import Loop, Statement
from pencilc.ir.source import Expr, Name, walk
from pencilc.ir.source_printer import print_expr


def ragged_depths(statement: Statement) -> tuple[int, ...]:
    """The positions of the ragged loops around the statement."""
    return tuple(depth for depth, loop in enumerate(statement.loops) if loop.is_ragged)


def used_depths(statement: Statement, loop: Loop) -> tuple[int, ...]:
    """The positions of the iterators of the statement that the bounds of `loop`, and what they stand under, name."""
    names = names_in(*loop.evaluated)
    return tuple(depth for depth, iterator in enumerate(statement.iterators) if iterator.name in names)


def bounds_key(statement: Statement, depth: int) -> tuple[str, ...]:
    """The bounds of the loop at `depth` as text, iterators by their positions: equal for loops with the same rows."""
    loop = statement.loops[depth]
    positions = {iterator.name: position for position, iterator in enumerate(statement.iterators)}
    guards = (_text(guard, positions) for guard in loop.guards)
    return f"{loop.step}", _text(loop.first, positions), _text(loop.end, positions), *guards


def _text(expr: Expr | None, positions: Mapping[str, int]) -> str:
    if expr is None:
        return ""
    names = [n.symbol.name for n in walk(expr) if isinstance(n, Name)]
    return f"{print_expr(expr)} {[positions.get(name, name) for name in names]}" if names else print_expr(expr)
