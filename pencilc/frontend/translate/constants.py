"""The value of integer constant expressions."""

from __future__ import annotations

from pencilc.ir.source import Binary, Cast, CType, Expr, IntLiteral, Scalar, Ternary, Unary


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
