"""Evaluating operators, init functions and element expressions on concrete values, as C would.

A small interpreter of the typed AST for `poly/diagnosis/laws.py`.  It knows everything that decides a value or
raises `GiveUp`: an unknown call, a value never set, signed overflow, a division by zero, a NaN or an
infinity, and too many steps all end the evaluation, so that nothing is said about the program.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from typing import TypeAlias

from pencilc.ir.source import (
    ArrayType,
    Assign,
    Assume,
    Binary,
    Block,
    Call,
    CallStmt,
    Cast,
    CType,
    Declare,
    Dereference,
    Expr,
    FloatLiteral,
    For,
    Function,
    If,
    Index,
    Initializer,
    IntLiteral,
    Jump,
    Kill,
    MemberOf,
    Name,
    PointerType,
    Return,
    Scalar,
    Stmt,
    Struct,
    Ternary,
    TranslationUnit,
    Unary,
    While,
)
from pencilc.poly.model.affine import type_range

Number: TypeAlias = "int | float"
# A struct is the tuple of its members and an array that of its elements; None is a value never set.
Value: TypeAlias = "int | float | tuple[Value, ...] | None"
Cell: TypeAlias = "tuple[str, tuple[int, ...]]"

_LARGEST_ARRAY = 256
_SINGLE = struct.Struct("f")
_COMPARE: dict[str, Callable[[Number, Number], bool]] = {
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
}  # fmt: skip
_WHOLE: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b,
    "/": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    "%": lambda a, b: abs(a) % abs(b) * (1 if a >= 0 else -1),
}  # fmt: skip
_FLOATING: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
}  # fmt: skip
_DOUBLE: dict[str, Callable[..., float]] = {
    "fabs": abs, "sqrt": math.sqrt, "exp": math.exp, "exp2": lambda x: 2.0**x, "expm1": math.expm1, "log": math.log,
    "log2": math.log2, "log10": math.log10, "log1p": math.log1p, "pow": math.pow, "sin": math.sin, "cos": math.cos,
    "tan": math.tan, "asin": math.asin, "acos": math.acos, "atan": math.atan, "atan2": math.atan2,
    "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh, "hypot": math.hypot, "fmod": math.fmod,
    "floor": math.floor, "ceil": math.ceil, "trunc": math.trunc, "fmin": min, "fmax": max,
    "fdim": lambda x, y: max(x - y, 0.0), "copysign": math.copysign, "fma": lambda x, y, z: x * y + z,
    "fclamp": lambda x, low, high: min(max(x, low), high), "mix": lambda x, y, a: x + (x - y) * a,
}  # fmt: skip
_LIBRARY: dict[str, Callable[..., Number]] = {
    **_DOUBLE, **{f"{name}f": function for name, function in _DOUBLE.items()},
    "min": min, "max": max, "imin": min, "imax": max, "abs": abs, "labs": abs, "llabs": abs,
    "clamp": lambda x, low, high: min(max(x, low), high), "iclamp": lambda x, low, high: min(max(x, low), high),
}  # fmt: skip


class GiveUp(Exception):
    """The value cannot be told, or the program would do something that C leaves undefined."""


class Interpreter:
    """Evaluates expressions and calls of `unit`; `budget` is the number of statements it may execute.

    `magnitude` is the largest absolute floating value that has occurred since it was last set.
    """

    def __init__(self, unit: TranslationUnit, budget: int) -> None:
        self.budget = budget
        self.magnitude = 0.0
        self.env: dict[str, Value] = {}
        self.functions: dict[str, Function] = {f.name: f for f in unit.functions}
        self._globals = {d.symbol.name: d for d in unit.globals}
        self._constants: dict[str, Value] = {}
        self._result: Value = None
        self._depth = 0

    # ---- calls -----------------------------------------------------------------------------------

    def call(self, name: str, arguments: Sequence[Value], ctype: CType) -> Value:
        """The value of `name(arguments)`; `ctype` is the type of the result."""
        function = self.functions.get(name)
        if function is None:
            return self._library(name, arguments, ctype)
        if any(isinstance(p.type, ArrayType | PointerType) for p in function.params):
            raise GiveUp
        self._enter(function, arguments)
        return self._result

    def initialise(self, name: str, ctype: CType) -> Value:
        """What the init function `name` writes to its parameter `T *`."""
        function = self.functions.get(name)
        if function is None or len(function.params) != 1:
            raise GiveUp
        return self._enter(function, (self.unset(ctype),))[function.params[0].name]

    def _enter(self, function: Function, arguments: Sequence[Value]) -> dict[str, Value]:
        """Execute `function`; its variables as they are at the end."""
        if len(function.params) != len(arguments) or self._depth > 20:
            raise GiveUp
        outer, self._result = self.env, None
        self.env = {p.name: a for p, a in zip(function.params, arguments, strict=True)}
        self._depth += 1
        try:
            self.execute(function.body)
            return self.env
        finally:
            self.env = outer
            self._depth -= 1

    def _library(self, name: str, arguments: Sequence[Value], ctype: CType) -> Value:
        function = _LIBRARY.get(name)
        if function is None:
            raise GiveUp
        try:
            before, result = self.magnitude, self.convert(function(*(number(a) for a in arguments)), ctype)
            if result in arguments:  # A selection does not round.
                self.magnitude = before
            return result
        except (ArithmeticError, ValueError, TypeError) as error:
            raise GiveUp from error

    # ---- expressions -----------------------------------------------------------------------------

    def value(self, expr: Expr) -> Value:
        """The value of `expr`."""
        if isinstance(expr, Name | Index | MemberOf | Dereference):
            return self._loaded(expr)
        if isinstance(expr, IntLiteral):
            return expr.value
        if isinstance(expr, Binary):
            return self._binary(expr)
        if isinstance(expr, Cast):
            return self.convert(self.value(expr.operand), expr.type)
        if isinstance(expr, Call):
            return self.call(expr.function, [self.value(a) for a in expr.arguments], expr.type)
        if isinstance(expr, Ternary):
            return self.value(expr.then if self.truth(expr.condition) else expr.otherwise)
        if isinstance(expr, FloatLiteral):
            return self._literal(expr)
        if isinstance(expr, Unary):
            return self._unary(expr)
        if isinstance(expr, Initializer):
            return tuple(self.value(v) for v in expr.values)
        raise GiveUp

    def truth(self, expr: Expr) -> bool:
        """Whether the condition `expr` holds."""
        return number(self.value(expr)) != 0

    def convert(self, value: Value, ctype: CType) -> Value:
        """`value` converted to `ctype` as C does; structs and arrays stay as they are."""
        if not isinstance(ctype, Scalar):
            return value
        number_ = number(value)
        if ctype.kind in ("float", "bool"):
            return self._rounded(float(number_), ctype) if ctype.kind == "float" else int(number_ != 0)
        low, high = type_range(ctype) if ctype.is_integer else (0, 0)
        whole = int(number_)
        if low <= whole <= high:
            return whole
        if isinstance(number_, float):
            raise GiveUp
        return (whole - low) % (high - low + 1) + low

    def _rounded(self, value: float, ctype: Scalar) -> float:
        if ctype.size == 4:
            try:
                value = float(_SINGLE.unpack(_SINGLE.pack(value))[0])
            except OverflowError as error:
                raise GiveUp from error
        elif ctype.size != 8:
            raise GiveUp
        if not math.isfinite(value):
            raise GiveUp
        self.magnitude = max(self.magnitude, abs(value))
        return value

    def _literal(self, expr: FloatLiteral) -> Value:
        text = expr.text.lower().rstrip("l")
        try:
            value = float.fromhex(text.rstrip("f")) if text.startswith("0x") else float(text.rstrip("f"))
        except (ValueError, OverflowError) as error:
            raise GiveUp from error
        return self.convert(value, expr.type)

    def _unary(self, expr: Unary) -> Value:
        if expr.op == "!":
            return int(not self.truth(expr.operand))
        value = number(self.value(expr.operand))
        if expr.op == "~":
            return self._fitting(~int(value), expr.type)
        return self._fitting(-value if expr.op == "-" else value, expr.type)

    def _binary(self, expr: Binary) -> Value:
        if expr.op in ("&&", "||"):
            left_truth = self.truth(expr.left)
            decided = left_truth == (expr.op == "||")
            return int(left_truth if decided else self.truth(expr.right))
        left, right = number(self.value(expr.left)), number(self.value(expr.right))
        if expr.op in _COMPARE:
            return int(_COMPARE[expr.op](left, right))
        if expr.op in ("<<", ">>"):
            return self._shifted(expr, int(left), int(right))
        if expr.op in ("/", "%") and right == 0:
            raise GiveUp
        try:
            if isinstance(left, int) and isinstance(right, int):
                return self._fitting(_WHOLE[expr.op](left, right), expr.type)
            return self._fitting(_FLOATING[expr.op](float(left), float(right)), expr.type)
        except (KeyError, OverflowError) as error:
            raise GiveUp from error

    def _shifted(self, expr: Binary, left: int, right: int) -> Value:
        if not 0 <= right < 8 * expr.type.size or (left < 0 and expr.op == "<<"):
            raise GiveUp
        return self._fitting(left << right if expr.op == "<<" else left >> right, expr.type)

    def _fitting(self, value: Number, ctype: CType) -> Value:
        """The result of an operation in `ctype`: unsigned wraps, signed must fit."""
        if isinstance(ctype, Scalar) and ctype.kind == "int":
            low, high = type_range(ctype)
            if not low <= value <= high:
                raise GiveUp
            return int(value)
        return self.convert(value, ctype)

    # ---- cells -----------------------------------------------------------------------------------

    def cell(self, expr: Expr) -> Cell:
        """The variable and the subscripts and member positions that `expr` names."""
        if isinstance(expr, Name):
            return expr.symbol.name, ()
        if isinstance(expr, Dereference):
            return self.cell(expr.operand)
        if isinstance(expr, Index):
            name, path = self.cell(expr.base)
            index = number(self.value(expr.index))
            if isinstance(expr.base.type, PointerType):
                if index != 0:
                    raise GiveUp
                return name, path
            return name, (*path, int(index))
        if isinstance(expr, MemberOf) and isinstance(expr.base.type, Struct):
            name, path = self.cell(expr.base)
            names = [m.name for m in expr.base.type.members]
            return name, (*path, names.index(expr.member))
        raise GiveUp

    def _loaded(self, expr: Name | Index | MemberOf | Dereference) -> Value:
        if isinstance(expr, MemberOf) and isinstance(expr.base, Call | Initializer | Ternary):
            base, ctype = self.value(expr.base), expr.base.type
            assert isinstance(ctype, Struct)
            return part(base, ([m.name for m in ctype.members].index(expr.member),))
        name, path = self.cell(expr)
        if name in self.env:
            return part(self.env[name], path)
        if name in self._globals:
            return part(self._constant(name), path)
        return self.outside(expr, name, path)

    def outside(self, expr: Expr, name: str, path: tuple[int, ...]) -> Value:
        """The value of a variable that nothing here has set."""
        raise GiveUp

    def _constant(self, name: str) -> Value:
        if name not in self._constants:
            init = self._globals[name].init
            if init is None:
                raise GiveUp
            self._constants[name] = self.value(init)
        return self._constants[name]

    def unset(self, ctype: CType) -> Value:
        """A variable of type `ctype` before anything is written to it."""
        if isinstance(ctype, Struct):
            return tuple(self.unset(m.type) for m in ctype.members)
        if isinstance(ctype, ArrayType):
            extent = None if ctype.extent is None else self.value(ctype.extent)
            if not isinstance(extent, int) or not 0 <= extent <= _LARGEST_ARRAY:
                raise GiveUp
            return (self.unset(ctype.element),) * extent
        return None

    # ---- statements ------------------------------------------------------------------------------

    def execute(self, stmt: Stmt) -> str:
        """Execute `stmt`; what ends it: "" or `break`, `continue`, `return`."""
        self.budget -= 1
        if self.budget < 0:
            raise GiveUp
        if isinstance(stmt, Block):
            for item in stmt.items:
                if jump := self.execute(item):
                    return jump
        elif isinstance(stmt, Assign):
            self.assign(stmt.target, self.value(stmt.value))
        elif isinstance(stmt, Declare):
            symbol = stmt.symbol
            self.env[symbol.name] = self.unset(symbol.type) if stmt.init is None else self.value(stmt.init)
        elif isinstance(stmt, If):
            branch = stmt.then if self.truth(stmt.condition) else stmt.otherwise
            return "" if branch is None else self.execute(branch)
        elif isinstance(stmt, Return):
            self._result = None if stmt.value is None else self.value(stmt.value)
            return "return"
        elif isinstance(stmt, For | While | Jump):
            return stmt.keyword if isinstance(stmt, Jump) else self._loop(stmt)
        elif not isinstance(stmt, Assume | Kill) and not _says_nothing(stmt):
            raise GiveUp
        return ""

    def assign(self, target: Expr, value: Value) -> None:
        """Write `value` to the local variable, element or member `target`."""
        name, path = self.cell(target)
        if name not in self.env:
            raise GiveUp
        self.env[name] = _changed(self.env[name], path, value)

    def _loop(self, loop: For | While) -> str:
        if isinstance(loop, For):
            self.env[loop.iterator.name] = self.value(loop.lower)
        first = isinstance(loop, While) and loop.do_first
        while first or self.goes_on(loop):
            first = False
            self.budget -= 1
            jump = self.execute(loop.body)
            if jump == "return":
                return jump
            if jump == "break":
                break
            if isinstance(loop, For):
                name = loop.iterator.name
                self.env[name] = self._fitting(number(self.env[name]) + loop.step, loop.iterator.type)
        return ""

    def goes_on(self, loop: For | While) -> bool:
        """Whether the condition of `loop` holds."""
        if isinstance(loop, While):
            return self.truth(loop.condition)
        return _COMPARE[loop.relation](number(self.env[loop.iterator.name]), number(self.value(loop.bound)))


def _says_nothing(stmt: Stmt) -> bool:
    """Whether `stmt` is `__pencil_assert`, `__pencil_use` or `__pencil_def`, which change nothing."""
    return isinstance(stmt, CallStmt) and stmt.call.function.startswith("__pencil_")


def number(value: Value) -> Number:
    """`value`, which must be a number that has been set."""
    if isinstance(value, int | float):
        return value
    raise GiveUp


def part(value: Value, path: tuple[int, ...]) -> Value:
    """The element or member of `value` at `path`."""
    for position in path:
        if not isinstance(value, tuple) or not 0 <= position < len(value):
            raise GiveUp
        value = value[position]
    return value


def _changed(whole: Value, path: tuple[int, ...], value: Value) -> Value:
    """`whole` with `value` at `path`."""
    if not path:
        return value
    first, rest = path[0], path[1:]
    if not isinstance(whole, tuple) or not 0 <= first < len(whole):
        raise GiveUp
    return (*whole[:first], _changed(whole[first], rest, value), *whole[first + 1 :])
