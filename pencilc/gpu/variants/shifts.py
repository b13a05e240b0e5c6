"""Recognise sums of f(a - m), where a is known for each element and the shift m only when a whole row was reduced.

    s += expf(x[j] - max);   q += (x[j] - mean) * (x[j] - mean);

    sum of exp(a - m) = exp(c - m) * sum of exp(a - c)
    sum of (a - m)^2  = sum of (a - p)^2 - (m - p) * (2 * sum of (a - p) - n * (m - p))

So one sweep over the elements can accumulate what gives the sum for any m, with a c and a p of its own choice: the
largest element met so far (Milakov and Gimelshein, Online normalizer calculation for softmax, 2018), and one of the
elements.
"""

from __future__ import annotations

from collections.abc import Callable

from pencilc.ir.source import Binary, Call, Cast, CType, Expr
from pencilc.ir.source_printer import print_expr
from pencilc.records import dataclass

# The functions of math.h that turn a difference into a quotient, and what the building blocks call them.
EXPONENTIALS = {"exp": "exp", "expf": "exp", "exp2": "exp2", "exp2f": "exp2"}

IsLate = Callable[[Expr], bool]


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """A sum of `function`(value - shift), times `weight` if there is one; `function` is exp, exp2 or square."""

    function: str
    value: Expr
    shift: Expr
    weight: Expr | None = None


def matched(element: Expr, ctype: CType, is_late: IsLate) -> Match | None:
    """What `element` of a sum in `ctype` is, if only its shift reads what `is_late`; None for anything else."""
    element = _bare(element)
    if isinstance(element, Binary) and element.op == "*" and element.type == ctype:
        left, right = _bare(element.left), _bare(element.right)
        if print_expr(left) == print_expr(right):
            return _difference("square", left, ctype, is_late)
        for factor, weight in ((left, right), (right, left)):
            if not is_late(weight):
                return _exponential(factor, ctype, is_late, weight)
        return None
    return _exponential(element, ctype, is_late, None)


def _exponential(element: Expr, ctype: CType, is_late: IsLate, weight: Expr | None) -> Match | None:
    if not isinstance(element, Call) or element.function not in EXPONENTIALS or element.type != ctype:
        return None
    return _difference(EXPONENTIALS[element.function], _bare(element.arguments[0]), ctype, is_late, weight)


def _difference(
    function: str, difference: Expr, ctype: CType, is_late: IsLate, weight: Expr | None = None
) -> Match | None:
    """The match whose function is applied to `difference`; a square does not mind which side the shift is on."""
    if not isinstance(difference, Binary) or difference.op != "-" or difference.type != ctype:
        return None
    value, shift = difference.left, difference.right
    if function == "square" and is_late(value):
        value, shift = shift, value
    if is_late(value) or not is_late(shift):
        return None
    return Match(function, value, shift, weight)


def _bare(expr: Expr) -> Expr:
    """The expression without conversions to the type that it has."""
    while isinstance(expr, Cast) and expr.type == expr.operand.type:
        expr = expr.operand
    return expr
