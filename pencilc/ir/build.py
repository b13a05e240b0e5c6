"""Expressions of generated code, put together from smaller ones.

They are those of `ir/source.py`, read as C++: names are final, every conversion that C++ needs is a `Cast`, a `Call`
names what C++ calls.  A name that begins with `@` is one of the building block around it (`@row`, `@total`); which
name it gets is settled when the file is printed.  Stage: codegen.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as Seq
from dataclasses import replace
from functools import reduce

from pencilc.diagnostics.source import UNKNOWN_SPAN
from pencilc.ir.source import (
    DOUBLE,
    FLOAT,
    INT,
    LLONG,
    UINT,
    VOID,
    AddressOf,
    Binary,
    Call,
    CallStmt,
    Cast,
    CType,
    Dereference,
    Expr,
    Index,
    Initializer,
    IntLiteral,
    MemberOf,
    Name,
    PointerType,
    Scalar,
    Struct,
    Symbol,
    Ternary,
    Unary,
)
from pencilc.ir.source import Declare as Declaration
from pencilc.records import dataclass

SIZE = Scalar("size_t", "uint", 8)
# As the building blocks call it.
UNSIGNED = Scalar("unsigned", "uint", 4)

# Of these C++ has the result as bool, which C has as int.
TRUTHS = frozenset(("<", "<=", ">", ">=", "==", "!=", "&&", "||"))


@dataclass(frozen=True, slots=True)
class GeneratedType(Struct):
    """A type that only the output has: an accumulator, a class of the building blocks; `name<made_for>` in C++."""

    made_for: tuple[CType | int, ...] = ()


def generated_type(name: str, *made_for: CType | int, size: int = 0) -> GeneratedType:
    """The type that the output calls `name`, a template where it is `made_for` something."""
    return GeneratedType(name, (), size, size, made_for=made_for)


# ---- names and numbers -----------------------------------------------------------------------------


def variable(name: str, ctype: CType = INT, is_const: bool = False) -> Name:
    """A use of the variable that the output calls `name`."""
    return Name(symbol(name, ctype, is_const), ctype, UNKNOWN_SPAN)


def symbol(name: str, ctype: CType = INT, is_const: bool = False) -> Symbol:
    """The variable that the output calls `name`."""
    return Symbol(name, name, ctype, "local", UNKNOWN_SPAN, is_const)


def number(value: int) -> IntLiteral:
    """An integer, of type `long long` where `int` does not hold it."""
    return IntLiteral(value, INT if -(2**31) <= value < 2**31 else LLONG, UNKNOWN_SPAN)


def geometry(text: str) -> Name:
    """Where a thread or block stands in one direction, or how many there are."""
    return Name(Symbol(text, text, UINT, "geometry", UNKNOWN_SPAN), UINT, UNKNOWN_SPAN)


# Where a thread stands in its block, a block in its grid, and how many of them there are.
THREAD = {axis: geometry(f"threadIdx.{axis}") for axis in "xyz"}
BLOCK = {axis: geometry(f"blockIdx.{axis}") for axis in "xyz"}
BLOCKS = {axis: geometry(f"gridDim.{axis}") for axis in "xyz"}
THREADS = {axis: geometry(f"blockDim.{axis}") for axis in "xyz"}
# The threads of a warp, as generated files call them.
WARP_SIZE = variable("PENCILC_WARP", INT, True)

# Where the host queues work, and what stands for it where launches are only counted; a pointer to nothing.
STREAM, NOTHING = generated_type("cudaStream_t"), generated_type("std::nullptr_t")
COUNTING, NULL = variable("PENCILC_COUNTING", STREAM), variable("nullptr", NOTHING)

ZERO, ONE = number(0), number(1)


def is_number(expr: Expr, value: int | None = None) -> bool:
    """Whether `expr` is a plain number, the one given if there is one."""
    return isinstance(expr, IntLiteral) and not expr.name and (value is None or expr.value == value)


# ---- operations ------------------------------------------------------------------------------------


def binary(op: str, left: Expr, right: Expr) -> Binary:
    """`left op right` of the type that C gives it."""
    return Binary(op, left, right, INT if op in TRUTHS else common_type(left.type, right.type), UNKNOWN_SPAN)


def promoted(ctype: CType) -> CType:
    """The type in which C computes with values of `ctype`."""
    return INT if isinstance(ctype, Scalar) and ctype.is_integer and ctype.size < 4 else ctype


def common_type(left: CType, right: CType) -> CType:
    """The type in which C adds two values; that of the pointer if one of them is a pointer."""
    if not isinstance(left, Scalar) or not isinstance(right, Scalar):
        return left if not isinstance(left, Scalar) else right
    if "float" in (left.kind, right.kind):
        return DOUBLE if DOUBLE in (left, right) else FLOAT
    left, right = promoted(left), promoted(right)
    assert isinstance(left, Scalar) and isinstance(right, Scalar)
    if left.size != right.size:
        return left if left.size > right.size else right
    if left.kind != right.kind:
        return left if left.kind == "uint" else right
    return max(left, right, key=lambda t: t.name.count("long"))


def plus(left: Expr, right: Expr) -> Expr:
    """`left + right`, where zero adds nothing; sums on the right are taken apart, so that no parentheses are needed."""
    if is_number(right, 0):
        return left
    if is_number(left, 0):
        return right
    if isinstance(right, Binary) and right.op in ("+", "-"):
        return binary(right.op, plus(left, right.left), right.right)
    return _moved(left, right, 1)


def minus(left: Expr, right: Expr) -> Expr:
    """`left - right`, where zero takes nothing away."""
    return left if is_number(right, 0) else _moved(left, right, -1)


def _moved(left: Expr, right: Expr, sign: int) -> Expr:
    """`left + right`, or `left - right`; of two numbers in a sum one is made: `n - 1 - 1` is `n - 2`."""
    plain = binary("+" if sign > 0 else "-", left, right)
    if not isinstance(left, Binary) or left.op not in ("+", "-") or not isinstance(right, IntLiteral) or right.name:
        return plain
    if isinstance(left.right, IntLiteral) and not left.right.name:
        rest, before = left.left, left.right.value if left.op == "+" else -left.right.value
    elif isinstance(left.left, IntLiteral) and not left.left.name and left.op == "+":
        rest, before = left.right, left.left.value
    else:
        return plain
    value = before + sign * right.value
    made = rest if value == 0 else binary("+" if value > 0 else "-", rest, number(abs(value)))
    return made if made.type == plain.type else plain


def times(left: Expr, right: Expr) -> Expr:
    """`left * right`, where one changes nothing."""
    if is_number(right, 1):
        return left
    return right if is_number(left, 1) else binary("*", left, right)


def conjunction(conditions: Iterable[Expr]) -> Expr | None:
    """`a && b && …`; None for no conditions."""
    return _joined("&&", conditions)


def conjuncts(condition: Expr | None) -> tuple[Expr, ...]:
    """The conditions of `a && b && …`."""
    if isinstance(condition, Binary) and condition.op == "&&":
        return (*conjuncts(condition.left), *conjuncts(condition.right))
    return (condition,) if condition is not None else ()


def disjunction(conditions: Iterable[Expr]) -> Expr | None:
    """`a || b || …`; None for no conditions."""
    return _joined("||", conditions)


def _joined(op: str, conditions: Iterable[Expr]) -> Expr | None:
    found: Expr | None = None
    for condition in conditions:
        found = condition if found is None else binary(op, found, condition)
    return found


def negation(condition: Expr) -> Expr:
    """`!condition`."""
    return Unary("!", condition, INT, UNKNOWN_SPAN)


def choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """`condition ? then : otherwise`."""
    return Ternary(condition, then, otherwise, common_type(then.type, otherwise.type), UNKNOWN_SPAN)


def cast(ctype: CType, operand: Expr) -> Cast:
    """`(ctype)operand`."""
    return Cast(operand, ctype, UNKNOWN_SPAN)


def call(function: str, *arguments: Expr, returns: CType = VOID, made_for: tuple[CType | int, ...] = ()) -> Call:
    """`function(arguments)`; of a template, `function<made_for>(arguments)`."""
    return Call(function, arguments, returns, UNKNOWN_SPAN, made_for)


def method(base: Expr, name: str, *arguments: Expr, returns: CType = VOID) -> Call:
    """`base.name(arguments)`: a call of a function whose name begins with a dot, of its first argument."""
    return call(f".{name}", base, *arguments, returns=returns)


def element(pointer: Expr, index: Expr, ctype: CType) -> Index:
    """`pointer[index]`, of type `ctype`."""
    return Index(pointer, index, ctype, UNKNOWN_SPAN)


def member(base: Expr, name: str, ctype: CType) -> MemberOf:
    """`base.name`, of type `ctype`."""
    return MemberOf(base, name, ctype, UNKNOWN_SPAN)


def address(operand: Expr) -> AddressOf:
    """`&operand`."""
    return AddressOf(operand, PointerType(operand.type), UNKNOWN_SPAN)


# ---- statements ------------------------------------------------------------------------------------


def declare(name: str, ctype: CType, init: Expr | None = None, is_const: bool = False) -> Declaration:
    """`ctype name = init;`."""
    return Declaration(symbol(name, ctype, is_const), init, UNKNOWN_SPAN)


def evaluate(function: str, *arguments: Expr, made_for: tuple[CType | int, ...] = ()) -> CallStmt:
    """`function(arguments);`; of a template, `function<made_for>(arguments);`."""
    return CallStmt(call(function, *arguments, made_for=made_for), UNKNOWN_SPAN)


# ---- products --------------------------------------------------------------------------------------


def product(factors: Seq[Expr]) -> Expr:
    """The product in 64 bits; 1 for none."""
    several = [factor for factor in factors if not is_number(factor, 1)]
    if len(several) < 2:
        return several[0] if several else ONE
    return reduce(lambda left, right: binary("*", left, right), several[1:], widened(several[0]))


def widened(expr: Expr) -> Expr:
    """`expr` in 64 bits: a product from its first factor on, before it can overflow."""
    if isinstance(expr, Binary) and expr.op == "*":
        return binary("*", widened(expr.left), expr.right)
    return expr if isinstance(expr, Cast) and expr.type == LLONG else cast(LLONG, expr)


def counted(extent: Expr) -> Expr:
    """The number of elements along an array extent: negative ones count as zero."""
    return call("pencilc_count", extent, returns=LLONG)


def count_of(factors: Seq[Expr]) -> Expr:
    """The number of points of a box: the product, but zero when a side is negative."""
    sides = [factor for factor in factors if not is_number(factor)]
    whole = product(factors)
    if len(sides) < 2:
        return whole
    condition = conjunction(binary(">", side, ZERO) for side in sides[:-1])
    assert condition is not None
    return choice(condition, whole, ZERO)


def several(count: Expr) -> Expr | None:
    """`count`, but None where it is known to be one."""
    return None if is_number(count, 1) else count


# ---- what expressions name ---------------------------------------------------------------------------


def substituted(expr: Expr, values: dict[str, Expr]) -> Expr:
    """`expr` with the variables of these names replaced."""
    if isinstance(expr, Name):
        return values.get(expr.symbol.name, expr)
    changed: dict[str, object] = {}
    for key in _CHILDREN.get(type(expr), ()):
        old = getattr(expr, key)
        if isinstance(old, tuple):
            changed[key] = tuple(substituted(item, values) for item in old)
        else:
            changed[key] = substituted(old, values)
    return replace(expr, **changed) if changed else expr  # type: ignore[arg-type]


_CHILDREN: dict[type, tuple[str, ...]] = {
    Unary: ("operand",), Binary: ("left", "right"), Ternary: ("condition", "then", "otherwise"), Cast: ("operand",),
    Index: ("base", "index"), MemberOf: ("base",), Call: ("arguments",), AddressOf: ("operand",),
    Dereference: ("operand",), Initializer: ("values",),
}  # fmt: skip
