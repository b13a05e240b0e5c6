"""Constants: their spelling in C, and the value of integer constant expressions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pencilc.frontend.context import Scope
from pencilc.ir.ctypes import INT, LONG, UINT, ULLONG, ULONG, CType, Scalar
from pencilc.ir.source import Binary, Cast, Expr, IntLiteral, Ternary, Unary

if TYPE_CHECKING:
    from pencilc.frontend.types import TypeResolver

_PIECES = re.compile(r"\\x[0-9a-fA-F]+|\\[0-7]{1,3}|\\.|[^\\]+")  # of a string literal
_ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "\\": 92, "'": 39, '"': 34, "?": 63, "e": 27}


def parse_integer(text: str) -> tuple[int, Scalar]:
    """Value and type of an integer constant, as C99 6.4.4.1 chooses it; raises ValueError."""
    body = text.rstrip("uUlL")
    suffix = text[len(body) :].lower()
    digits = body.lower()
    if digits.startswith("0x"):
        value = int(digits, 16)
    elif digits.startswith("0b"):
        value = int(digits[2:], 2)
    else:
        value = int(digits, 8) if digits.startswith("0") and len(digits) > 1 else int(digits)
    decimal = not digits.startswith("0") or value == 0
    candidates: list[Scalar] = [INT, UINT, LONG, ULONG]
    if "u" in suffix:
        candidates = [UINT, ULONG]
    elif decimal:
        candidates = [INT, LONG]
    if "l" in suffix:
        candidates = [t for t in candidates if t.size == 8]
    for ctype in candidates:
        if value <= largest(ctype):
            if "ll" in suffix:
                from pencilc.ir.ctypes import LLONG

                ctype = LLONG if ctype == LONG else ULLONG
            return value, ctype
    raise ValueError(text)


def parse_character(text: str) -> int:
    """Value of a character constant; raises ValueError for those of several characters."""
    body = text.lstrip("LuU8")[1:-1]
    if body.startswith("\\"):
        rest = body[1:]
        if rest[:1] == "x":
            value = int(rest[1:], 16)
        elif rest[:1].isdigit():
            value = int(rest, 8)
        elif rest in _ESCAPES:
            value = _ESCAPES[rest]
        else:
            raise ValueError(text)
    elif len(body) == 1:
        value = ord(body)
    else:
        raise ValueError(text)
    return value - 256 if 128 <= value < 256 else value


def parse_string(text: str) -> bytes:
    """The bytes of a string literal without the last zero; raises ValueError for wide ones."""
    if not text.startswith('"'):
        raise ValueError(text)
    found = bytearray()
    for piece in _PIECES.findall(text[1:-1]):
        found += bytes([parse_character(f"'{piece}'") % 256]) if piece.startswith("\\") else piece.encode()
    return bytes(found)


def largest(ctype: Scalar) -> int:
    """The largest value of an integer type."""
    if ctype.kind == "bool":
        return 1
    bits = 8 * ctype.size
    return int(2**bits - 1 if ctype.kind == "uint" else 2 ** (bits - 1) - 1)


def wrap(value: int, ctype: CType) -> int:
    """`value` converted to an integer type."""
    assert isinstance(ctype, Scalar)
    if ctype.kind == "bool":
        return int(value != 0)
    modulus = 1 << (8 * ctype.size)
    value %= modulus
    return value - modulus if ctype.kind == "int" and value >= modulus // 2 else value


def integer_value(expr: Expr) -> int | None:
    """The value of an integer constant expression; None if it is none (or divides by zero)."""
    if isinstance(expr, IntLiteral):
        return expr.value
    if not isinstance(getattr(expr, "type", None), Scalar) or not expr.type.is_integer:  # type: ignore[union-attr]
        return None
    if isinstance(expr, Cast):
        value = integer_value(expr.operand)
        return None if value is None else wrap(value, expr.type)
    if isinstance(expr, Unary):
        value = integer_value(expr.operand)
        return (
            None
            if value is None
            else wrap({"-": -value, "+": value, "~": ~value, "!": int(not value)}[expr.op], expr.type)
        )
    if isinstance(expr, Ternary):
        condition = integer_value(expr.condition)
        return None if condition is None else integer_value(expr.then if condition else expr.otherwise)
    if isinstance(expr, Binary):
        left, right = integer_value(expr.left), integer_value(expr.right)
        result = None if left is None or right is None else _binary(expr.op, left, right)
        return None if result is None else wrap(result, expr.type)
    return None


def _binary(op: str, left: int, right: int) -> int | None:
    if op in ("/", "%"):
        if right == 0:
            return None
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if op == "/" else left - right * quotient
    if op in ("<<", ">>"):
        if not 0 <= right < 64:
            return None
        return left << right if op == "<<" else left >> right
    table = {
        "+": left + right, "-": left - right, "*": left * right, "&": left & right, "|": left | right,
        "^": left ^ right, "<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right,
        "==": left == right, "!=": left != right, "&&": bool(left and right), "||": bool(left or right),
    }  # fmt: skip
    return int(table[op])


def constant_extent(resolver: TypeResolver, node: Any, scope: Scope | None = None) -> IntLiteral:
    """The extent of an array at file scope or in a struct, which must be a constant."""
    from pencilc.frontend.expressions import ExpressionTranslator, FunctionState

    context = resolver.context
    state = FunctionState("", scope or context.scope)
    expr = ExpressionTranslator(context, resolver, state).translate(node)
    value = integer_value(expr)
    if value is None or value <= 0:
        raise context.refuse("PC0403", "array extent must be a positive constant here", node)
    return IntLiteral(value, INT if value <= largest(INT) else LONG, context.span(node))


def is_float_text(text: str) -> bool:
    """Whether a numeric constant is a floating one."""
    lower = text.lower()
    if lower.startswith("0x"):
        return "p" in lower or "." in lower
    return bool(re.search(r"[.e]", lower))
