"""Integers that are a name for a place in an array make way for what the place is.

Before: `int x = j + q - 1;  if (x >= 0 && x < w) s += a[x] * b[q];`
After:  `if (j + q - 1 >= 0 && j + q - 1 < w) s += a[j + q - 1] * b[q];`

A subscript says then by itself with which loops the element moves, which is what tiles of points are made by
(`gpu/shapes/tiling.py`), and one statement is left where there were two.  Only sums of counters and sizes are repeated
so, multiples by constants among them, what `min`, `max` and `clamp` make of these, and the planes that steps take turns
with, `t % 2`.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.ir.queries import counters_in, declared_in, mentions_any, names_in
from pencilc.ir.rewrite import Renaming, in_blocks, written_names
from pencilc.ir.source import (
    Binary,
    Block,
    Call,
    Declare,
    Expr,
    Index,
    IntLiteral,
    Name,
    Region,
    Scalar,
    Stmt,
    Unary,
    extents,
    walk,
)

_CHOICES = frozenset(("min", "max", "clamp"))
# Planes of an array that steps take turns with, at most: `t % 2`.
_PLANES = 4


def with_places_for_names(region: Region) -> Region:
    """`region` with such places where their names stand."""
    return replace(region, body=_in_block(region.body))


def _in_block(block: Block) -> Block:
    items = block.items
    position = 0
    while position < len(items):
        item, rest = items[position], items[position + 1 :]
        if isinstance(item, Declare) and item.init is not None and _is_a_place(item, item.init, rest):
            renaming = Renaming({}, {item.symbol.name: item.init})
            renamed = (renaming.node(each) if mentions_any(each, item.symbol.name) else each for each in rest)
            items = (*items[:position], *renamed)
        else:
            position += 1
    return replace(block, items=tuple(in_blocks(each, _in_block) for each in items))


def _is_a_place(item: Declare, value: Expr, rest: Seq[Stmt]) -> bool:
    """Whether a variable is `value` wherever `rest` reads it, and a subscript does so."""
    name, kind = item.symbol.name, item.symbol.type
    if not isinstance(kind, Scalar) or kind.kind != "int" or value.type != kind:
        return False
    if not _is_sum_of_places(value):
        return False
    changed = {found for each in rest for found in (*written_names(each), *counters_in(each), *declared_in(each))}
    if name in changed or names_in(value) & changed:
        return False
    # An array of the block is as long as the name says.
    declared = (node.symbol.type for each in rest for node in walk(each) if isinstance(node, Declare))
    if any(name in names_in(extent) for ctype in declared for extent in extents(ctype) if extent is not None):
        return False
    return any(name in names_in(node.index) for each in rest for node in walk(each) if isinstance(node, Index))


def _is_sum_of_places(value: Expr) -> bool:
    match value:
        case IntLiteral():
            return True
        case Name():
            return isinstance(value.type, Scalar) and value.type.is_integer
        case Unary(op="-" | "+"):
            return _is_sum_of_places(value.operand)
        case Binary(op="+" | "-"):
            return _is_sum_of_places(value.left) and _is_sum_of_places(value.right)
        case Binary(op="*"):
            sides = (value.left, value.right)
            return any(isinstance(each, IntLiteral) for each in sides) and all(map(_is_sum_of_places, sides))
        case Binary(op="%" | "&", right=IntLiteral(value=count)) if 0 < count <= _PLANES:
            return _is_sum_of_places(value.left)
        case Call(function=function) if function in _CHOICES:
            return all(map(_is_sum_of_places, value.arguments))
    return False
