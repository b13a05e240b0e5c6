"""A `switch` in which no case falls through into another one becomes a chain of `if`.

Before: `switch (c) { case 1: case 2: x = 1; break; default: x = 2; break; case 'a': if (y) break; x = 3; }`
After:  `if (c == 1 || c == 2) x = 1; else if (c == 'a') { if (y) ; else x = 3; } else x = 2;`
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from pycparser import c_ast

from pencilc.frontend.context import Scope
from pencilc.frontend.syntax.nodes import LOOPS
from pencilc.frontend.translate.constants import integer_value
from pencilc.frontend.translate.translators import Statements
from pencilc.frontend.translate.types import implicit, is_integer, promote, spell
from pencilc.ir.queries import may_write
from pencilc.ir.source import (
    INT,
    Binary,
    Block,
    Call,
    CallStmt,
    CType,
    Declare,
    Expr,
    If,
    IntLiteral,
    Name,
    Stmt,
    Symbol,
    walk,
)
from pencilc.records import dataclass

_LABELS = ("Case", "Default")


@dataclass(slots=True)
class _Group:
    """The labels that stand together, and the statements behind them up to the next label."""

    labels: list[Any] = field(default_factory=list)
    items: list[Any] = field(default_factory=list)

    @property
    def is_default(self) -> bool:
        """Whether `default` is among the labels."""
        return any(type(label).__name__ == "Default" for label in self.labels)


def translate_switch(st: Statements, node: Any) -> tuple[Stmt, ...]:
    """The statements for a `switch`, in a scope of their own; raises Refused."""
    outer, st.state.scope = st.state.scope, Scope(st.state.scope)
    try:
        return _translate(st, node)
    finally:
        st.state.scope = outer


def _translate(st: Statements, node: Any) -> tuple[Stmt, ...]:
    chosen = st.tr.arithmetic(node.cond)
    if not is_integer(chosen.type):
        raise st.context.refuse("PC0012", "`switch` wants an integer", node.cond, f"has type `{spell(chosen.type)}`")
    chosen = implicit(chosen, promote(chosen.type))
    before, groups = _groups(st, node)
    declared = tuple(s for item in before for s in st.statement(item))
    calls = [n for n in walk(chosen) if isinstance(n, Call)]
    if all(type(label).__name__ == "Default" for group in groups for label in group.labels):
        # Nothing is compared with the value: what is left of it are calls that are told where something is.
        declared = (*declared, *(CallStmt(call, call.span) for call in calls if may_write(call)))
    elif calls:
        # Evaluated once, as in C.
        symbol = _unnamed(st, chosen)
        declared = (*declared, Declare(symbol, chosen, chosen.span))
        chosen = Name(symbol, symbol.type, chosen.span)
    for k, group in enumerate(groups):
        group.items = _without_breaks(st, group, groups[k + 1] if k + 1 < len(groups) else None)
    conditions = _conditions(st, groups, chosen)
    chain: Stmt | None = next((_body(st, g) for g in groups if g.is_default), None)
    for group, condition in reversed(list(zip(groups, conditions, strict=True))):
        if not group.is_default:
            chain = If(condition, _body(st, group), chain, st.context.span(group.labels[0]))
    made = (chain,) if chain is not None else ()
    return (Block((*declared, *made), st.context.span(node)),)


def _unnamed(st: Statements, value: Expr) -> Symbol:
    """A variable for `value` that no name of the user's means: its cases may have a `chosen` of their own."""
    inner, st.state.scope = st.state.scope, Scope()
    symbol = st.tr.declare("chosen", value.type, "local", value.span)
    st.state.scope = inner
    return symbol


def _groups(st: Statements, node: Any) -> tuple[list[Any], list[_Group]]:
    """The declarations before the first label, and the groups of a `switch`."""
    body = node.stmt
    items = list(body.block_items or ()) if type(body).__name__ == "Compound" else [body]
    before: list[Any] = []
    groups: list[_Group] = []
    for item in items:
        if type(item).__name__ not in _LABELS:
            if type(item).__name__ == "Decl" and not groups:
                before.append(c_ast.Decl(item.name, item.quals, item.align, item.storage, item.funcspec,
                                         item.type, None, item.bitsize, item.coord))  # fmt: skip
            continue  # Before the first label nothing is ever executed.
        if not groups or groups[-1].items:
            groups.append(_Group())
        groups[-1].labels.append(item)
        stack = list(item.stmts or ())
        while len(stack) == 1 and type(stack[0]).__name__ in _LABELS:
            groups[-1].labels.append(stack[0])
            stack = list(stack[0].stmts or ())
        groups[-1].items = stack
    for group in groups:
        for item in group.items:
            _refuse_inner_labels(st, item)
    return before, groups


def _refuse_inner_labels(st: Statements, node: Any) -> None:
    kind = type(node).__name__
    if kind == "Switch":
        return
    if kind in _LABELS:
        raise st.context.refuse(
            "PC0307", "a label of a `switch` stands inside another statement", node,
            helps=("put every `case` into the block of the `switch` itself",),
        )  # fmt: skip
    for _, child in node.children():
        _refuse_inner_labels(st, child)


def _conditions(st: Statements, groups: list[_Group], chosen: Expr) -> list[Expr]:
    """`chosen == label || …` for each group."""
    known: dict[int, Any] = {}
    found_default: Any = None
    conditions: list[Expr] = []
    for group in groups:
        joined: Expr = IntLiteral(0, INT, chosen.span)
        for k, label in enumerate(group.labels):
            if type(label).__name__ == "Default":
                if found_default is not None:
                    labels = ((found_default, "the first one"),)
                    raise st.context.refuse("PC0015", "a `switch` has two `default` labels", label, secondary=labels)
                found_default = label
                continue
            value = _label_value(st, label, chosen.type)
            if value in known:
                labels = ((known[value], "the first one"),)
                raise st.context.refuse("PC0015", f"two labels of a `switch` are {value}", label, secondary=labels)
            known[value] = label
            span = st.context.span(label)
            same = Binary("==", chosen, IntLiteral(value, chosen.type, span), INT, span)
            joined = same if k == 0 or isinstance(joined, IntLiteral) else Binary("||", joined, same, INT, span)
        conditions.append(joined)
    return conditions


def _label_value(st: Statements, label: Any, ctype: CType) -> int:
    """The value of a `case`, in the type of what is compared with it."""
    value = integer_value(implicit(st.tr.arithmetic(label.expr), ctype))
    if value is None:
        raise st.context.refuse("PC0014", "the label of a `case` is not a constant", label.expr)
    return value


def _body(st: Statements, group: _Group) -> Block:
    span = st.context.span(group.labels[0])
    return st.block(c_ast.Compound(group.items, group.labels[0].coord)) if group.items else Block((), span)


# ---- breaks ----------------------------------------------------------------------------------------


def _without_breaks(st: Statements, group: _Group, following: _Group | None) -> list[Any]:
    """The statements of a group without the `break` that ends it; raises Refused where it falls through."""
    if not group.items:
        return []
    if following is not None and not _leaves(group.items):
        label = following.labels[0]
        name = "default" if type(label).__name__ == "Default" else "case"
        raise st.context.refuse(
            "PC0307", f"a case of the `switch` falls through into the next `{name}`", label,
            secondary=((group.labels[0], "what begins here does not end with `break`"),),
            helps=("end each case with `break`, or write the `switch` as `if` and `else`",),
        )  # fmt: skip
    return _stripped(st, group.items)


def _leaves(items: list[Any]) -> bool:
    """Whether control never reaches the end of the statements."""
    return any(_leaves_one(item) for item in items)


def _leaves_one(item: Any) -> bool:
    kind = type(item).__name__
    if kind in ("Break", "Continue", "Return", "Goto"):
        return True
    if kind == "Compound":
        return _leaves(list(item.block_items or ()))
    if kind == "If":
        return item.iffalse is not None and _leaves_one(item.iftrue) and _leaves_one(item.iffalse)
    return False


def _has_break(node: Any) -> bool:
    """Whether a `break` below leaves the `switch` around `node`."""
    kind = type(node).__name__
    if kind == "Break":
        return True
    if kind in LOOPS or kind == "Switch":
        return False
    return any(_has_break(child) for _, child in node.children())


def _stripped(st: Statements, items: list[Any]) -> list[Any]:
    """The statements with what follows a conditional `break` under the other condition."""
    kept: list[Any] = []
    for position, item in enumerate(items):
        if not _has_break(item):
            kept.append(item)
            continue
        kind = type(item).__name__
        rest = items[position + 1 :]
        if kind == "Break":
            return kept
        if kind == "Compound":
            inner = list(item.block_items or ())
            if _leaves(inner) or not rest:
                return [*kept, c_ast.Compound(_stripped(st, inner), item.coord)]
        if kind == "If":
            then = [item.iftrue] if item.iftrue is not None else []
            otherwise = [item.iffalse] if item.iffalse is not None else []
            if not rest or _leaves(then) or _leaves(otherwise):
                # What follows is executed behind the one branch that goes on.
                then = then if _leaves(then) else [*then, *rest]
                otherwise = otherwise if _leaves(otherwise) else [*otherwise, *rest]
                both = [c_ast.Compound(_stripped(st, each), item.coord) for each in (then, otherwise)]
                return [*kept, c_ast.If(item.cond, *both, item.coord)]
        raise st.context.refuse(
            "PC0307", "a `break` leaves the `switch` from within several statements", _first_break(item),
            helps=("put what stands behind it under the opposite condition",),
        )  # fmt: skip
    return kept


def _first_break(node: Any) -> Any:
    if type(node).__name__ == "Break":
        return node
    found = (_first_break(child) for _, child in node.children() if _has_break(child))
    return next(found, node)
