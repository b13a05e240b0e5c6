"""Arrays keep the extents that they were declared with, whatever becomes of the variables that told these.

Before: `int h = n; float t[4][h]; … h = 2; …`                   `float f(int m, float x[][m]) { m = m / 2; … }`
After:  `int h = n; int h_1 = h; float t[4][h_1]; … h = 2; …`    `float f(int m, float x[][m]) { int m_1 = m; m_1 = …`

C evaluates an extent where the array is declared (C99 6.7.5.2).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pencilc.ir.queries import names_in
from pencilc.ir.rewrite import Renaming, renamed, replaced, written_names
from pencilc.ir.source import (
    ArrayType,
    Block,
    CType,
    Declare,
    Expr,
    For,
    Name,
    Node,
    Stmt,
    Symbol,
    children,
    extents,
    walk,
)


def with_kept_extents(body: Block, taken: set[str]) -> Block:
    """`body` with variables of their own for extents of its arrays that name something it changes."""
    arrays = list(_with_changing_extents(body, written_names(body)))
    if not arrays:
        return body
    made: dict[str, Symbol] = {}
    before: dict[str, tuple[Stmt, ...]] = {}
    for array, changed in arrays:
        declared: list[Stmt] = []
        ctype = _kept(array.type, changed, array, declared, taken)
        made[array.name] = replace(array, type=ctype)
        before[array.name] = tuple(declared)

    def with_extents(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        items: list[Stmt] = []
        for item in node.items:
            items += before.get(item.symbol.name, ()) if isinstance(item, Declare) else ()
            items.append(replaced(item, with_extents))
        return replace(node, items=tuple(items))

    declared_before: Block = replaced(body, with_extents)
    rewritten: Block = Renaming(made, {}).node(declared_before)
    return rewritten


def _with_changing_extents(node: Node, written: set[str]) -> Iterator[tuple[Symbol, set[str]]]:
    """The arrays declared in `node` whose extents name something that is `written`, and that.

    The counter of a loop around a declaration stays what it is in there.
    """
    if isinstance(node, For):
        written = written - {node.iterator.name}
    if isinstance(node, Declare) and _named_in(node.symbol.type) & written:
        yield node.symbol, written
    for child in children(node):
        yield from _with_changing_extents(child, written)


def _kept(ctype: CType, written: set[str], array: Symbol, declared: list[Stmt], taken: set[str]) -> CType:
    """`ctype` with extents that keep their values; what declares these is added to `declared`."""
    if not isinstance(ctype, ArrayType):
        return ctype
    extent: Expr | None = ctype.extent
    if extent is not None and names_in(extent) & written:
        named = next(n.symbol for n in walk(extent) if isinstance(n, Name))
        symbol = replace(renamed(named, taken, extent.type), kind="local", is_const=False, span=array.span)
        declared.append(Declare(symbol, extent, array.span))
        extent = Name(symbol, symbol.type, array.span)
    return replace(ctype, extent=extent, element=_kept(ctype.element, written, array, declared, taken))


def with_writable_copies(params: tuple[Symbol, ...], body: Block, taken: set[str], *, all_of_them: bool) -> Block:
    """`body` with a local, initialised from the parameter, in place of each scalar parameter that it changes.

    Parameters then keep their values, on which extents and bounds may depend; without `all_of_them`, only those on
    which extents of other parameters do.
    """
    written = written_names(body)
    if not all_of_them:
        written &= {name for param in params for name in _named_in(param.type)}
    copies = {p.name: renamed(p, taken) for p in params if p.name in written and not isinstance(p.type, ArrayType)}
    if not copies:
        return body
    declares = tuple(
        Declare(copies[p.name], Name(p, p.type, p.span), p.span) for p in params if p.name in copies
    )  # fmt: skip
    rewritten: Block = Renaming(copies, {}).node(body)
    return Block((*declares, *rewritten.items), body.span)


def _named_in(ctype: CType) -> set[str]:
    """The variables that the extents of a type name."""
    return {name for extent in extents(ctype) if extent is not None for name in names_in(extent)}
