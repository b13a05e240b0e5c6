"""Counters that are used behind their loops get the value that the loop leaves in them.

Before: `int i; for (i = 0; i < n; i++) …  b[0] = i;`
After:  `int i; for (int i_1 = 0; i_1 < n; i_1++) …  i = 0 < n ? n : 0; b[0] = i;`

In the polyhedral model a counter has a value only inside its loop.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pencilc.frontend.translate.types import common_type
from pencilc.ir.queries import names_in, names_of_region
from pencilc.ir.rewrite import Renaming, fresh_name, written_names
from pencilc.ir.source import (
    INT,
    Assign,
    Binary,
    Block,
    Cast,
    CType,
    Expr,
    For,
    IntLiteral,
    Jump,
    Name,
    Node,
    Region,
    Return,
    Scalar,
    Stmt,
    Symbol,
    Ternary,
    While,
    children,
    walk,
)  # fmt: skip


def with_final_values(region: Region, identifiers: frozenset[str]) -> Region:
    """`region` with the counters that are read outside of their loops made variables of their own."""
    outer = {n.iterator.name for n in walk(region.body) if isinstance(n, For) and not n.declares}
    used = {name for name in outer if _is_read_outside(region.body, name)} | (outer & set(region.written_scalars))
    if not used:
        return region
    taken = {*identifiers, *names_of_region(region)}
    return replace(region, body=_rewritten(region.body, used, taken))


def _is_read_outside(node: Node, name: str) -> bool:
    """Whether `name` is read in `node` anywhere but inside a loop that counts with it."""
    if isinstance(node, For) and node.iterator.name == name:
        return _is_read_outside(node.lower, name)
    if isinstance(node, Assign) and isinstance(node.target, Name):
        return _is_read_outside(node.value, name)
    if isinstance(node, Name):
        return node.symbol.name == name
    return any(_is_read_outside(child, name) for child in children(node))


def _rewritten(node: Any, used: set[str], taken: set[str]) -> Any:
    match node:
        case Block():
            return replace(node, items=tuple(_rewritten(item, used, taken) for item in node.items))
        case For():
            loop = replace(node, body=_rewritten(node.body, used, taken))
            return _split(loop, taken) if node.iterator.name in used and not node.declares else loop
        case While():
            return replace(node, body=_rewritten(node.body, used, taken))
    if hasattr(node, "then") and hasattr(node, "otherwise") and not isinstance(node, Ternary):
        otherwise = None if node.otherwise is None else _rewritten(node.otherwise, used, taken)
        return replace(node, then=_rewritten(node.then, used, taken), otherwise=otherwise)
    return node


def _split(loop: For, taken: set[str]) -> Stmt:
    """The loop with a counter of its own, and the assignment of the last value behind it."""
    final = _final_value(loop)
    if final is None:
        return _as_while(loop)
    name = fresh_name(loop.iterator.spelling, taken)
    own = Symbol(name, loop.iterator.spelling, loop.iterator.type, "iterator", loop.iterator.span)
    body: Stmt = Renaming({loop.iterator.name: own}, {}).node(loop.body)
    target = Name(loop.iterator, loop.iterator.type, loop.span)
    counted = replace(loop, iterator=own, declares=True, body=body)
    return Block((counted, Assign(target, final, loop.span)), loop.span)


def _as_while(loop: For) -> Stmt:
    """The loop as a `while` whose counter is a variable like others: nothing tells its last value before.

    No `continue` is in its body any more (`continues.py`), which would skip the step.
    """
    counter = Name(loop.iterator, loop.iterator.type, loop.span)
    goes_on = Binary(loop.relation, converted(counter, loop.bound.type), loop.bound, INT, loop.span)
    body = Block((loop.body, _advanced(counter, counter, loop.step)), loop.span)
    return Block((Assign(counter, loop.lower, loop.span), While(goes_on, body, False, loop.span)), loop.span)


def _advanced(counter: Name, value: Expr, step: int) -> Assign:
    """`counter = value + step`, computed as C does."""
    assert isinstance(counter.type, Scalar)
    ctype = common_type(counter.type, INT)
    way = IntLiteral(abs(step), ctype, counter.span)
    total = Binary("+" if step > 0 else "-", converted(value, ctype), way, ctype, counter.span)
    return Assign(counter, converted(total, counter.type), counter.span)


def _final_value(loop: For) -> Expr | None:
    """What the counter holds behind the loop; None where that is not a plain function of bounds that stay."""
    if any(isinstance(n, Jump | Return) for n in walk(loop.body)):
        return None
    if names_in(loop.lower, loop.bound) & (written_names(loop.body) | {loop.iterator.name}):
        return None
    ctype = loop.bound.type
    lower = converted(loop.lower, ctype)
    if loop.relation == "!=":
        return converted(loop.bound, loop.iterator.type)
    beyond = _beyond(loop, lower)
    runs = Binary(loop.relation, lower, loop.bound, INT, loop.span)
    return converted(Ternary(runs, beyond, lower, ctype, loop.span), loop.iterator.type)


def _beyond(loop: For, lower: Expr) -> Expr:
    """The first value that fails the condition, for a loop that runs at least once."""
    ctype, span, step = loop.bound.type, loop.span, abs(loop.step)
    upward, inclusive = loop.step > 0, loop.relation in ("<=", ">=")

    def literal(value: int) -> Expr:
        return IntLiteral(value, ctype, span)

    if step == 1:
        return Binary("+" if upward else "-", loop.bound, literal(1), ctype, span) if inclusive else loop.bound
    ends = (loop.bound, lower) if upward else (lower, loop.bound)
    # The distance is positive, so that nothing wraps on the way, of whatever type it is.
    distance: Expr = Binary("-", *ends, ctype, span)
    if not inclusive:
        distance = Binary("-", distance, literal(1), ctype, span)
    trips: Expr = Binary("+", Binary("/", distance, literal(step), ctype, span), literal(1), ctype, span)
    way = Binary("*", trips, literal(step), ctype, span)
    return Binary("+" if upward else "-", lower, way, ctype, span)


def converted(expr: Expr, ctype: CType) -> Expr:
    """`expr` as C converts it to `ctype` on its own."""
    return expr if expr.type == ctype else Cast(expr, ctype, expr.span, True)
