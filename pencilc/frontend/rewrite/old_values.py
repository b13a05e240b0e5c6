"""Reads of what an array held before the region take it from a copy.

Before: `for (i…) a[i] = 2 * a[i + 1];`
After:  `float a_1[n]; for (at = 1; at <= n - 1; at++) a_1[at] = a[at];  for (i…) a[i] = 2 * a_1[i + 1];`

Which reads these are, and which elements they read, the model tells (`poly/old_values.py`).
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from collections.abc import Set as AbstractSet
from dataclasses import replace

from pencilc.diagnostics.source import Span
from pencilc.ir.build import ONE, ZERO, minus
from pencilc.ir.queries import names_of_region
from pencilc.ir.rewrite import fresh_name, renamed, replaced
from pencilc.ir.source import (
    LLONG,
    AddressOf,
    ArrayType,
    Assign,
    Block,
    CopiedArray,
    CType,
    Declare,
    Expr,
    For,
    Index,
    Name,
    Node,
    Region,
    Stmt,
    Symbol,
    walk,
)


def with_old_values(
    region: Region, array: Symbol, reads: AbstractSet[Span], ends: Seq[tuple[Expr, Expr] | None]
) -> Region | None:
    """`region` with the elements that stand at `reads` from a copy of `array`, made first.

    `ends`: the first and the last subscript that is read, for each dimension; None for all that there are.  None where
    the places do not tell the reads from other uses of the array.
    """
    nodes = list(walk(region.body))
    places = sorted(node.span for node in nodes if isinstance(node, Index) and _array_of(node) == array.name)
    addresses = (node.operand for node in nodes if isinstance(node, AddressOf))
    is_passed_on = any(isinstance(each, Index) and _array_of(each) == array.name for each in addresses)
    if is_passed_on or [span for span in places if span in reads] != sorted(reads):
        return None
    taken = names_of_region(region)
    copy = renamed(replace(array, is_const=False, kind="local"), taken, own_type(array.type))

    def from_copy(node: Node) -> Node | None:
        if isinstance(node, Index) and node.span in reads and _array_of(node) == array.name:
            return _of(node, copy)
        return None

    body = replaced(region.body, from_copy)
    made = (Declare(copy, None, array.span), _copying(array, copy, ends, taken))
    copied = CopiedArray(array, copy, tuple(sorted(reads)))
    return replace(region, body=replace(body, items=(*made, *body.items)), copied=(*region.copied, copied))


def own_type(ctype: CType) -> CType:
    """The type of an array of the same extents that is not a parameter."""
    if not isinstance(ctype, ArrayType):
        return ctype
    return ArrayType(own_type(ctype.element), ctype.extent)


def _array_of(node: Index) -> str:
    """The array of which `node` is an element; empty for a row of one, and for an element of a member."""
    base: Expr = node
    while isinstance(base, Index):
        base = base.base
    return base.symbol.name if isinstance(base, Name) and not isinstance(node.type, ArrayType) else ""


def _of(node: Expr, copy: Symbol) -> Expr:
    """The element of `copy` that `node` is of its array."""
    if not isinstance(node, Index):
        return Name(copy, copy.type, node.span)
    base = _of(node.base, copy)
    assert isinstance(base.type, ArrayType)
    return Index(base, node.index, base.type.element, node.span)


def _copying(array: Symbol, copy: Symbol, ends: Seq[tuple[Expr, Expr] | None], taken: set[str]) -> Stmt:
    """`for (at = first; at <= last; at++) … copy[at]… = array[at]…;`"""
    span = array.span
    loops: list[tuple[Symbol, Expr, Expr]] = []
    target: Expr = Name(copy, copy.type, span)
    value: Expr = Name(array, array.type, span)
    for end in ends:
        assert isinstance(target.type, ArrayType) and isinstance(value.type, ArrayType)
        extent = target.type.extent
        assert extent is not None, "an array without an extent is in no model"
        first, last = end or (ZERO, minus(extent, ONE))
        name = fresh_name("at", taken)
        counter = Symbol(name, name, LLONG, "iterator", span)
        loops.append((counter, first, last))
        at = Name(counter, LLONG, span)
        target = Index(target, at, target.type.element, span)
        value = Index(value, at, value.type.element, span)
    stmt: Stmt = Assign(target, value, span)
    for counter, first, last in reversed(loops):
        stmt = For(counter, first, "<=", last, 1, Block((stmt,), span), True, False, span)
    return stmt
