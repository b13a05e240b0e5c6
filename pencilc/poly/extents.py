"""Extents of local arrays in terms of parameters: what the host reserves is known before the launch.

int k = 2 * n;                              int k = 2 * n;
float t[k][m];                  ->          float t[2 * n][m];
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pencilc.diagnostics.diagnostic import CompilerLimitation
from pencilc.ir.ctypes import Array, CType, extents
from pencilc.ir.rewrite import Renaming, replaced
from pencilc.ir.source import (
    Call,
    Declare,
    Expr,
    Function,
    IntLiteral,
    Name,
    Node,
    ReductionInit,
    ReductionUpdate,
    Region,
    Symbol,
    walk,
)

_MAX_NODES = 200


def sized_by_parameters(region: Region, params: Mapping[str, Symbol], values: Mapping[str, Expr]) -> Region:
    """`region` with the scalars in the extents of its local arrays replaced by what they are computed from.

    `values`: what scalars that are assigned once stand for, in terms of `params`, of each other and of counters.
    """
    symbols = {}
    for declared in sized_at_run_time(region.body):
        found = _resolved(declared.symbol.type, params, values)
        if found is not None:
            symbols[declared.symbol.name] = replace(declared.symbol, type=found)
    return replace(region, body=Renaming(symbols, {}).node(region.body)) if symbols else region


def sized_at_run_time(body: Node) -> Iterator[Declare]:
    """The declarations of arrays whose extents are no numbers."""
    for node in walk(body):
        if isinstance(node, Declare) and any(not isinstance(e, IntLiteral) for e in extents(node.symbol.type)):
            yield node


def is_sized_by(symbol: Symbol, params: Mapping[str, Symbol]) -> bool:
    """Whether the extents of an array name nothing but `params`."""
    names = (n for e in extents(symbol.type) if e is not None for n in walk(e) if isinstance(n, Name))
    return all(name.symbol.name in params for name in names)


def check_sized(symbol: Symbol, params: Mapping[str, Symbol]) -> None:
    """Raises CompilerLimitation for an array in memory whose extents are not known before the launch."""
    if not is_sized_by(symbol, params):
        text = f"the extent of `{symbol.spelling}` is not known before the region: use parameters, or the greatest one"
        raise CompilerLimitation(text, symbol.span)


def check_called(body: Node, functions: Mapping[str, Function]) -> None:
    """Raises CompilerLimitation for an array of run-time extent in a function that is called, not inlined."""
    seen: set[str] = set()
    pending = [body]
    while pending:
        for node in walk(pending.pop()):
            name = node.operator if isinstance(node, ReductionUpdate) else getattr(node, "function", "")
            if not isinstance(node, Call | ReductionInit | ReductionUpdate) or name in seen or name not in functions:
                continue
            seen.add(name)
            pending.append(functions[name].body)
            for declared in sized_at_run_time(functions[name].body):
                text = (
                    f"the extent of `{declared.symbol.spelling}` is known at run time only, and `{name}` is called, "
                    "not inlined: pass it an array to work on"
                )
                raise CompilerLimitation(text, declared.span)


def _resolved(ctype: CType, params: Mapping[str, Symbol], values: Mapping[str, Expr]) -> CType | None:
    """The type with extents over `params` alone; None where there is nothing to replace, or they are not known."""
    if not isinstance(ctype, Array):
        return None
    element = _resolved(ctype.element, params, values)
    extent = None if ctype.extent is None else _over(ctype.extent, params, values)
    if element is None and extent is None:
        return None
    return replace(ctype, element=element or ctype.element, extent=extent or ctype.extent)


def _over(extent: Expr, params: Mapping[str, Symbol], values: Mapping[str, Expr]) -> Expr | None:
    """The extent over `params` alone; None where it is that already, or is not known."""
    at, changed = extent, False
    while True:
        names = [n.symbol.name for n in walk(at) if isinstance(n, Name) and n.symbol.name not in params]
        if not names:
            return at if changed else None
        if any(name not in values for name in names) or sum(1 for _ in walk(at)) > _MAX_NODES:
            return None
        at = replaced(at, lambda node: values.get(node.symbol.name) if isinstance(node, Name) else None)
        changed = True
