"""Integer expressions taken apart around one variable: `factor * variable + the rest`."""

from __future__ import annotations

from dataclasses import replace

from pencilc.diagnostics.source import Span
from pencilc.frontend.translate.constants import integer_value
from pencilc.frontend.translate.types import common_type
from pencilc.ir.queries import mentions_any
from pencilc.ir.source import INT, LONG, Binary, Cast, CType, Expr, IntLiteral, Name, Scalar, Symbol, Unary
from pencilc.records import dataclass


class NotLinear(Exception):
    """The variable stands where it cannot be taken out."""


@dataclass(frozen=True, slots=True)
class LinearForm:
    """`factor * variable + constant + sum of terms`; each term has a factor and an expression without the variable.

    `wraps`: some of the arithmetic is unsigned.  `narrow`: some of that is in a narrower type than the whole.
    """

    factor: int
    constant: int
    terms: tuple[tuple[int, Expr], ...]
    span: Span
    wraps: bool = False
    narrow: bool = False

    def plus(self, other: LinearForm, sign: int) -> LinearForm:
        """The sum, or with `sign` -1 the difference."""
        terms = (*self.terms, *((sign * factor, expr) for factor, expr in other.terms))
        wraps, narrow = self.wraps or other.wraps, self.narrow or other.narrow
        factor, constant = self.factor + sign * other.factor, self.constant + sign * other.constant
        return LinearForm(factor, constant, terms, self.span, wraps, narrow)

    def times(self, by: int) -> LinearForm:
        """The product with a constant."""
        terms = tuple((by * factor, expr) for factor, expr in self.terms)
        return replace(self, factor=by * self.factor, constant=by * self.constant, terms=terms)

    def minus(self, other: LinearForm) -> Expr:
        """The difference of what is left without the variable, as signed C: `n + 1 - k`."""
        return self.plus(other, -1).whole(INT)

    def whole(self, least: Scalar) -> Expr:
        """What is left without the variable, of type `least` or a wider one."""
        ctype = least
        for _, expr in self.terms:
            assert isinstance(expr.type, Scalar)
            ctype = common_type(ctype, expr.type)
        if not -(2**31) <= self.constant < 2**31:
            ctype = common_type(ctype, LONG)
        total: Expr | None = None
        # A term that is added goes first, so that none is negated.
        for factor, expr in sorted(self.terms, key=lambda term: term[0] < 0):
            part = _converted(expr, ctype)
            if abs(factor) != 1:
                part = Binary("*", IntLiteral(abs(factor), ctype, self.span), part, ctype, self.span)
            if total is not None:
                total = Binary("+" if factor > 0 else "-", total, part, ctype, self.span)
            else:
                total = part if factor > 0 else Unary("-", part, ctype, self.span)
        if total is None:
            return IntLiteral(self.constant, ctype, self.span)
        if self.constant:
            literal = IntLiteral(abs(self.constant), ctype, self.span)
            total = Binary("+" if self.constant > 0 else "-", total, literal, ctype, self.span)
        return total


def linear(expr: Expr, variable: Symbol, never_negative: bool) -> LinearForm:
    """`expr`, of integer type, around `variable`, which is not negative if `never_negative`; raises NotLinear.

    Only conversions that keep the value are looked through.
    """
    value = integer_value(expr)
    if value is not None:
        return LinearForm(0, value, (), expr.span)
    if not mentions_any(expr, variable.name):
        return LinearForm(0, 0, ((1, expr),), expr.span)
    match expr:
        case Name():
            return LinearForm(1, 0, (), expr.span)
        case Cast():
            return _conversion(expr, linear(expr.operand, variable, never_negative), never_negative)
        case Unary(op="+" | "-"):
            operand = linear(expr.operand, variable, never_negative)
            return _marked(operand.times(-1 if expr.op == "-" else 1), expr.type)
        case Binary():
            left = linear(expr.left, variable, never_negative)
            right = linear(expr.right, variable, never_negative)
            return _marked(_combined(expr.op, left, right), expr.type)
    raise NotLinear


def _combined(op: str, left: LinearForm, right: LinearForm) -> LinearForm:
    """`left op right`; raises NotLinear."""
    if op in ("+", "-"):
        return left.plus(right, 1 if op == "+" else -1)
    if op == "*" and (right.factor or right.terms):
        left, right = right, left
    if right.factor == 0 and not right.terms:
        if op == "*":
            return left.times(right.constant)
        if op == "<<" and 0 <= right.constant < 31:
            return left.times(2**right.constant)
    raise NotLinear


def _marked(made: LinearForm, ctype: CType) -> LinearForm:
    assert isinstance(ctype, Scalar)
    return replace(made, wraps=True) if ctype.kind != "int" else made


def _conversion(cast: Cast, operand: LinearForm, never_negative: bool) -> LinearForm:
    """The conversion of an integer expression, where it keeps the value or C says how it wraps; raises NotLinear."""
    source, target = cast.operand.type, cast.type
    if not isinstance(source, Scalar) or not isinstance(target, Scalar) or not target.is_integer:
        raise NotLinear
    if target.size < source.size:
        raise NotLinear
    widens = target.size > source.size
    from_unsigned = source.kind in ("uint", "bool")
    if source.kind == target.kind or (from_unsigned and widens):
        wraps_before = widens and source.kind == "uint" and not isinstance(cast.operand, Name)
        return replace(operand, narrow=operand.narrow or wraps_before)
    if source.kind == "int" and target.kind == "uint":
        grows = operand.factor > 0 and operand.constant >= 0 and not operand.terms
        if never_negative and grows:
            return replace(operand, wraps=True)
    raise NotLinear


def _converted(expr: Expr, ctype: CType) -> Expr:
    return expr if expr.type == ctype else Cast(expr, ctype, expr.span, True)
