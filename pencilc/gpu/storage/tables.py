"""Where the constant tables of a file live on the device.

Constant memory serves one address to a whole warp at a time: it is right for `weight[k]` in a loop of few steps that
every thread makes, and up to 32 times slower than an ordinary load for `gamma[pixel]`.  So a table is put there if
all its subscripts are literals and iterators of loops with literal bounds, and it is small; others are constants in
global memory, which the L1 cache keeps.
"""

from __future__ import annotations

from collections.abc import Iterator

from pencilc.analysis.affinity import subscripts
from pencilc.ir.source import (
    ArrayType,
    Binary,
    Cast,
    Expr,
    For,
    Index,
    IntLiteral,
    Name,
    Node,
    TranslationUnit,
    Unary,
    children,
    walk,
)
from pencilc.target import CONSTANT_MEMORY

# Bytes of one table in constant memory, and of all: a quarter of it is left to what nvcc and others put there.
_LARGEST = CONSTANT_MEMORY // 4
_ALL = CONSTANT_MEMORY * 3 // 4


def constant_tables(unit: TranslationUnit) -> frozenset[str]:
    """The names of the array globals that belong into constant memory."""
    bodies: list[Node] = [*(region.body for region in unit.regions), *(function.body for function in unit.functions)]
    uneven = {name for body in bodies for name in _uneven(body, _fixed_iterators(body))}
    found: set[str] = set()
    left = _ALL
    for declaration in unit.globals:
        symbol = declaration.symbol
        size = symbol.type.size
        if isinstance(symbol.type, ArrayType) and symbol.name not in uneven and size <= min(_LARGEST, left):
            found.add(symbol.name)
            left -= size
    return frozenset(found)


def _fixed_iterators(body: Node) -> set[str]:
    """The iterators of loops with literal bounds."""
    loops = [node for node in walk(body) if isinstance(node, For)]
    return {
        loop.iterator.name
        for loop in loops
        if isinstance(_plain(loop.lower), IntLiteral) and isinstance(_plain(loop.bound), IntLiteral)
    }


def _uneven(node: Node, fixed: set[str]) -> Iterator[str]:
    """Arrays of which some access in `node` may differ between threads, or is not a plain subscript."""
    inside = children(node)
    if isinstance(node, Index):
        base, parts = subscripts(node)
        inside = [*parts] if isinstance(base, Name) else [base, *parts]
        if isinstance(base, Name) and not all(_is_even(part, fixed) for part in parts):
            yield base.symbol.name
    elif isinstance(node, Name) and isinstance(node.type, ArrayType):
        yield node.symbol.name  # an argument of a helper
    for child in inside:
        yield from _uneven(child, fixed)


def _plain(expr: Expr) -> Expr:
    while isinstance(expr, Cast) or (isinstance(expr, Unary) and expr.op in "+-"):
        expr = expr.operand
    return expr


def _is_even(expr: Expr, fixed: set[str]) -> bool:
    expr = _plain(expr)
    if isinstance(expr, Binary):
        return _is_even(expr.left, fixed) and _is_even(expr.right, fixed)
    return isinstance(expr, IntLiteral) or (isinstance(expr, Name) and expr.symbol.name in fixed)
