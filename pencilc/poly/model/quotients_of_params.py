"""Quotients and remainders of parameters by parameters: the host computes them before any launch, as it does products.

for (int b = 0; b < n / w; b++)        ->        { S[b] : 0 <= b < n_per_w },    const int n_per_w = w != 0 ? n / w : 0;

Where the source would not divide, nothing is divided: by 0 the host's value is 0, which no loop is asked for then.
"""

from __future__ import annotations

from collections.abc import Mapping

from pencilc.diagnostics.source import UNKNOWN_SPAN
from pencilc.ir.build import binary, cast, choice, conjunction, variable
from pencilc.ir.source import INT, LLONG, ULLONG, Binary, Cast, CType, Expr, IntLiteral, Name, Scalar, Symbol, Unary
from pencilc.ir.source_printer import print_expr
from pencilc.records import dataclass

OPERATORS = ("/", "%", ">>")
_WORDS = {"/": "per", "%": "rest", ">>": "shifted"}
_BITS = 63  # by which a value of 64 bits may be shifted, at most


@dataclass(frozen=True, slots=True)
class QuotientOfParams:
    """`dividend op divisor`, of parameters alone: `text` is what it is told by, `value` what the host computes."""

    text: str
    spelling: str
    operator: str
    dividend: Expr
    value: Expr


def quotient_of(expr: Binary, params: Mapping[str, Symbol], values: Mapping[str, Expr]) -> QuotientOfParams | None:
    """The quotient that `expr` is; None where it is another one, by a constant, or may wrap before it is divided."""
    if expr.op not in OPERATORS or not isinstance(expr.type, Scalar) or expr.type.size < INT.size:
        return None
    wide = ULLONG if expr.type.kind == "uint" else LLONG
    left, right = _in_params(expr.left, expr.type, params, values), _in_params(expr.right, expr.type, params, values)
    if left is None or right is None or not any(isinstance(part, Name) for part in _leaves(right)):
        return None
    text = print_expr(Binary(expr.op, left, right, expr.type, expr.span))
    names = [part.symbol.spelling for part in (*_leaves(left), *_leaves(right)) if isinstance(part, Name)]
    spelling = f"_{_WORDS[expr.op]}_".join(dict.fromkeys((names[0], names[-1]))) if names else _WORDS[expr.op]
    value = _computed(Binary(expr.op, left, right, expr.type, expr.span), wide)
    return QuotientOfParams(text, spelling, expr.op, left, cast(expr.type, value))


def _in_params(expr: Expr, ctype: CType, params: Mapping[str, Symbol], values: Mapping[str, Expr]) -> Expr | None:
    """`expr`, of which the value is that of numbers, in terms of parameters; None where it is no such."""
    is_signed = isinstance(ctype, Scalar) and ctype.kind == "int"
    match expr:
        case IntLiteral():
            return expr
        case Name(symbol=symbol) if symbol.name in params:
            kind = symbol.type
            return expr if isinstance(kind, Scalar) and (is_signed or kind.kind == "uint") else None
        case Name(symbol=symbol) if symbol.name in values:
            return _in_params(values[symbol.name], ctype, params, values)
        case Cast(operand=operand) if _keeps(operand.type, expr.type):
            return _in_params(operand, ctype, params, values)
        case Unary(op="-", operand=operand) if is_signed:
            inner = _in_params(operand, ctype, params, values)
            return None if inner is None else Unary("-", inner, expr.type, expr.span)
        case Binary(op=op, left=left, right=right) if op in OPERATORS or (is_signed and op in ("+", "-")):
            one, other = _in_params(left, ctype, params, values), _in_params(right, ctype, params, values)
            return None if one is None or other is None else Binary(op, one, other, expr.type, expr.span)
    return None


def _keeps(source: CType, target: CType) -> bool:
    """Whether a conversion between integer types leaves every value as it is."""
    if not isinstance(source, Scalar) or not isinstance(target, Scalar):
        return False
    if not source.is_integer or not target.is_integer or target.kind == "bool":
        return False
    if source.kind == target.kind:
        return source.size <= target.size
    return source.kind != "int" and source.size < target.size


def _leaves(expr: Expr) -> list[Expr]:
    """The numbers and parameters that `_in_params` has made an expression of."""
    match expr:
        case Unary(operand=operand):
            return _leaves(operand)
        case Binary(left=left, right=right):
            return [*_leaves(left), *_leaves(right)]
    return [expr]


def _computed(expr: Expr, wide: Scalar) -> Expr:
    """What the host computes in the type `wide`, without a division by 0."""
    match expr:
        case IntLiteral(value=value):
            return IntLiteral(value, wide, UNKNOWN_SPAN)
        case Name(symbol=symbol):
            return cast(wide, variable(symbol.name, symbol.type))
        case Unary(operand=operand):
            return Unary("-", _computed(operand, wide), wide, UNKNOWN_SPAN)
        case Binary(op=op, left=left, right=right):
            one, other = _computed(left, wide), _computed(right, wide)
            zero = IntLiteral(0, wide, UNKNOWN_SPAN)
            if op == ">>":
                in_range = conjunction(
                    (binary(">=", other, zero), binary("<=", other, IntLiteral(_BITS, wide, UNKNOWN_SPAN)))
                )
                assert in_range is not None
                return choice(in_range, binary(">>", one, other), zero)
            if op in OPERATORS and not isinstance(right, IntLiteral):
                return choice(binary("!=", other, zero), binary(op, one, other), zero)
            return binary(op, one, other)
    raise AssertionError(expr)
