"""The identity of a recognised operator."""

from __future__ import annotations

from pencilc.diagnostics.source import UNKNOWN_SPAN
from pencilc.ir.build import binary, cast, number, variable
from pencilc.ir.scop import OperatorKind, Reduction
from pencilc.ir.source import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    ULLONG,
    Expr,
    FloatLiteral,
    IntLiteral,
    Scalar,
    Unary,
)


def identity(reduction: Reduction) -> Expr | None:
    """A recognised operator's own identity; None where the init function gives it."""
    kind, ctype = reduction.operator.recognised, reduction.element_type
    if reduction.operator.wide:
        return FloatLiteral("-0.0f", FLOAT, UNKNOWN_SPAN)
    if kind is None or not isinstance(ctype, Scalar):
        return None
    match kind:
        case OperatorKind.ADD:
            # -0.0 and not 0.0: the sum of negative zeros is a negative zero.
            return _number("-0.0", 0, ctype)
        case OperatorKind.MUL:
            return _number("1.0", 1, ctype)
        case OperatorKind.BIT_OR | OperatorKind.BIT_XOR | OperatorKind.OR:
            return number(0)
        case OperatorKind.SET:
            return _number("0.0", 0, ctype)
        case OperatorKind.AND:
            return number(1)
        case OperatorKind.BIT_AND:
            ones = cast(ctype, Unary("~", IntLiteral(0, ULLONG, UNKNOWN_SPAN), ULLONG, UNKNOWN_SPAN))
            return ones if ctype.kind == "uint" else number(-1)
        case OperatorKind.MIN:
            return _no_number(ctype) if reduction.operator.prefers_numbers else _largest(ctype)
        case OperatorKind.MAX:
            return _no_number(ctype) if reduction.operator.prefers_numbers else _smallest(ctype)


def _no_number(ctype: Scalar) -> Expr:
    """What `fminf` leaves for every other value; infinity stays where there are no numbers."""
    return variable("NAN", FLOAT) if ctype == FLOAT else cast(DOUBLE, variable("NAN", FLOAT))


def _number(floating: str, integer: int, ctype: Scalar) -> Expr:
    """A number of the type."""
    if ctype in (FLOAT, DOUBLE):
        return FloatLiteral(f"{floating}{'f' if ctype == FLOAT else ''}", ctype, UNKNOWN_SPAN)
    return number(integer)


def _largest(ctype: Scalar) -> Expr:
    if ctype.kind == "float":
        infinity = variable("INFINITY", FLOAT)
        return infinity if ctype == FLOAT else cast(DOUBLE, infinity)
    if ctype.kind == "bool":
        return variable("true", BOOL)
    return cast(ctype, _positive(8 * ctype.size - (ctype.kind == "int")))


def _positive(bits: int) -> Expr:
    """The largest number of so many bits."""
    return IntLiteral((1 << bits) - 1, ULLONG if bits > 31 else INT, UNKNOWN_SPAN)


def _smallest(ctype: Scalar) -> Expr:
    if ctype.kind == "float":
        return Unary("-", _largest(ctype), ctype, UNKNOWN_SPAN)
    if ctype.kind != "int":
        return number(0)
    bits = 8 * ctype.size - 1
    if bits >= 31:
        return binary("-", Unary("-", _largest(ctype), ctype, UNKNOWN_SPAN), number(1))
    return cast(ctype, number(-(1 << bits)))
