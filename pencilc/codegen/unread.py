"""Functions of the output without the local variables that nothing reads: nvcc warns of them.

    int h(int k) { int set; set = k; int dead = step(&k); return k; }
    int h(int k) { step(&k); return k; }

What else the values do stays: a call that is handed an address or an array may write through it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pencilc.ir.build import negation
from pencilc.ir.nodes import If, Node, blocks_in, fields_with_expressions, values_taken, variables_of
from pencilc.ir.queries import has_effects, may_write, root, subscripts_in
from pencilc.ir.source import EXPRESSIONS, Assign, Binary, Call, CallStmt, Declare, Expr, PointerType, Ternary, children


def without_unread(body: tuple[Node, ...]) -> tuple[Node, ...]:
    """The body without the variables whose values reach nothing, and without what sets them.

    What building blocks have for themselves (`@items`) stays: their text may name it.
    """
    while True:
        unread = declared_in(body) - values_taken(body, _read_by)
        if not unread:
            return body
        # What the values of these have read may now be unread itself.
        body = _cut_all(body, unread)


def declared_in(body: tuple[Node, ...]) -> set[str]:
    """The variables that declarations in the body make, without those of building blocks and the counters of loops."""
    names = (node.symbol.name for node in blocks_in(body) if isinstance(node, Declare))
    return {name for name in names if not name.startswith("@")}


# ---- what is read ----------------------------------------------------------------------------------


def _read_by(stmt: Assign) -> set[str]:
    """The variables whose values are taken, other than to set the same variable."""
    own = _variable_set(stmt.target)
    if own is None:
        return variables_of(stmt.target, stmt.value)
    found = variables_of(stmt.value)
    if not list(_effects(stmt.value)):
        found.discard(own)
    return found | variables_of(subscripts_in(stmt.target))


def _variable_set(target: Expr) -> str | None:
    """The variable that holds an lvalue; None where a pointer leads to it."""
    variable = root(target)
    is_pointer = variable is not None and isinstance(variable.type, PointerType)
    return variable.symbol.name if variable is not None and not is_pointer else None


# ---- what stays ------------------------------------------------------------------------------------


def _cut_all(nodes: tuple[Any, ...], unread: set[str]) -> tuple[Any, ...]:
    return tuple(kept for node in nodes for kept in _cut(node, unread))


def _cut(node: Any, unread: set[str]) -> tuple[Any, ...]:
    """What stays of a node, or of a record of one, where these variables are not there."""
    match node:
        case Declare() if node.symbol.name in unread:
            return tuple(_effects(node.init)) if node.init is not None else ()
        case Assign() if _variable_set(node.target) in unread:
            values = (*subscripts_in(node.target), node.value)
            return tuple(effect for value in values for effect in _effects(value))
        case If():
            then, otherwise = _cut_all(node.then, unread), _cut_all(node.otherwise, unread)
            if then or otherwise:
                return (replace(node, then=then, otherwise=otherwise),)
            return tuple(_effects(node.condition))
        case tuple():
            return (_cut_all(node, unread),)
    kind: type = type(node)
    parts = () if kind in EXPRESSIONS else fields_with_expressions(kind)
    changed: dict[str, Any] = {}
    for name in parts:
        (changed[name],) = _cut(getattr(node, name), unread)
    return (replace(node, **changed) if changed else node,)


def _effects(expr: Expr) -> Iterator[Node]:
    """Statements that do what `expr` does besides having a value."""
    if not has_effects(expr):
        return
    match expr:
        case Call() if may_write(expr):
            yield CallStmt(expr, expr.span)
            return
        case Binary(op="&&" | "||"):
            later = tuple(_effects(expr.right))
            if later:
                yield If(expr.left if expr.op == "&&" else negation(expr.left), later)
                return
        case Ternary():
            then, otherwise = tuple(_effects(expr.then)), tuple(_effects(expr.otherwise))
            if then or otherwise:
                yield If(expr.condition, then, otherwise)
                return
    for part in children(expr):
        yield from _effects(part)  # type: ignore[arg-type]  # the parts of an expression are expressions
