"""Recognising the operator functions that do what a built-in operator does (PACT'16 section 3).

`float add(float a, float b) { return a + b; }` is ADD; so are `z = a + b; return z;`, both orders of
the operands, and for MIN and MAX every form of comparison, with `?:`, with `if`, and with `fminf`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pencilc.ir.scop import Operator, OperatorKind
from pencilc.ir.source import (
    FLOAT,
    SMALL_FLOATS,
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    CType,
    Declare,
    Expr,
    Function,
    If,
    Name,
    Return,
    Scalar,
    Stmt,
    Ternary,
    Unary,
    walk,
)
from pencilc.poly.model.affine import keeps_values
from pencilc.poly.model.substitute import substitute

_DIRECT = {k.value: k for k in OperatorKind if k not in (OperatorKind.MIN, OperatorKind.MAX, OperatorKind.SET)}
# An operator that is recognised is short; the tree of one that is not may have any size.
_MOST_STEPS = 64
_MOST_NODES = 500
_CALLS = {
    "min": OperatorKind.MIN, "max": OperatorKind.MAX, "imin": OperatorKind.MIN, "imax": OperatorKind.MAX,
    "fmin": OperatorKind.MIN, "fmax": OperatorKind.MAX, "fminf": OperatorKind.MIN, "fmaxf": OperatorKind.MAX,
}  # fmt: skip

# What these give of floats is a float.
_EXACT = ("fabs", "fmin", "fmax", "floor", "ceil", "trunc", "rint", "nearbyint", "round", "copysign")

# `min(x, y)` of pencil.h is `y < x ? y : x`.
_COMPARING = ("min", "max")


def value_of(function: Function) -> Expr | None:
    """The result of a function of assignments, `if`s and returns as one expression of its parameters, or None."""
    return _Values().of(function.body.items, {}, {})


def recognise(name: str, functions: Mapping[str, Function]) -> Operator:
    """The operator called `name` and, where its body is that of a built-in operator, which one."""
    function = functions.get(name)
    if function is None or len(function.params) != 2 or not isinstance(function.returns, Scalar):
        return Operator(name, None)
    value = value_of(function)
    if value is None:
        return Operator(name, None)
    a, b = function.params[0].name, function.params[1].name
    if function.returns in SMALL_FLOATS:
        return Operator(name, None, FLOAT if _adds_as_float(value, a, b) else None)
    kind = _kind(bare(unconverted(value, function.returns)), a, b, function.returns, functions)
    chooses = kind in (OperatorKind.MIN, OperatorKind.MAX) and not function.returns.is_integer
    return Operator(name, kind, None, chooses and kept_argument(name, functions) is None)


def kept_argument(name: str, functions: Mapping[str, Function]) -> int | None:
    """Which argument the minimum or maximum called `name` returns where one of them is not a number.

    None where it returns the other one, as `fminf` does.
    """
    function = functions.get(name)
    if function is None:
        return 0 if name in _COMPARING else None
    value = value_of(function)
    assert value is not None
    chosen = bare(unconverted(value, function.returns))
    if isinstance(chosen, Call):
        position = kept_argument(chosen.function, functions)
        kept = None if position is None else chosen.arguments[position]
    else:
        assert isinstance(chosen, Ternary)
        kept = chosen.otherwise
    return None if kept is None else [p.name for p in function.params].index(_name(kept))


def _adds_as_float(value: Expr, a: str, b: str) -> bool:
    """`pencil_float_to_half(pencil_half_to_float(a) + pencil_half_to_float(b))`, and the same for bfloat16."""
    if not isinstance(value, Call) or not value.function.startswith("pencil_float_to_"):
        return False
    total = bare(value.arguments[0])
    if not isinstance(total, Binary) or total.op != "+" or total.type != FLOAT:
        return False
    sides = (total.left, total.right)
    converted = all(isinstance(side, Call) and side.function.endswith("_to_float") for side in sides)
    return converted and {_name(side.arguments[0]) for side in sides if isinstance(side, Call)} == {a, b}


class _Values:
    """The result of a body as one expression, as long as that stays small: `y = x + x; z = y + y;` doubles it."""

    def __init__(self) -> None:
        self._steps = 0

    def of(self, items: tuple[Stmt, ...], known: dict[str, Expr], sizes: dict[str, int]) -> Expr | None:
        """The result of assignments to locals, `if`s that return, and returns; `sizes` are those of `known`."""
        self._steps += 1
        if self._steps > _MOST_STEPS:
            return None
        for position, item in enumerate(items):
            rest = items[position + 1 :]
            if isinstance(item, Block):
                return self.of((*item.items, *rest), known, sizes)
            if isinstance(item, Return):
                small = item.value is not None and _size(item.value, sizes) <= _MOST_NODES
                return substitute(item.value, known) if item.value is not None and small else None
            if isinstance(item, If):
                return self._condition(item, rest, known, sizes)
            if isinstance(item, Declare):
                name, value = item.symbol.name, item.init
            elif isinstance(item, Assign) and isinstance(item.target, Name):
                name, value = item.target.symbol.name, item.value
            else:
                return None
            if value is not None:
                size = _size(value, sizes)
                if size > _MOST_NODES:
                    return None
                known, sizes = {**known, name: substitute(value, known)}, {**sizes, name: size}
        return None

    def _condition(
        self, item: If, rest: tuple[Stmt, ...], known: dict[str, Expr], sizes: dict[str, int]
    ) -> Expr | None:
        other = () if item.otherwise is None else (item.otherwise,)
        then = self.of((item.then, *rest), known, sizes)
        otherwise = None if then is None else self.of((*other, *rest), known, sizes)
        if then is None or otherwise is None or _size(item.condition, sizes) > _MOST_NODES:
            return None
        return Ternary(substitute(item.condition, known), then, otherwise, then.type, item.span)


def _size(expr: Expr, sizes: Mapping[str, int]) -> int:
    """The nodes of `expr` when its names are replaced."""
    return sum(sizes.get(n.symbol.name, 1) if isinstance(n, Name) else 1 for n in walk(expr))


def unconverted(expr: Expr, result: CType | None) -> Expr:
    """`expr` without the outer conversions that keep every value, and without those back to the type `result`, if any.

    These do to the value what every `+=` would do. What is inside of `expr` is computed in the types that it has.
    """
    while isinstance(expr, Cast):
        source = expr.operand.type
        back = isinstance(result, Scalar) and isinstance(source, Scalar) and expr.type == result
        if not keeps_values(source, expr.type) and not (
            back and source.is_integer == result.is_integer and source.size >= result.size  # type: ignore[union-attr]
        ):
            break
        expr = expr.operand
    return expr


def bare(expr: Expr) -> Expr:
    """`expr` without all conversions that keep every value: only its shape is the same, not what it computes."""
    if isinstance(expr, Cast):
        inner = bare(expr.operand)
        return inner if keeps_values(expr.operand.type, expr.type) else replace(expr, operand=inner)
    if isinstance(expr, Binary):
        return replace(expr, left=bare(expr.left), right=bare(expr.right))
    if isinstance(expr, Ternary):
        parts = (bare(expr.condition), bare(expr.then), bare(expr.otherwise))
        return replace(expr, condition=parts[0], then=parts[1], otherwise=parts[2])
    if isinstance(expr, Call):
        return replace(expr, arguments=tuple(bare(argument) for argument in expr.arguments))
    return expr


def in_single_precision(expr: Expr) -> Expr | None:
    """A `double` that is always a `float`, computed as one, `fabsf(x)` for `fabs(x)`; None where it may be none."""
    match expr:
        case Cast(operand=operand) if keeps_values(operand.type, FLOAT):
            return operand if operand.type == FLOAT else Cast(operand, FLOAT, operand.span, True)
        case Unary(op="-", operand=operand):
            inner = in_single_precision(operand)
            return None if inner is None else replace(expr, operand=inner, type=FLOAT)
        case Call(function=name, arguments=arguments) if name in _EXACT:
            inside = [in_single_precision(argument) for argument in arguments]
            found = tuple(each for each in inside if each is not None)
            return Call(f"{name}f", found, FLOAT, expr.span) if len(found) == len(inside) else None
    return None


def _kind(expr: Expr, a: str, b: str, ctype: Scalar, functions: Mapping[str, Function]) -> OperatorKind | None:
    if isinstance(expr, Binary) and expr.op in _DIRECT and _pair(expr.left, expr.right) == {a, b}:
        kind = _DIRECT[expr.op]
        if kind in (OperatorKind.ADD, OperatorKind.MUL):
            return kind if ctype.kind != "bool" else None
        return kind if ctype.is_integer else None
    if isinstance(expr, Call) and len(expr.arguments) == 2 and _pair(*expr.arguments) == {a, b}:
        if expr.function in functions:
            return recognise(expr.function, functions).recognised
        return _CALLS.get(expr.function)
    if isinstance(expr, Ternary) and _name(expr.condition) == _name(expr.then) == b and _name(expr.otherwise) == a:
        return OperatorKind.SET
    return _selection(expr, a, b) if isinstance(expr, Ternary) else None


def _selection(expr: Ternary, a: str, b: str) -> OperatorKind | None:
    """`x < y ? x : y` with any comparison, any order of the operands and either result first."""
    test = expr.condition
    if not isinstance(test, Binary) or test.op not in ("<", "<=", ">", ">="):
        return None
    left, right = _name(test.left), _name(test.right)
    then, otherwise = _name(expr.then), _name(expr.otherwise)
    if {left, right} != {a, b} or {then, otherwise} != {a, b}:
        return None
    smaller_first = test.op in ("<", "<=")
    return OperatorKind.MIN if smaller_first == (then == left) else OperatorKind.MAX


def _pair(left: Expr, right: Expr) -> set[str]:
    return {_name(left), _name(right)}


def _name(expr: Expr) -> str:
    return expr.symbol.name if isinstance(expr, Name) else ""
