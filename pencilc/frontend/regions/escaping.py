"""Variables that a region of a host function declares and that the host uses behind it.

Before: `float s = 0; for (…) s += a[i];  #pragma endscop  printf("%g", s);`
After:  the region takes `s` as a parameter that it writes, `s = 0; for (…) s += a[i];`, and the host declares it before
        the call: `float s; { f_scop0(n, a, &s); }`
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pencilc.diagnostics.source import Span
from pencilc.frontend.context import FileContext
from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.ir.rewrite import Renaming, fresh_name, written_names
from pencilc.ir.source import ArrayType, Assign, Block, CType, Declare, Initializer, Name, Stmt, Symbol, walk
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class Escaped:
    """The body of a region with the variables that outlive it, which are parameters now."""

    body: Block
    params: tuple[Symbol, ...]


def used_behind(declared: dict[str, Any], behind: list[Any]) -> dict[str, Any]:
    """The first use in the statements `behind` of each variable of a region that is `declared` in it."""
    left = dict(declared)
    found: dict[str, Any] = {}
    for item in behind:
        if type(item).__name__ in ("Decl", "Typedef"):
            left.pop(item.name, None)
        for node in nodes_below(item):
            if type(node).__name__ == "ID" and node.name in left:
                found[node.name] = node
                del left[node.name]
    return found


def with_escaping(
    context: FileContext, body: Block, used: dict[str, Any], visible: set[str], names: set[str]
) -> Escaped:
    """`body` with the variables that are `used` behind it made parameters; those that cannot be are errors.

    `visible` are the variables of the host function that the region sees, `names` the names that are taken.
    """
    symbols: dict[str, Symbol] = {}
    copies: dict[str, Symbol] = {}
    written = written_names(body)
    for item in body.items:
        if not isinstance(item, Declare) or item.symbol.spelling not in used:
            continue
        symbol = item.symbol
        reason = _why_not(item, visible, written)
        if reason:
            use = context.span(used[symbol.spelling])
            _refuse(context, symbol, use, reason)
            continue
        symbols[symbol.name] = replace(symbol, kind="param", is_const=False)
        if isinstance(item.init, Initializer):
            copies[symbol.name] = replace(symbol, name=fresh_name(symbol.name, names))
    items: list[Stmt] = []
    renaming = Renaming(symbols, {})
    for item in body.items:
        if isinstance(item, Declare) and item.symbol.name in symbols:
            items += _assigned(renaming.node(item), copies.get(item.symbol.name))
        else:
            items.append(renaming.node(item))
    return Escaped(Block(tuple(items), body.span), tuple(symbols.values()))


def _assigned(declared: Declare, copy: Symbol | None) -> tuple[Stmt, ...]:
    """What is left of a declaration whose variable is a parameter: the assignment of its first value."""
    if declared.init is None:
        return ()
    target, span = Name(declared.symbol, declared.symbol.type, declared.span), declared.span
    if copy is None:
        return (Assign(target, declared.init, span),)
    return (Declare(copy, declared.init, span), Assign(target, Name(copy, copy.type, span), span))


def _why_not(declared: Declare, visible: set[str], written: set[str]) -> str:
    """Why the host cannot declare the variable before the region; empty if it can."""
    symbol = declared.symbol
    if symbol.spelling in visible:
        return f"the host function has another `{symbol.spelling}` around the region"
    if not isinstance(symbol.type, ArrayType):
        return ""
    if declared.init is not None:
        return "an array that is initialised in the region cannot be declared before it"
    for name in _names_in_extents(symbol.type):
        if name.kind != "param" or name.name in written:
            return f"its extent depends on `{name.spelling}`, which the region computes"
    return ""


def _names_in_extents(ctype: CType) -> list[Symbol]:
    found: list[Symbol] = []
    while isinstance(ctype, ArrayType):
        if ctype.extent is not None:
            found += [node.symbol for node in walk(ctype.extent) if isinstance(node, Name)]
        ctype = ctype.element
    return found


def _refuse(context: FileContext, symbol: Symbol, use: Span, reason: str) -> None:
    context.error(
        "PC0108",
        f"`{symbol.spelling}` is declared inside the region and used after it",
        symbol.span,
        secondary=((use, "used here"),),
        notes=(reason,),
        helps=("move its declaration before the region",),
    )
