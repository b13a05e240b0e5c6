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

from pencilc.diagnostics.source import Span
from pencilc.ir.queries import names_in
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
    Region,
    Stmt,
    walk,
)
from pencilc.poly.model.accesses import Effects, contains, touches
from pencilc.records import dataclass


def with_kept_conditions(region: Region, effects: Effects, taken: set[str]) -> Block:
    """The body of `region` with such conditions around reductions, and those that each statement has for itself
    (`Region.apart`), in variables; the names of these are added to `taken`.
    """
    return _Kept(region.apart, effects, taken).block(region.body)


@dataclass(frozen=True, slots=True)
class _Kept:
    """Goes through the statements of a region from outside."""

    apart: frozenset[Span]
    effects: Effects
    taken: set[str]

    def block(self, block: Block) -> Block:
        return replace(block, items=tuple(self._stmt(item) for item in block.items))

    def _stmt(self, stmt: Stmt) -> Stmt:
        match stmt:
            case Block():
                return self.block(stmt)
            case For():
                return replace(stmt, body=self._stmt(stmt.body))
            case If():
                otherwise = None if stmt.otherwise is None else self._stmt(stmt.otherwise)
                inner = replace(stmt, then=self._stmt(stmt.then), otherwise=otherwise)
                changed = self._changed(stmt)
                return _evaluated_first(inner, changed, self.taken) if changed else inner
        return stmt

    def _changed(self, stmt: If) -> set[str]:
        """The variables that the condition reads and a branch writes; none where nobody has to ask twice.

        A condition on what is reduced is none that could be evaluated first.
        """
        is_apart = stmt.span in self.apart
        if not is_apart and not contains(stmt, (ReductionInit, ReductionUpdate)):
            return set()
        read = {touch.lvalue.symbol.name for touch in touches(stmt.condition, self.effects)}
        branches = [stmt.then] if stmt.otherwise is None else [stmt.then, stmt.otherwise]
        changes = [t for branch in branches for t in touches(branch, self.effects) if t.lvalue.symbol.name in read]
        if not is_apart and any(touch.of_reduction for touch in changes):
            return set()
        return {t.lvalue.symbol.name for t in changes if t.kind not in (AccessKind.READ, AccessKind.KILL)}


def _is_on_data(condition: Expr) -> bool:
    return any(isinstance(node, Index | MemberOf | Call) for node in walk(condition))


def _evaluated_first(stmt: If, changed: set[str], taken: set[str]) -> Stmt:
    """`stmt` with its condition in a variable, but for what stands in front of all data in it, and of all variables
    that are `changed`: `i > 0 && a[i - 1]`.
    """
    span = stmt.condition.span
    parts = _conjuncts(stmt.condition)
    plain = next(k for k, part in enumerate(parts) if _is_on_data(part) or names_in(part) & changed)
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
