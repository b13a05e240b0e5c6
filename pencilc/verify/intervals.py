"""Interval arithmetic over typed expressions: what a bound, extent or subscript can be for given scalars.

A variable is looked up under its dotted name (`n`, `conf.radius`).  `None` means unknown: the value
depends on data, or on arithmetic that is not modelled here.  Example: with `n = 33` and `i` in
[0, 32], `i * 2 + 1` is [1, 65] and `i < n` is [1, 1].
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TypeAlias

from pencilc.ir import source as ast
from pencilc.ir.source import CType, Scalar
from pencilc.records import dataclass

Number: TypeAlias = "int | float"
Interval: TypeAlias = "tuple[Number, Number]"

_UNKNOWN_RANGE = (0, 1)


@dataclass(slots=True)
class Environment:
    """What names mean at one place.

    `values` holds known intervals by dotted name; `definitions` holds the one expression that a local
    or a callee's parameter stands for, with the scope to read it in; `arrays` maps a callee's array
    parameter to the dotted name of what was passed; `loops` holds the loop of each iterator.
    """

    functions: Mapping[str, ast.Function]
    values: dict[str, Interval] = field(default_factory=dict)
    definitions: dict[str, tuple[ast.Expr, Environment]] = field(default_factory=dict)
    arrays: dict[str, str] = field(default_factory=dict)
    loops: dict[str, ast.For] = field(default_factory=dict)
    depth: int = 0

    def call(self, function: ast.Function, arguments: tuple[ast.Expr, ...]) -> Environment:
        """The scope of the body of `function` when called with `arguments` from here."""
        inner = Environment(self.functions, depth=self.depth + 1)
        for param, argument in zip(function.params, arguments, strict=False):
            name = dotted(argument, self)
            if name is not None:
                inner.arrays[param.name] = name
            inner.definitions[param.name] = (argument, self)
        return inner


def dotted(expr: ast.Expr, scope: Environment) -> str | None:
    """The dotted name of a variable, member or array element (subscripts dropped), or None."""
    if isinstance(expr, ast.Cast):
        return dotted(expr.operand, scope)
    if isinstance(expr, ast.Name):
        return scope.arrays.get(expr.symbol.name, expr.symbol.name)
    if isinstance(expr, ast.Index):
        return dotted(expr.base, scope)
    if isinstance(expr, ast.MemberOf):
        base = dotted(expr.base, scope)
        return None if base is None else f"{base}.{expr.member}"
    return None


def interval(expr: ast.Expr, scope: Environment) -> Interval | None:
    """The smallest interval known to hold `expr`; None if nothing is known."""
    if isinstance(expr, ast.IntLiteral):
        return (expr.value, expr.value)
    if isinstance(expr, ast.FloatLiteral):
        value = float(expr.text.rstrip("fFlL")) if not expr.text.lower().startswith("0x") else None
        return None if value is None else (value, value)
    if isinstance(expr, (ast.Name, ast.MemberOf)):
        return _variable(expr, scope)
    if isinstance(expr, ast.Cast):
        return _convert(interval(expr.operand, scope), expr.type)
    if isinstance(expr, ast.Unary):
        return _unary(expr, scope)
    if isinstance(expr, ast.Binary):
        return _binary(expr, scope)
    if isinstance(expr, ast.Ternary):
        return _ternary(expr, scope)
    if isinstance(expr, ast.Call):
        return _call(expr, scope)
    return None


def constant(expr: ast.Expr, scope: Environment) -> Number | None:
    """The value of `expr` where it is one number."""
    found = interval(expr, scope)
    return found[0] if found is not None and found[0] == found[1] else None


def type_range(ctype: CType) -> Interval | None:
    """The values an integer type can hold."""
    if not isinstance(ctype, Scalar) or not ctype.is_integer:
        return None
    if ctype.kind == "bool":
        return (0, 1)
    bits = 8 * ctype.size
    return (0, 2**bits - 1) if ctype.kind == "uint" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def _variable(expr: ast.Name | ast.MemberOf, scope: Environment) -> Interval | None:
    if isinstance(expr, ast.Name):
        name = expr.symbol.name
        if name in scope.values:
            return scope.values[name]
        if name in scope.definitions:
            return interval(*scope.definitions[name])
        return None
    path = dotted(expr, scope)
    return None if path is None else scope.values.get(path)


def _convert(value: Interval | None, ctype: CType) -> Interval | None:
    if value is None or not isinstance(ctype, Scalar) or ctype.kind in ("float", "void"):
        return value
    if ctype.kind == "bool":
        return (1, 1) if value[0] > 0 or value[1] < 0 else (0, int(value != (0, 0)))
    if any(isinstance(bound, float) and not math.isfinite(bound) for bound in value):
        return None
    return _wrap((math.trunc(value[0]), math.trunc(value[1])), ctype)


def _wrap(value: Interval, ctype: CType) -> Interval | None:
    limits = type_range(ctype)
    if limits is None or (limits[0] <= value[0] and value[1] <= limits[1]):
        return value
    if value[0] != value[1] or not isinstance(value[0], int):
        return None
    span = int(limits[1]) - int(limits[0]) + 1
    wrapped = (value[0] - int(limits[0])) % span + int(limits[0])
    return (wrapped, wrapped)


def _unary(expr: ast.Unary, scope: Environment) -> Interval | None:
    value = interval(expr.operand, scope)
    if value is None:
        return _UNKNOWN_RANGE if expr.op == "!" else None
    low, high = value
    if expr.op == "!":
        return (int(low == high == 0), int(low <= 0 <= high))
    if expr.op == "-":
        return _wrap((-high, -low), expr.type)
    if expr.op == "~" and isinstance(low, int) and isinstance(high, int):
        return _wrap((~high, ~low), expr.type)
    return value if expr.op == "+" else None


def _binary(expr: ast.Binary, scope: Environment) -> Interval | None:
    left, right = interval(expr.left, scope), interval(expr.right, scope)
    if expr.op in ("&&", "||"):
        return _logic(expr.op, left, right)
    if expr.op in _COMPARISONS:
        return _UNKNOWN_RANGE if left is None or right is None else _COMPARISONS[expr.op](left, right)
    if expr.op == "&" and left is None and right is not None and right[0] == right[1] and right[0] >= 0:
        return (0, right[1])
    if left is None or right is None:
        return None
    result = _arithmetic(expr.op, left, right)
    return None if result is None else _wrap(result, expr.type)


def _logic(op: str, left: Interval | None, right: Interval | None) -> Interval:
    lows, highs = zip(*(_UNKNOWN_RANGE if side is None else _truth(side) for side in (left, right)), strict=True)
    pick = min if op == "&&" else max
    return (pick(lows), pick(highs))


def _truth(value: Interval) -> Interval:
    return (int(not value[0] <= 0 <= value[1]), int(value != (0, 0)))


def _less(left: Interval, right: Interval) -> Interval:
    return (int(left[1] < right[0]), int(left[0] < right[1]))


def _less_equal(left: Interval, right: Interval) -> Interval:
    return (int(left[1] <= right[0]), int(left[0] <= right[1]))


def _equal(left: Interval, right: Interval) -> Interval:
    return (int(left[0] == left[1] == right[0] == right[1]), int(left[0] <= right[1] and right[0] <= left[1]))


def _not_equal(left: Interval, right: Interval) -> Interval:
    low, high = _equal(left, right)
    return (1 - high, 1 - low)


_COMPARISONS: dict[str, Callable[[Interval, Interval], Interval]] = {
    "<": _less,
    "<=": _less_equal,
    ">": lambda left, right: _less(right, left),
    ">=": lambda left, right: _less_equal(right, left),
    "==": _equal,
    "!=": _not_equal,
}


def _arithmetic(op: str, left: Interval, right: Interval) -> Interval | None:
    if op == "+":
        return (left[0] + right[0], left[1] + right[1])
    if op == "-":
        return (left[0] - right[1], left[1] - right[0])
    if op == "*":
        return _corners(lambda a, b: a * b, left, right)
    if op == "/":
        return None if right[0] <= 0 <= right[1] else _corners(_divide, left, right)
    if not all(isinstance(bound, int) for bound in (*left, *right)):
        return None
    if op == "%":
        return _remainder(left, right)
    if op in ("<<", ">>"):
        if right[0] < 0 or right[1] > 63:
            return None
        return _corners(lambda a, b: int(a) << int(b) if op == "<<" else int(a) >> int(b), left, right)
    return _bits(op, left, right)


def _corners(function: Callable[[Number, Number], Number], left: Interval, right: Interval) -> Interval:
    values = [function(a, b) for a in left for b in right]
    return (min(values), max(values))


def _divide(a: Number, b: Number) -> Number:
    """C's division: integers truncate towards zero."""
    if isinstance(a, int) and isinstance(b, int):
        quotient = abs(a) // abs(b)
        return quotient if (a < 0) == (b < 0) else -quotient
    return a / b


def _remainder(left: Interval, right: Interval) -> Interval | None:
    if right[0] != right[1] or right[0] == 0:
        return None
    size = abs(right[0])
    if left[0] == left[1]:
        value = left[0] - _divide(left[0], size) * size
        return (value, value)
    return (0 if left[0] >= 0 else 1 - size, min(size - 1, left[1]) if left[0] >= 0 else size - 1)


def _bits(op: str, left: Interval, right: Interval) -> Interval | None:
    if left[0] == left[1] and right[0] == right[1]:
        a, b = int(left[0]), int(right[0])
        value = a & b if op == "&" else a | b if op == "|" else a ^ b
        return (value, value)
    if op == "&" and right[0] == right[1] and right[0] >= 0:
        return (0, right[1])
    return None


def _ternary(expr: ast.Ternary, scope: Environment) -> Interval | None:
    condition = interval(expr.condition, scope)
    truth = _UNKNOWN_RANGE if condition is None else _truth(condition)
    if truth[0] == truth[1]:
        return interval(expr.then if truth[0] else expr.otherwise, scope)
    then, otherwise = interval(expr.then, scope), interval(expr.otherwise, scope)
    if then is None or otherwise is None:
        return None
    return (min(then[0], otherwise[0]), max(then[1], otherwise[1]))


def choice(function: str) -> str | None:
    """`min`, `max` or `clamp` where the name of `function` says it is one (`imin`, `fmaxf`, `clampf`)."""
    found = re.fullmatch(r"[a-z]?(min|max|clamp)[a-z]*", function)
    return found.group(1) if found else None


def _call(expr: ast.Call, scope: Environment) -> Interval | None:
    values = [interval(argument, scope) for argument in expr.arguments]
    kind = choice(expr.function)
    if kind == "clamp" and len(values) == 3:
        return _clamp(values[0], values[1], values[2])
    if kind in ("min", "max") and len(values) == 2:
        return _pick(min if kind == "min" else max, values[0], values[1])
    callee = scope.functions.get(expr.function)
    if callee is None or scope.depth > 8 or len(callee.body.items) != 1:
        return None
    only = callee.body.items[0]
    if not isinstance(only, ast.Return) or only.value is None:
        return None
    return interval(only.value, scope.call(callee, expr.arguments))


def _clamp(value: Interval | None, low: Interval | None, high: Interval | None) -> Interval | None:
    if low is None or high is None:
        return None
    if value is None:
        return (low[0], max(low[1], high[1]))
    return (min(max(value[0], low[0]), high[1]), min(max(value[1], low[0]), max(high[1], low[0])))


def _pick(function: Callable[..., Number], left: Interval | None, right: Interval | None) -> Interval | None:
    if left is None or right is None:
        return None
    return (function(left[0], right[0]), function(left[1], right[1]))
