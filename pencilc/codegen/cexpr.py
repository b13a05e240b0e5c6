"""Typed expressions as CUDA C++ text.

C is not C++: calls resolve by overload there, so an implicit conversion of an argument is written out;
VLA subscripts are linearised (nvcc knows no VLA).  What a name means in the kernel at hand comes from
`Bindings`; nothing is decided here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import prod

from pencilc.codegen.names import safe
from pencilc.codegen.pencil_functions import TEMPLATES, TESTS
from pencilc.ir import source as src
from pencilc.ir.header_names import HEADER_NAMES
from pencilc.ir.queries import without_conversions
from pencilc.ir.source import DOUBLE, FLOAT, INT, ArrayType, CType, PointerType, Scalar, Struct, extents

_PRECEDENCE = {
    "*": 13, "/": 13, "%": 13, "+": 12, "-": 12, "<<": 11, ">>": 11, "<": 10, "<=": 10, ">": 10, ">=": 10,
    "==": 9, "!=": 9, "&": 8, "^": 7, "|": 6, "&&": 5, "||": 4,
}  # fmt: skip
_CUDA_TYPES = {"_Bool": "bool", "pencil_half": "__half", "pencil_bfloat16": "__nv_bfloat16"}
# The conversions of pencil.h, which CUDA has under names of its own.
CONVERSIONS = {
    "pencil_half_to_float": "__half2float", "pencil_float_to_half": "__float2half_rn",
    "pencil_bfloat16_to_float": "__bfloat162float", "pencil_float_to_bfloat16": "__float2bfloat16_rn",
}  # fmt: skip
_UNARY, _POSTFIX, _TERNARY, _ATOM = 14, 15, 3, 16
# A product that has an instruction of its own is never contracted with what is added to it.
_PRODUCTS: dict[CType, str] = {FLOAT: "__fmul_rn", DOUBLE: "__dmul_rn"}
_CAST_OF_NAME = re.compile(r"\([a-z ]+\)\w+")
# Of these C++ has the result as bool, which C has as int.
_TRUTHS = {"<", "<=", ">", ">=", "==", "!=", "&&", "||"}
_CLASSES = {"isnan", "isinf", "isfinite", "signbit"}
_CONFUSING = {"&&", "||", "<<", ">>", "&", "^", "|"}


@dataclass(frozen=True, slots=True)
class LinearArray:
    """An array in linear memory: `pointer[(a * N + b) * M + c]`; `prefix` are index texts of expanded dimensions.

    `skipped`: how many leading subscripts there are no elements for, because all of them have one value.
    """

    pointer: str
    prefix: tuple[str, ...] = ()
    prefix_extents: tuple[str, ...] = ()
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class Bindings:
    """What names mean in one place of the output.

    `values`: scalar or struct symbol -> text; `arrays`: array symbol -> `LinearArray`, absent for arrays that
    are declared as such in the output; `loads`: text of an array access -> register that holds it.  `pinned`:
    products of floating values are rounded by themselves, never contracted with a sum.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    arrays: Mapping[str, LinearArray] = field(default_factory=dict)
    loads: Mapping[str, str] = field(default_factory=dict)
    pinned: bool = False

    def with_loads(self, loads: Mapping[str, str]) -> Bindings:
        """The same with these loads."""
        return replace(self, loads={**self.loads, **loads})


def type_text(ctype: CType) -> str:
    """The C++ spelling of a type without array extents."""
    match ctype:
        case Scalar():
            return _CUDA_TYPES.get(ctype.name, ctype.name)
        case Struct():
            return f"{ctype.name}_" if ctype.name in HEADER_NAMES else safe(ctype.name)
        case PointerType():
            return f"{'const ' if ctype.is_const else ''}{type_text(ctype.target)} *"
        case ArrayType():
            return type_text(ctype.element)


def declarator(ctype: CType, name: str, bindings: Bindings | None = None) -> str:
    """`int name[4][8]`: a declaration of `name`, without `;`."""
    dims = "".join(f"[{expression(e, bindings or Bindings())}]" for e in extents(ctype) if e is not None)
    base: CType = ctype
    while isinstance(base, ArrayType):
        base = base.element
    text = type_text(base)
    return f"{text}{'' if text.endswith('*') else ' '}{name}{dims}"


def expression(expr: src.Expr, bindings: Bindings) -> str:
    """The text of `expr`."""
    return _Printer(bindings).text(expr, 0)


def compared(expr: src.Expr, bindings: Bindings) -> str:
    """The text of `expr` as the right side of a comparison."""
    return _Printer(bindings).text(expr, _PRECEDENCE["<"] + 1)


def stored(expr: src.Expr, bindings: Bindings) -> str:
    """The text of `expr` as what is assigned: a conversion that may lose bits is written out."""
    is_literal = isinstance(expr, src.Cast) and isinstance(expr.operand, src.IntLiteral)
    if isinstance(expr, src.Cast) and expr.implicit and not is_literal and _narrows(expr.operand.type, expr.type):
        return f"({type_text(expr.type)}){operand(expr.operand, bindings)}"
    return expression(expr, bindings)


def _narrows(source: CType, target: CType) -> bool:
    """Whether a conversion between arithmetic types goes to a smaller integer, or from floating to integer."""
    if not isinstance(source, Scalar) or not isinstance(target, Scalar) or target.kind not in ("int", "uint"):
        return False
    return source.kind == "float" or source.size > target.size


def argument(expr: src.Expr, bindings: Bindings) -> str:
    """The text of `expr` as an argument: a conversion is written out, for C++ chooses functions by their types."""
    return _Printer(bindings).argument(expr)


def operand(expr: src.Expr, bindings: Bindings) -> str:
    """The text of `expr`, in parentheses unless it is a primary expression."""
    return _Printer(bindings).text(expr, _POSTFIX)


def access_key(expr: src.Expr, bindings: Bindings) -> str:
    """The text of an array access without the registers of `loads`: equal text, equal element."""
    return _Printer(replace(bindings, loads={})).text(expr, 0)


class _Printer:
    """Precedence-driven printer; `text(e, p)` is parenthesised where `e` binds weaker than `p`."""

    def __init__(self, bindings: Bindings) -> None:
        self.bindings = bindings

    def text(self, expr: src.Expr, context: int) -> str:
        text, strength = self._print(expr)
        return f"({text})" if strength < context else text

    def _print(self, expr: src.Expr) -> tuple[str, int]:  # noqa: C901  (one case for each kind of expression)
        match expr:
            case src.IntLiteral():
                return _integer(expr)
            case src.FloatLiteral() | src.StringLiteral():
                return expr.text, _ATOM
            case src.Name():
                return self._name(expr)
            case src.Unary():
                inner = self.text(expr.operand, _UNARY)
                return f"{expr.op}{' ' if inner.startswith(expr.op) else ''}{inner}", _UNARY
            case src.Binary():
                return self._binary(expr)
            case src.Ternary():
                parts = self.text(expr.condition, 4), self.text(expr.then, 4), self.text(expr.otherwise, 3)
                return f"{parts[0]} ? {parts[1]} : {parts[2]}", _TERNARY
            case src.Cast():
                if expr.implicit:
                    return self._print(expr.operand)
                return f"({type_text(expr.type)}){self.text(expr.operand, _UNARY)}", _UNARY
            case src.Index():
                return self._index(expr)
            case src.MemberOf():
                return self._member(expr)
            case src.Call() if self.bindings.loads and access_key(expr, self.bindings) in self.bindings.loads:
                return self.bindings.loads[access_key(expr, self.bindings)], _POSTFIX
            case src.Call():
                arguments = ", ".join(self.argument(a) for a in expr.arguments)
                return f"{_called(expr.function)}{_deduced(expr)}({arguments})", _POSTFIX
            case src.AddressOf():
                return f"&{self.text(expr.operand, _UNARY)}", _UNARY
            case src.Dereference():
                return f"*{self.text(expr.operand, _UNARY)}", _UNARY
            case src.Initializer():
                values = ", ".join(self._initial(v) for v in _without_zeros(expr.values))
                name = "" if isinstance(expr.type, ArrayType) else type_text(expr.type)
                return f"{name}{{{values}}}", _POSTFIX

    def _name(self, expr: src.Name) -> tuple[str, int]:
        symbol = expr.symbol
        if symbol.name in self.bindings.values:
            text = self.bindings.values[symbol.name]
            if _CAST_OF_NAME.fullmatch(text):
                return text, _UNARY
            return text, _ATOM if text.replace("_", "a").replace(".", "a").isalnum() or text.endswith("]") else 0
        if symbol.name in self.bindings.arrays:
            linear = self.bindings.arrays[symbol.name]
            if isinstance(expr.type, ArrayType) and not linear.prefix:
                return linear.pointer, _ATOM
            first = tuple(_zero(expr) for _ in extents(expr.type))
            text = self._linear(linear, first, extents(expr.type))
            return (f"&{text}", _UNARY) if isinstance(expr.type, ArrayType) else (text, _POSTFIX)
        return safe(symbol.name), _ATOM

    def _binary(self, expr: src.Binary) -> tuple[str, int]:
        if is_pinned(expr, self.bindings):
            return f"{_PRODUCTS[expr.type]}({self.argument(expr.left)}, {self.argument(expr.right)})", _POSTFIX
        strength = _PRECEDENCE[expr.op]
        left = self.text(expr.left, self._side(expr.op, expr.left, strength))
        right = self.text(expr.right, self._side(expr.op, expr.right, strength + 1))
        return f"{left} {expr.op} {right}", strength

    @staticmethod
    def _side(op: str, side: src.Expr, context: int) -> int:
        """Ask for parentheses where a reader (and gcc's -Wparentheses) would want them."""
        side = without_conversions(side)
        if isinstance(side, src.Binary) and side.op != op and (op in _CONFUSING and side.op in (*_CONFUSING, "+", "-")):
            return _UNARY
        return context

    def _initial(self, expr: src.Expr) -> str:
        """One value in braces, where a literal that fits needs no conversion."""
        if isinstance(expr, src.Cast) and expr.implicit and isinstance(expr.operand, src.IntLiteral):
            target = expr.type
            if (
                isinstance(target, Scalar)
                and target.is_integer
                and 0 <= expr.operand.value < 2 ** (8 * target.size - 1)
            ):
                return self.text(expr.operand, 0)
        return self.argument(expr)

    def argument(self, expr: src.Expr) -> str:
        """An argument of a call, of its own type even where C would convert it without a word."""
        if isinstance(expr, src.Cast) and expr.implicit and expr.operand.type != expr.type:
            if isinstance(expr.operand, src.IntLiteral) and not expr.operand.name and expr.type in (FLOAT, DOUBLE):
                return f"{expr.operand.value}.0{'f' if expr.type == FLOAT else ''}"
            return f"({type_text(expr.type)}){self.text(expr.operand, _UNARY)}"
        return self.text(expr, 0)

    def _index(self, expr: src.Index) -> tuple[str, int]:
        base, indices = _chain(expr)
        if not isinstance(base, src.Name) or base.symbol.name not in self.bindings.arrays:
            if isinstance(base, src.Name) and isinstance(base.type, PointerType):
                return f"{self.text(base, _POSTFIX)}[{self.text(indices[0], 0)}]", _POSTFIX
            subscripts = "".join(f"[{self.text(i, 0)}]" for i in indices)
            return f"{self.text(base, _POSTFIX)}{subscripts}", _POSTFIX
        dims = extents(base.type)
        if len(indices) < len(dims):
            # A row of the array, as the argument of a helper.
            rest = tuple(_zero(expr) for _ in dims[len(indices) :])
            return f"&{self._linear(self.bindings.arrays[base.symbol.name], (*indices, *rest), dims)}", _UNARY
        text = self._linear(self.bindings.arrays[base.symbol.name], indices, dims)
        return self.bindings.loads.get(text, text), _POSTFIX

    def _linear(self, linear: LinearArray, indices: tuple[src.Expr, ...], dims: tuple[src.Expr | None, ...]) -> str:
        indices, dims = indices[linear.skipped :], dims[linear.skipped :]
        texts = [*linear.prefix, *(self.text(i, 12) for i in indices)]
        sizes = [*linear.prefix_extents, *(self.text(e, _UNARY) if e is not None else "0" for e in dims)]
        if not texts:
            return f"{linear.pointer}[0]"
        if len(texts) == 1:
            only = self.text(indices[0], 0) if indices else texts[0]
            return f"{linear.pointer}[{only}]"
        is_wide = _is_small(sizes) or (_CAST_OF_NAME.fullmatch(texts[0]) and texts[0].startswith("(long long)"))
        offset = _wrapped(texts[0]) if is_wide else f"(long long){_wrapped(texts[0])}"
        for size, index in zip(sizes[1:], texts[1:], strict=True):
            scaled = f"({offset})" if " + " in offset else offset
            offset = f"{scaled} * {size}" + (f" + {index}" if index != "0" else "")
        return f"{linear.pointer}[{offset}]"

    def _member(self, expr: src.MemberOf) -> tuple[str, int]:
        if isinstance(expr.base, src.Dereference):
            return f"{self.text(expr.base.operand, _POSTFIX)}->{safe(expr.member)}", _POSTFIX
        return f"{self.text(expr.base, _POSTFIX)}.{safe(expr.member)}", _POSTFIX


def is_pinned(expr: src.Binary, bindings: Bindings) -> bool:
    """Whether `expr` is a product that must be rounded by itself."""
    return bindings.pinned and expr.op == "*" and expr.type in _PRODUCTS


def is_zero(expr: src.Expr) -> bool:
    """Whether `expr` is what an initialiser that stops early gives: zero in every member."""
    if isinstance(expr, src.Cast):
        return expr.implicit and is_zero(expr.operand)
    if isinstance(expr, src.Initializer):
        return all(is_zero(value) for value in expr.values)
    if isinstance(expr, src.FloatLiteral):
        return expr.text.rstrip("fF").strip("0") == "."
    return isinstance(expr, src.IntLiteral) and expr.value == 0


def _without_zeros(values: tuple[src.Expr, ...]) -> tuple[src.Expr, ...]:
    """The values up to the last that is not zero, where more than two zeros follow it."""
    last = max((k for k, value in enumerate(values) if not is_zero(value)), default=-1)
    return values[: last + 1] if len(values) - last - 1 > 2 else values


def _deduced(call: src.Call) -> str:
    """The type of a function template, named where C++ would not deduce from the arguments what C converts them to."""
    if call.function not in TEMPLATES or all(_has_own_type(argument) for argument in call.arguments):
        return ""
    return f"<{type_text(call.arguments[0].type)}>"


def _has_own_type(expr: src.Expr) -> bool:
    """Whether C++ gives the text of `expr` as an argument the type that C gives it."""
    match expr:
        case src.Cast():
            return True  # written out
        case src.Binary():
            return expr.op not in _TRUTHS
        case src.Unary():
            return expr.op != "!"
        case src.Ternary():
            # C++ does not promote two narrow values of one type.
            sides = (expr.then, expr.otherwise)
            return all(not (isinstance(s, src.Cast) and s.implicit) and _has_own_type(s) for s in sides)
        case src.Call():
            return expr.function not in _CLASSES
    return True


def _called(name: str) -> str:
    """The name under which the output has a function."""
    if name in TESTS:
        return f"pencilc_{name}"
    return CONVERSIONS.get(name) or safe(name)


def _zero(expr: src.Expr) -> src.Expr:
    return src.IntLiteral(0, INT, expr.span)


def _is_small(sizes: list[str]) -> bool:
    """Whether the extents are numbers whose product an int holds."""
    return all(size.isdigit() for size in sizes) and prod(map(int, sizes)) < 2**31


def _wrapped(text: str) -> str:
    return text if text.replace("_", "a").isalnum() or _CAST_OF_NAME.fullmatch(text) else f"({text})"


def _chain(expr: src.Expr) -> tuple[src.Expr, tuple[src.Expr, ...]]:
    """`a[i][j]` -> (a, (i, j)); stops at anything that is no subscript."""
    indices: list[src.Expr] = []
    while isinstance(expr, src.Index):
        indices.insert(0, expr.index)
        expr = expr.base
    return expr, tuple(indices)


def _integer(expr: src.IntLiteral) -> tuple[str, int]:
    if expr.name:
        return safe(expr.name), _ATOM
    suffix = ""
    if isinstance(expr.type, Scalar) and expr.type.size >= 4:
        suffix = {"unsigned int": "u", "long": "l", "unsigned long": "ul", "long long": "ll"}.get(expr.type.name, "")
        suffix = "ull" if expr.type.name == "unsigned long long" else suffix
    if expr.value < 0:
        return f"-{-expr.value}{suffix}", _UNARY
    return f"{expr.value}{suffix}", _ATOM
