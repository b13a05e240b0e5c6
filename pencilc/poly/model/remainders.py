"""Remainders of sizes as comparisons, where one goes round once at most: for a GPU a division is twenty instructions.

a[(i + 1) % n]          a[i + 1 < n ? i + 1 : 0]
a[(i - 1 + n) % n]      a[i - 1 < 0 ? i - 1 + n : i - 1]
a[(i + k) % n]          a[i + k < n ? i + k : i + k - n]      for k <= n
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import islpy as isl

from pencilc import islx
from pencilc.ir.queries import same
from pencilc.ir.rewrite import replaced
from pencilc.ir.source import INT, Binary, Expr, IntLiteral, Node, Scalar, Stmt, Ternary, walk
from pencilc.poly.model.affine import AffineContext, NotAffine, affine, holds, turns_of


def with_comparisons(stmt: Stmt, context: AffineContext) -> Stmt:
    """The statement, whose iterations are those of `context`, with comparisons in the place of such remainders."""
    if not any(_is_remainder(node) for node in walk(stmt)):
        return stmt

    def compared(node: Node) -> Any:
        return _compared(node, context) if isinstance(node, Binary) and _is_remainder(node) else None

    made: Stmt = replaced(stmt, compared)
    return stmt if made == stmt else made


def _is_remainder(node: Node) -> bool:
    """Whether a node is a remainder of something else than a number, which the compiler divides by as fast."""
    return isinstance(node, Binary) and node.op == "%" and not isinstance(node.right, IntLiteral)


def _compared(expr: Binary, context: AffineContext) -> Expr | None:
    """What a remainder is, with at most two comparisons; None where that is not known."""
    if expr.left.type != expr.type or expr.right.type != expr.type:
        return None
    try:
        left, right = affine(expr.left, context), affine(expr.right, context)
        turns = turns_of(left, right, context)
        if turns <= 1:
            return expr.left if turns else None
        beyond = _without(expr.left, expr.right)
        is_signed = isinstance(expr.type, Scalar) and expr.type.kind == "int"
        if beyond is not None and is_signed and beyond.type == expr.type:
            return _around(expr, beyond, affine(beyond, context), right, context)
    except NotAffine:
        return None
    return _once(expr.left, expr, left, right, context)


def _around(expr: Binary, beyond: Expr, value: isl.PwAff, right: isl.PwAff, context: AffineContext) -> Expr | None:
    """`(beyond + n) % n`: `beyond` itself has the `value`.  What is negative as a sum too stays as it is."""
    made = _once(beyond, expr, value, right, context)
    if made is None or holds(value, islx.constant(context.where, 0), "lt_set", context):
        return made
    is_negative = Binary("<", beyond, IntLiteral(0, expr.type, expr.span), INT, expr.span)
    return Ternary(is_negative, expr.left, made, expr.type, expr.span)


def _once(value: Expr, expr: Binary, left: isl.PwAff, right: isl.PwAff, context: AffineContext) -> Expr | None:
    """A `value` less than twice the size, which is taken off where it is in there."""
    if holds(left, right, "ge_set", context):
        return value
    if not holds(left, right.scale_val(isl.Val(2)), "ge_set", context):
        return None
    span = expr.span
    is_last = holds(left, right, "gt_set", context)
    again = IntLiteral(0, expr.type, span) if is_last else Binary("-", value, expr.right, expr.type, span)
    return Ternary(Binary("<", value, expr.right, INT, span), value, again, expr.type, span)


def _without(total: Expr, term: Expr) -> Expr | None:
    """`total` without its summand `term`; None where it has none."""
    if not isinstance(total, Binary) or total.op not in ("+", "-"):
        return None
    if total.op == "+" and same(total.right, term):
        return total.left
    if total.op == "+" and same(total.left, term):
        return total.right
    left = _without(total.left, term)
    if left is not None:
        return replace(total, left=left)
    right = _without(total.right, term) if total.op == "+" else None
    return None if right is None else replace(total, right=right)
