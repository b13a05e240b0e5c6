"""Functions of the source without the local variables that nothing reads: nvcc warns of them.

    int h(int k) { int set; set = k; int dead = step(&k); return k; }
    int h(int k) { step(&k); return k; }

What else the values do stays: a call that is handed an address or an array may write through it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pencilc.ir.build import negation
from pencilc.ir.queries import declared_in, has_effects, may_write, names_in, root, subscripts_in
from pencilc.ir.source import (
    Assign,
    Assume,
    Binary,
    Block,
    Call,
    CallStmt,
    Declare,
    Expr,
    For,
    If,
    Kill,
    Name,
    Node,
    PointerType,
    Stmt,
    Ternary,
    While,
    children,
    extents,
)


def without_unread(body: Block) -> Block:
    """The body without the variables whose values reach nothing, and without what sets them."""
    while True:
        unread = declared_in(body) - _read(body)
        if not unread:
            return body
        # What the values of these have read may now be unread itself.
        body = _cut_body(body, unread)


# ---- what is read ----------------------------------------------------------------------------------


def _read(body: Block) -> set[str]:
    """The names of the variables whose values are taken, other than to set the same variable."""
    found: set[str] = set()
    pending: list[Node] = [body]
    while pending:
        node = pending.pop()
        match node:
            case Kill() | Assume():
                continue  # Nothing of them is in the output.
            case Assign():
                found |= _read_by(node)
                continue
            case Name():
                found.add(node.symbol.name)
            case Declare():
                pending += [extent for extent in extents(node.symbol.type) if extent is not None]
            case For():
                found.add(node.iterator.name)
        pending += children(node)
    return found


def _read_by(stmt: Assign) -> set[str]:
    own = _variable_set(stmt.target)
    if own is None:
        return names_in(stmt.target, stmt.value)
    found = names_in(stmt.value)
    if not list(_effects(stmt.value)):
        found.discard(own)
    return found | names_in(*subscripts_in(stmt.target))


def _variable_set(target: Expr) -> str | None:
    """The variable that holds an lvalue; None where a pointer leads to it."""
    variable = root(target)
    is_pointer = variable is not None and isinstance(variable.type, PointerType)
    return variable.symbol.name if variable is not None and not is_pointer else None


# ---- what stays ------------------------------------------------------------------------------------


def _cut_body(body: Stmt, unread: set[str]) -> Block:
    items = body.items if isinstance(body, Block) else (body,)
    return Block(tuple(kept for item in items for kept in _cut(item, unread)), body.span)


def _cut(stmt: Stmt, unread: set[str]) -> list[Stmt]:
    """What stays of `stmt` where these variables are not there."""
    match stmt:
        case Block():
            return [_cut_body(stmt, unread)]
        case Declare() if stmt.symbol.name in unread:
            return list(_effects(stmt.init)) if stmt.init is not None else []
        case Assign() if _variable_set(stmt.target) in unread:
            values = (*subscripts_in(stmt.target), stmt.value)
            return [effect for value in values for effect in _effects(value)]
        case If():
            return _cut_branches(stmt, unread)
        case For() | While():
            return [replace(stmt, body=_cut_body(stmt.body, unread))]
    return [stmt]


def _cut_branches(stmt: If, unread: set[str]) -> list[Stmt]:
    then = _cut_body(stmt.then, unread)
    otherwise = _cut_body(stmt.otherwise, unread) if stmt.otherwise is not None else None
    if otherwise is not None and not otherwise.items:
        otherwise = None
    if not then.items and otherwise is None:
        return list(_effects(stmt.condition))
    return [replace(stmt, then=then, otherwise=otherwise)]


def _effects(expr: Expr) -> Iterator[Stmt]:
    """Statements that do what `expr` does besides having a value."""
    if not has_effects(expr):
        return
    match expr:
        case Call() if may_write(expr):
            yield CallStmt(expr, expr.span)
            return
        case Binary(op="&&" | "||"):
            later = Block(tuple(_effects(expr.right)), expr.span)
            if later.items:
                yield If(expr.left if expr.op == "&&" else negation(expr.left), later, None, expr.span)
                return
        case Ternary():
            then = Block(tuple(_effects(expr.then)), expr.span)
            otherwise = Block(tuple(_effects(expr.otherwise)), expr.span)
            if then.items or otherwise.items:
                yield If(expr.condition, then, otherwise, expr.span)
                return
    for part in children(expr):
        yield from _effects(part)  # type: ignore[arg-type]  # the parts of an expression are expressions
