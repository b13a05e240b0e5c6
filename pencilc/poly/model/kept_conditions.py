"""Conditions that what they guard would change are evaluated first, into a variable.

Before: `if (b[i] < 0) { b[i] = 0; update(&c, 1); }`
After:  `int holds = b[i] < 0; if (holds) { b[i] = 0; update(&c, 1); }`

Each of the guarded statements has the condition for itself in the model: a reduction among them stands in a loop of its
own, for which it must still be what it was.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace
from functools import reduce

from pencilc.ir.rewrite import as_block, truth_of, truth_variable
from pencilc.ir.scop import AccessKind
from pencilc.ir.source import (
    INT,
    Binary,
    Block,
    Call,
    Cast,
    Declare,
    Expr,
    For,
    If,
    Index,
    MemberOf,
    Name,
    ReductionInit,
    ReductionUpdate,
    Stmt,
    walk,
)
from pencilc.poly.model.accesses import Effects, contains, touches


def with_kept_conditions(body: Block, effects: Effects, taken: set[str]) -> Block:
    """`body` with such conditions around reductions in variables; the names of these are added to `taken`."""
    return replace(body, items=tuple(_kept(item, effects, taken) for item in body.items))


def _kept(stmt: Stmt, effects: Effects, taken: set[str]) -> Stmt:
    match stmt:
        case Block():
            return with_kept_conditions(stmt, effects, taken)
        case For():
            return replace(stmt, body=_kept(stmt.body, effects, taken))
        case If():
            otherwise = None if stmt.otherwise is None else _kept(stmt.otherwise, effects, taken)
            inner = replace(stmt, then=_kept(stmt.then, effects, taken), otherwise=otherwise)
            return _evaluated_first(inner, taken) if _changes_its_condition(stmt, effects) else inner
    return stmt


def _changes_its_condition(stmt: If, effects: Effects) -> bool:
    """Whether a reduction stands in `stmt` beside what writes an element that the condition reads.

    A condition on what is reduced is none that could be evaluated first.
    """
    if not contains(stmt, (ReductionInit, ReductionUpdate)) or not _is_on_data(stmt.condition):
        return False
    read = {touch.lvalue.symbol.name for touch in touches(stmt.condition, effects)}
    branches = [stmt.then] if stmt.otherwise is None else [stmt.then, stmt.otherwise]
    changes = [t for branch in branches for t in touches(branch, effects) if t.lvalue.symbol.name in read]
    kinds = {touch.kind for touch in changes if not touch.of_reduction}
    return bool(kinds - {AccessKind.READ, AccessKind.KILL}) and not any(touch.of_reduction for touch in changes)


def _is_on_data(condition: Expr) -> bool:
    return any(isinstance(node, Index | MemberOf | Call) for node in walk(condition))


def _evaluated_first(stmt: If, taken: set[str]) -> Stmt:
    """`stmt` with its condition in a variable, but for what stands in front of all data in it: `i > 0 && a[i - 1]`."""
    span = stmt.condition.span
    parts = _conjuncts(stmt.condition)
    plain = next((k for k, part in enumerate(parts) if _is_on_data(part)), len(parts))
    if stmt.otherwise is not None:
        plain = 0
    holds = truth_variable("holds", taken, span)
    data = Declare(holds, truth_of(_all_of(parts[plain:])), span)
    guarded = Block((data, replace(stmt, condition=Name(holds, INT, span), then=as_block(stmt.then))), stmt.span)
    return guarded if plain == 0 else If(_all_of(parts[:plain]), guarded, None, stmt.span)


def _conjuncts(condition: Expr) -> list[Expr]:
    inner = condition.operand if isinstance(condition, Cast) and condition.implicit else condition
    if isinstance(inner, Binary) and inner.op == "&&":
        return [*_conjuncts(inner.left), *_conjuncts(inner.right)]
    return [condition]


def _all_of(parts: Seq[Expr]) -> Expr:
    return reduce(lambda one, other: Binary("&&", one, other, INT, one.span), parts)
