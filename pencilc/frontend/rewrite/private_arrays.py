"""Arrays that each iteration of a loop overwrites before it reads them are declared in the loop.

Before: `float row[m]; for (i…) { for (j…) row[j] = a[i][j]; for (j…) b[i][j] = row[m - 1 - j]; }`
After:  `for (i…) { float row_1[m]; for (j…) row_1[j] = a[i][j]; for (j…) b[i][j] = row_1[m - 1 - j]; }`

Which arrays these are the model tells (`poly/private_arrays.py`).  Of an array of the caller's, or one that is used
behind the loop, the last iteration hands all elements on, where the sizes are such that iterations write them.
"""

from __future__ import annotations

from dataclasses import replace

from pencilc.frontend.rewrite.private import as_block, is_last, without_unused
from pencilc.ir.queries import counters_in, declared_in, names_in
from pencilc.ir.rewrite import Renaming, fresh_name, renamed, replaced, written_names
from pencilc.ir.source import (
    INT,
    ArrayType,
    Assign,
    Block,
    CType,
    Declare,
    Expr,
    For,
    If,
    Index,
    IntLiteral,
    Jump,
    Name,
    Node,
    Region,
    Return,
    Stmt,
    Symbol,
    walk,
)


def with_private_array(
    region: Region, iterator: str, array: Symbol, handed_on: bool, where: Expr | None = None
) -> Region | None:
    """`region` with a variable of each iteration of the loop over `iterator` in the place of `array`.

    `handed_on`: the last iteration stores its elements in `array`, if there is a condition only `where` it holds.  None
    where that cannot be written.
    """
    loops = [node for node in walk(region.body) if isinstance(node, For) and node.iterator.name == iterator]
    if len(loops) != 1 or not isinstance(array.type, ArrayType):
        return None
    (loop,) = loops
    clauses = (variable for clause in loop.reductions for variable in clause.variables)
    if array.name in names_in(loop.lower, loop.bound, *clauses) or (handed_on and not _has_a_last(loop)):
        return None
    taken = (
        {p.name for p in region.params} | names_in(region.body) | declared_in(region.body) | counters_in(region.body)
    )
    copy = renamed(replace(array, is_const=False), taken, _own_type(array.type))
    items: list[Stmt] = [Declare(copy, None, array.span)]
    items += Renaming({array.name: copy}, {}).node(as_block(loop.body)).items
    if handed_on:
        stored = _stored(loop, array, copy, taken)
        if where is not None:
            stored = If(where, stored, None, loop.span)
        items.append(If(is_last(loop), stored, None, loop.span))
    private = replace(loop, body=Block(tuple(items), loop.span))
    body = replaced(region.body, lambda node: _instead(node, loop, private))
    return replace(region, body=without_unused(body, (array.name,)))


def _instead(node: Node, loop: For, private: For) -> Node | None:
    return private if node is loop else None


def _has_a_last(loop: For) -> bool:
    """Whether the last iteration, and which one that is, can be told."""
    if any(isinstance(node, Jump | Return) for node in walk(loop.body)):
        return False
    return not names_in(loop.bound) & {*written_names(loop.body), loop.iterator.name}


def _own_type(ctype: CType) -> CType:
    """The type of an array of the same extents that is not a parameter."""
    if not isinstance(ctype, ArrayType):
        return ctype
    return ArrayType(_own_type(ctype.element), ctype.extent)


def _stored(loop: For, array: Symbol, copy: Symbol, taken: set[str]) -> Stmt:
    """`for (…) for (…) array[…][…] = copy[…][…];`."""
    span = loop.span
    counters: list[tuple[Symbol, Expr]] = []
    target: Expr = Name(array, array.type, span)
    value: Expr = Name(copy, copy.type, span)
    while isinstance(target.type, ArrayType) and isinstance(value.type, ArrayType):
        extent = target.type.extent
        assert extent is not None, "an array without an extent is in no model"
        counter = Symbol(fresh_name("at", taken), "at", INT, "iterator", span)
        counters.append((counter, extent))
        at = Name(counter, INT, span)
        target = Index(target, at, target.type.element, span)
        value = Index(value, at, value.type.element, span)
    stmt: Stmt = Assign(target, value, span)
    for counter, extent in reversed(counters):
        zero = IntLiteral(0, INT, span)
        stmt = For(counter, zero, "<", extent, 1, Block((stmt,), span), True, False, span)
    return stmt
