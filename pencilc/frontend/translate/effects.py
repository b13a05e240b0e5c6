"""Effects inside of an expression become statements of their own, where C says when they happen.

    out[n++] = v;                           out[n] = v; n++;
    if (++rounds > most) break;             ++rounds; if (rounds > most) break;
    while (err > tol && it++ < most) …      while (1) { if (!(err > tol)) break;
                                                        int holds = it < most; it++; if (!holds) break;  … }

What is changed must stand nowhere else in the expression: C leaves open whether that would be before or behind the
effect.  An effect that a condition may pass over (`c && n++`, `c ? n++ : 0`) stays what it is, and so is refused.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.frontend.translate.translators import Statements
from pencilc.ir.rewrite import fresh_name, truth_of
from pencilc.ir.source import INT, Declare, Expr, If, Jump, Name, Stmt, Unary
from pencilc.records import dataclass

_STEPS = ("++", "--", "p++", "p--")


@dataclass(frozen=True, slots=True)
class Apart:
    """An expression without effects, and the statements, as pycparser has them, for those before and behind it."""

    before: tuple[Any, ...]
    expression: Any
    behind: tuple[Any, ...]


def of_statement(node: Any) -> Apart | None:
    """The effects inside of a statement of one expression apart from it; None where it has none, or one stays inside.

    `x = y = 2` is left to `chains.py`.
    """
    if type(node).__name__ == "Return":
        parts = _of_expression(node)
        # Nobody sees what a variable of the function is behind its end.
        is_seen = parts is not None and any(type(_target(each)).__name__ != "ID" for each in parts.behind)
        return None if parts is None or is_seen else replace(parts, behind=())
    if type(node).__name__ not in ("Assignment", "Decl", "FuncCall", "UnaryOp"):
        return None
    value = getattr(node, "init", None) if type(node).__name__ == "Decl" else getattr(node, "rvalue", None)
    if type(value).__name__ == "Assignment":
        return None
    return _apart(node, [each for each in nodes_below(node) if each is not node and is_effect(each)])


def _of_expression(node: Any) -> Apart | None:
    return _apart(node, [each for each in nodes_below(node) if is_effect(each)])


def _apart(node: Any, effects: Sequence[Any]) -> Apart | None:
    if not effects:
        return None
    always = {id(each) for each in _always_evaluated(node)}
    for effect in effects:
        if id(effect) not in always or any(is_effect(each) for each in nodes_below(effect) if each is not effect):
            return None
        name = _root(_target(effect))
        if name is None or _stands_outside(node, effect, {name}) or _is_elsewhere_then(node, effect):
            return None
    before = tuple(each for each in effects if not _is_behind(each))
    behind = tuple(each for each in effects if _is_behind(each))
    return Apart(before, _with(node, {id(each): _target(each) for each in effects}), behind)


def has_effects(node: Any) -> bool:
    """Whether an expression, if it is one, changes a variable."""
    return node is not None and any(map(is_effect, nodes_below(node)))


def is_effect(node: Any) -> bool:
    """Whether a node changes a variable: an assignment, or a step up or down."""
    kind = type(node).__name__
    return kind == "Assignment" or (kind == "UnaryOp" and node.op in _STEPS)


def _target(effect: Any) -> Any:
    """What an effect changes."""
    return effect.lvalue if type(effect).__name__ == "Assignment" else effect.expr


def _is_behind(effect: Any) -> bool:
    """Whether the expression takes the value of before."""
    return type(effect).__name__ == "UnaryOp" and bool(effect.op.startswith("p"))


def _always_evaluated(node: Any) -> Iterator[Any]:
    """The nodes below `node` that no condition inside of it passes over."""
    yield node
    if type(node).__name__ == "TernaryOp":
        yield from _always_evaluated(node.cond)
    elif type(node).__name__ == "BinaryOp" and node.op in ("&&", "||"):
        yield from _always_evaluated(node.left)
    elif type(node).__name__ == "UnaryOp" and node.op == "sizeof":
        return
    else:
        for _, child in node.children():
            yield from _always_evaluated(child)


def _root(target: Any) -> str | None:
    """The variable that `a[i].m` or `*p` is in."""
    while type(target).__name__ in ("ArrayRef", "StructRef", "UnaryOp"):
        if type(target).__name__ == "UnaryOp" and target.op != "*":
            return None
        target = target.expr if type(target).__name__ == "UnaryOp" else target.name
    return target.name if type(target).__name__ == "ID" else None


def _stands_outside(node: Any, effect: Any, names: set[str]) -> bool:
    """Whether one of the variables `names` stands in `node` outside of `effect`."""
    return any(type(each).__name__ == "ID" and each.name in names for each in _outside(node, effect))


def _outside(node: Any, effect: Any) -> Iterator[Any]:
    inside = {id(each) for each in nodes_below(effect)}
    return (each for each in nodes_below(node) if id(each) not in inside)


def _is_elsewhere_then(node: Any, effect: Any) -> bool:
    """Whether what `effect` changes may be another element before or behind `node`: `k = t[k]++`, `f(&k, t[k]++)`."""
    if any(type(each).__name__ == "FuncCall" for each in nodes_below(_target(effect))):
        return True  # It would be called twice.
    chosen_by = [each for part in nodes_below(_target(effect)) if type(part).__name__ == "ArrayRef"
                 for each in nodes_below(part.subscript)]  # fmt: skip
    names = {each.name for each in chosen_by if type(each).__name__ == "ID"}
    arrays = {_root(each) for each in chosen_by if type(each).__name__ in ("ArrayRef", "StructRef", "UnaryOp")}
    if _stands_outside(node, effect, {name for name in arrays if name is not None}):
        return True
    changed = {node.name} if type(node).__name__ == "Decl" else set()
    for each in _outside(node, effect):
        if type(each).__name__ == "Assignment" or (type(each).__name__ == "UnaryOp" and each.op in ("&", *_STEPS)):
            changed.add(_root(_target(each)))
    return bool(names & changed)


def _with(node: Any, instead: dict[int, Any]) -> Any:
    """A copy of `node` with other nodes in place of some of it."""
    if id(node) in instead:
        return instead[id(node)]
    made = copy.copy(node)
    for slot in node.__slots__:
        value = getattr(node, slot, None)
        if hasattr(value, "children"):
            setattr(made, slot, _with(value, instead))
        elif isinstance(value, list) and value and hasattr(value[0], "children"):
            setattr(made, slot, [_with(each, instead) for each in value])
    return made


def condition(st: Statements, node: Any) -> tuple[tuple[Stmt, ...], Expr]:
    """What is done before a condition is asked for, and what it is then; raises Refused."""
    parts = None if _is_slip(node) else _of_expression(node)
    if parts is None:
        return (), st.tr.arithmetic(node)
    before = tuple(made for each in parts.before for made in st.statement(each))
    value = st.tr.arithmetic(parts.expression)
    if not parts.behind:
        return before, value
    span = st.context.span(node)
    wish = fresh_name("holds", {*st.context.identifiers, *st.state.used_names})
    holds = st.tr.declare(wish, INT, "local", span)
    behind = tuple(made for each in parts.behind for made in st.statement(each))
    return (*before, Declare(holds, truth_of(value), span), *behind), Name(holds, INT, span)


def _is_slip(node: Any) -> bool:
    """An assignment alone, `if (x = 1)`, is more often a slip than meant."""
    return type(node).__name__ == "Assignment" and bool(node.op == "=")


def goes_on(st: Statements, node: Any) -> tuple[Stmt, ...] | None:
    """The condition of a `while` as statements that leave it; None where it has no effects.  Raises Refused.

    Each part of `a && b` is asked for where those in front of it hold.
    """
    if _is_slip(node) or not has_effects(node):
        return None
    found: list[Stmt] = []
    for each in _conjuncts(node):
        before, holds = condition(st, each)
        span = st.context.span(each)
        found += [*before, If(Unary("!", holds, INT, span), Jump("break", span), None, span)]
    return tuple(found)


def _conjuncts(node: Any) -> Iterator[Any]:
    if type(node).__name__ == "BinaryOp" and node.op == "&&":
        yield from _conjuncts(node.left)
        yield from _conjuncts(node.right)
    else:
        yield node
