"""Values that leave every other one as it is, and limits of types, as expressions of the source."""

from __future__ import annotations

from pencilc.diagnostics.source import Span
from pencilc.ir.scop import OperatorKind
from pencilc.ir.source import INT, Binary, Cast, CType, Expr, FloatLiteral, IntLiteral, Scalar, Unary, is_floating


def identity(kind: OperatorKind, ctype: Scalar, span: Span) -> Expr:
    """The identity of an operator on values of `ctype`; of floats that compare, infinity.

    The sum of negative zeros is a negative zero: that of floats begins with one.
    """
    match kind:
        case OperatorKind.MIN | OperatorKind.MAX:
            return worst(ctype, kind is OperatorKind.MIN, span)
        case OperatorKind.BIT_AND if ctype.kind != "bool":
            ones = Unary("~", IntLiteral(0, INT, span), INT, span)
            return ones if ctype == INT else Cast(ones, ctype, span, True)
        case OperatorKind.MUL | OperatorKind.AND | OperatorKind.BIT_AND:
            value = 1
        case _:
            value = 0
    if ctype.is_integer:
        return IntLiteral(value, ctype, span)
    zero = FloatLiteral("0.0f" if ctype.size == INT.size else "0.0", ctype, span)
    if value == 0:
        return Unary("-", zero, ctype, span)
    return FloatLiteral("1.0f" if ctype.size == INT.size else "1.0", ctype, span)


def worst(type_: CType, smallest: bool, span: Span) -> Expr:
    """The value that loses against each other one."""
    if not is_floating(type_):
        return limit(type_, smallest, span)
    infinity = FloatLiteral("1e999f" if type_.size == INT.size else "1e999", type_, span)
    return infinity if smallest else Unary("-", infinity, type_, span)


def limit(type_: CType, is_largest: bool, span: Span) -> Expr:
    """The largest or the least value of an integer type."""
    assert isinstance(type_, Scalar)
    bits = 8 * type_.size - (type_.kind == "int")
    largest = IntLiteral(2**bits - 1, type_, span)
    if is_largest:
        return largest
    if type_.kind == "uint":
        return IntLiteral(0, type_, span)
    return Binary("-", Unary("-", largest, type_, span), IntLiteral(1, type_, span), type_, span)
