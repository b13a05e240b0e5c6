"""Loops over a window around a point count from the point.

Before: `for (x…) for (int i = x - r; i <= x + r; i++) sum += a[i] * k[i - x + r];`
After:  `for (x…) for (int i = -r; i <= r; i++) sum += a[x + i] * k[i + r];`

Ends that are kept in the picture, `max(0, x - r)`, are `max(-x, -r)`.  Each point then has the same values of `i`, so
that threads with neighbouring points read neighbouring elements.  Loops of a known number of iterations
(`i = x - 1; i <= x + 1`) are unrolled as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace
from typing import Any

from pencilc.ir.build import is_number, substituted
from pencilc.ir.queries import names_in
from pencilc.ir.rewrite import replaced
from pencilc.ir.source import (
    Binary,
    Call,
    Expr,
    For,
    Function,
    IntLiteral,
    Name,
    Node,
    Region,
    Return,
    Scalar,
    Stmt,
    Symbol,
    Ternary,
    Unary,
)

_INT_BYTES = 4
_CLAMPS = frozenset(("min", "max", "imin", "imax", "lmin", "lmax"))


def with_windows(region: Region, functions: Mapping[str, Function]) -> Region:
    """`region`, which calls `functions`, with such loops counted from their point."""
    return replace(region, body=_Windows(functions).below(region.body, ()))


class _Windows:
    """The walk over a region."""

    def __init__(self, functions: Mapping[str, Function]) -> None:
        self._functions = functions

    def below(self, node: Any, around: tuple[Symbol, ...]) -> Any:
        """`node` below loops with the counters `around`, those alone that go up or down by one."""

        def change(inner: Node) -> Node | None:
            if not isinstance(inner, For):
                return None
            loop = self._from_point(inner, around)
            counters = (*around, loop.iterator) if abs(loop.step) == 1 and loop.factor is None else around
            return replace(loop, body=self.below(loop.body, counters))

        return replaced(node, change)

    def _from_point(self, loop: For, around: Seq[Symbol]) -> For:
        """The loop, counted from the innermost counter of `around` that both of its bounds are a sum with."""
        counter = loop.iterator
        if not isinstance(counter.type, Scalar) or counter.type.kind != "int" or counter.type.size < _INT_BYTES:
            return loop
        for point in reversed(around):
            if point.type != counter.type or point.name == counter.name:
                continue
            lower, bound = self._behind(loop.lower, point), self._behind(loop.bound, point)
            if lower is None or bound is None:
                continue
            if _is_known(lower) and _is_known(bound):
                return loop
            return replace(loop, lower=lower, bound=bound, body=self._moved(loop.body, counter, point))
        return loop

    def _behind(self, expr: Expr, point: Symbol) -> Expr | None:
        """What is added to `point` in a sum that has it once; None for anything else."""
        if expr.type != point.type:
            return None
        if isinstance(expr, Name) and expr.symbol.name == point.name:
            return IntLiteral(0, point.type, expr.span)
        if isinstance(expr, Call):
            return self._end_behind(expr, point)
        if isinstance(expr, Ternary):
            ends = self._ends_behind((expr.then, expr.otherwise), point)
            return None if ends is None else replace(expr, then=ends[0], otherwise=ends[1])
        if not isinstance(expr, Binary) or expr.op not in ("+", "-"):
            return None
        has_left, has_right = (point.name in names_in(side) for side in (expr.left, expr.right))
        if has_left and not has_right:
            rest = self._behind(expr.left, point)
            return None if rest is None else _sum(expr.op, rest, expr.right, expr)
        if has_right and not has_left and expr.op == "+":
            rest = self._behind(expr.right, point)
            return None if rest is None else _sum("+", expr.left, rest, expr)
        return None

    def _end_behind(self, call: Call, point: Symbol) -> Expr | None:
        """The same of the lesser or the greater of two values, which a function of pencil.h or of the source gives."""
        function = self._functions.get(call.function)
        if function is None:
            ends = self._ends_behind(call.arguments, point) if call.function in _CLAMPS else None
            return None if ends is None else replace(call, arguments=ends)
        items = function.body.items
        if len(items) != 1 or not isinstance(items[0], Return) or not isinstance(items[0].value, Ternary):
            return None
        if any(given.type != point.type for given in (*function.params, *call.arguments)):
            return None
        values = dict(zip((each.name for each in function.params), call.arguments, strict=True))
        return self._behind(substituted(items[0].value, values), point)

    def _ends_behind(self, ends: Seq[Expr], point: Symbol) -> tuple[Expr, ...] | None:
        """What is added to `point` in each of two values, of which one at least is a sum with it."""
        if len(ends) != 2 or not any(point.name in names_in(end) for end in ends):
            return None
        found: list[Expr] = []
        for end in ends:
            rest = self._behind(end, point) if point.name in names_in(end) else _less(end, point)
            if rest is None:
                return None
            found.append(rest)
        return tuple(found)

    def _moved(self, body: Stmt, counter: Symbol, point: Symbol) -> Any:
        """The body of the loop, in which the counter was the point and what it is now."""

        def is_of(expr: Expr, variable: Symbol) -> bool:
            return isinstance(expr, Name) and expr.symbol.name == variable.name

        def change(node: Node) -> Node | None:
            if isinstance(node, Binary) and node.op == "-" and is_of(node.left, counter) and node.type == point.type:
                rest = self._behind(node.right, point)
                if rest is not None:
                    moved = replaced(rest, change)
                    if isinstance(moved, Unary) and moved.op == "-":
                        return replace(node, op="+", right=moved.operand)
                    return node.left if is_number(moved, 0) else replace(node, right=moved)
            if isinstance(node, Name) and is_of(node, counter):
                return Binary("+", Name(point, point.type, node.span), node, point.type, node.span)
            return None

        return replaced(body, change)


def _is_known(end: Expr) -> bool:
    """Whether a loop ends at a number of iterations from its point, or before."""
    ends = end.arguments if isinstance(end, Call) else (end.then, end.otherwise) if isinstance(end, Ternary) else (end,)
    return any(isinstance(each, IntLiteral) for each in ends)


def _less(end: Expr, point: Symbol) -> Expr | None:
    """What is added to `point` in a value that does not depend on it."""
    if end.type != point.type:
        return None
    name = Name(point, point.type, end.span)
    return Unary("-", name, point.type, end.span) if is_number(end, 0) else Binary("-", end, name, point.type, end.span)


def _sum(op: str, left: Expr, right: Expr, whole: Binary) -> Expr:
    """`left op right` in the place of the sum `whole`, where zeros add nothing."""
    if is_number(left, 0):
        return right if op == "+" else _negated(right, whole)
    if is_number(right, 0):
        return left
    return replace(whole, op=op, left=left, right=right)


def _negated(expr: Expr, whole: Binary) -> Expr:
    if isinstance(expr, IntLiteral):
        return replace(expr, value=-expr.value)
    return Unary("-", expr, whole.type, whole.span)
