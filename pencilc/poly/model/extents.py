"""Extents of local arrays in terms of parameters: what the host reserves is known before the launch.

int k = 2 * n;                              int k = 2 * n;
float t[k][m];                  ->          float t[2 * n][m];
for (int i = 0; i < n; i++)                 for (int i = 0; i < n; i++)
    float u[i + 1];             ->              float u[n - 1 + 1];

An extent that counters decide is the greatest one that they make of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pencilc.diagnostics.diagnostic import CompilerLimitation
from pencilc.ir.queries import mentions_any, names_in
from pencilc.ir.rewrite import Renaming, replaced
from pencilc.ir.source import (
    INT,
    ArrayType,
    Binary,
    Call,
    Cast,
    CType,
    Declare,
    Expr,
    For,
    Function,
    IntLiteral,
    Name,
    Node,
    ReductionInit,
    ReductionUpdate,
    Region,
    Scalar,
    Symbol,
    Ternary,
    children,
    extents,
    walk,
)
from pencilc.records import dataclass

_MAX_NODES = 200


def sized_by_parameters(region: Region, params: Mapping[str, Symbol], values: Mapping[str, Expr]) -> Region:
    """`region` with the scalars in the extents of its local arrays replaced by what they are computed from.

    `values`: what scalars that are assigned once stand for, in terms of `params`, of each other and of counters.
    """
    symbols = {}
    for declared, loops in _within_loops(region.body, ()):
        found = _resolved(declared.symbol.type, _Sizes(params, values, loops))
        if found is not None:
            symbols[declared.symbol.name] = replace(declared.symbol, type=found)
    return replace(region, body=Renaming(symbols, {}).node(region.body)) if symbols else region


def _within_loops(node: Node, loops: tuple[For, ...]) -> Iterator[tuple[Declare, tuple[For, ...]]]:
    """The declarations of arrays of run-time extent, each with the loops around it, innermost first."""
    if isinstance(node, Declare) and not _is_constant(node.symbol.type):
        yield node, loops
    inner = (node, *loops) if isinstance(node, For) else loops
    for child in children(node):
        yield from _within_loops(child, inner)


def sized_at_run_time(body: Node) -> Iterator[Declare]:
    """The declarations of arrays whose extents are no numbers."""
    for node in walk(body):
        if isinstance(node, Declare) and not _is_constant(node.symbol.type):
            yield node


def _is_constant(ctype: CType) -> bool:
    return all(isinstance(extent, IntLiteral) for extent in extents(ctype))


def is_sized_by(symbol: Symbol, params: Mapping[str, Symbol]) -> bool:
    """Whether the extents of an array name nothing but `params`."""
    known = [extent for extent in extents(symbol.type) if extent is not None]
    return names_in(*known) <= params.keys()


def check_sized(symbol: Symbol, params: Mapping[str, Symbol]) -> None:
    """Raises CompilerLimitation for an array in memory whose extents the host does not know before the launch."""
    if not is_sized_by(symbol, params):
        text = (
            f"the extent of `{symbol.spelling}` is not known before the region: use parameters and counters, or the "
            "greatest one"
        )
        raise CompilerLimitation(text, symbol.span)
    for extent in extents(symbol.type):
        for node in walk(extent) if extent is not None else ():
            if isinstance(node, Call) and node.function not in ("abs", "labs", "llabs"):
                text = (
                    f"the extent of `{symbol.spelling}` is a result of `{node.function}`, which the host does not "
                    "call: pass it as a parameter"
                )
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


@dataclass(frozen=True, slots=True)
class _Sizes:
    """What the extents of one array are made of: `loops` are those around it, innermost first."""

    params: Mapping[str, Symbol]
    values: Mapping[str, Expr]
    loops: tuple[For, ...]


def _resolved(ctype: CType, sizes: _Sizes) -> CType | None:
    """The type with extents over parameters alone; None where there is nothing to replace, or they are not known."""
    if not isinstance(ctype, ArrayType):
        return None
    element = _resolved(ctype.element, sizes)
    extent = None if ctype.extent is None else _over(ctype.extent, sizes)
    if element is None and extent is None:
        return None
    return replace(ctype, element=element or ctype.element, extent=extent or ctype.extent)


def _over(extent: Expr, sizes: _Sizes) -> Expr | None:
    """The extent over parameters alone; None where it is that already, or is not known."""
    at = _without_calls(extent)
    counters = {loop.iterator.name for loop in sizes.loops}
    while names := names_in(at) - set(sizes.params):
        scalars = {name: sizes.values[name] for name in names - counters if name in sizes.values}
        if (not scalars and not names <= counters) or sum(1 for _ in walk(at)) > _MAX_NODES:
            return None
        if scalars:
            at = _with_values(at, scalars)
            continue
        try:
            at = _extreme(at, True, sizes.loops)
        except _NotKnown:
            return None
    return None if at == extent else _without_calls(at)


def _with_values(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    made: Expr = replaced(expr, lambda node: values.get(node.symbol.name) if isinstance(node, Name) else None)
    return made


def _without_calls(expr: Expr) -> Expr:
    """`min(n, 4)` as `n < 4 ? n : 4`: the host computes extents, and the functions of regions are the device's."""

    def chosen(node: Node) -> Expr | None:
        if not isinstance(node, Call) or node.function not in ("min", "max") or len(node.arguments) != 2:
            return None
        one, other = (_without_calls(argument) for argument in node.arguments)
        condition = Binary("<" if node.function == "min" else ">", one, other, INT, node.span)
        return Ternary(condition, one, other, node.type, node.span)

    made: Expr = replaced(expr, chosen)
    return made


class _NotKnown(Exception):
    """An extent is no sum of counters and parameters."""


def _extreme(expr: Expr, greatest: bool, loops: tuple[For, ...]) -> Expr:
    """The greatest, or least, value of `expr` over the iterations of `loops`; raises _NotKnown."""
    counters = {loop.iterator.name for loop in loops}
    if not mentions_any(expr, *counters):
        return expr
    match expr:
        case Name():
            at = next(k for k, loop in enumerate(loops) if loop.iterator.name == expr.symbol.name)
            return _extreme(_end(loops[at], greatest), greatest, loops[at + 1 :])
        case Cast():
            return replace(expr, operand=_extreme(expr.operand, greatest, loops))
        case Ternary(condition=Binary(op="<" | ">") as condition) if condition.left is expr.then:  # min and max
            then, otherwise = (_extreme(side, greatest, loops) for side in (expr.then, expr.otherwise))
            return replace(
                expr, condition=replace(condition, left=then, right=otherwise), then=then, otherwise=otherwise
            )
        case Binary(op="+"):
            return replace(expr, left=_extreme(expr.left, greatest, loops), right=_extreme(expr.right, greatest, loops))
        case Binary(op="-"):
            left, right = _extreme(expr.left, greatest, loops), _extreme(expr.right, not greatest, loops)
            return replace(expr, left=left, right=right)
        case Binary(op="*") if isinstance(expr.left, IntLiteral):
            return replace(expr, right=_extreme(expr.right, greatest == (expr.left.value > 0), loops))
        case Binary(op="*" | "/") if isinstance(expr.right, IntLiteral):
            return replace(expr, left=_extreme(expr.left, greatest == (expr.right.value > 0), loops))
    raise _NotKnown


def _end(loop: For, greatest: bool) -> Expr:
    """The greatest, or least, value of a counter, in terms of the loops around and parameters."""
    if greatest != (loop.step > 0):
        return loop.lower
    bound, span = loop.bound, loop.span
    is_unsigned = isinstance(bound.type, Scalar) and bound.type.kind == "uint"
    if loop.relation in ("<=", ">=") or is_unsigned:
        return bound  # one more for an unsigned bound, which may be 0
    return Binary("-" if greatest else "+", bound, IntLiteral(1, bound.type, span), bound.type, span)
