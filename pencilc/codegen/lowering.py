"""Expressions of the source as those of a kernel: what a name means there, and what C++ needs said.

C is not C++: calls resolve by overload there, so an implicit conversion of an argument is written out; subscripts of
arrays of run-time extents are linearised (nvcc knows no such arrays).  What a name means in the kernel at hand comes
from `Bindings`; nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from math import prod

from pencilc.codegen.cexpr import suffix
from pencilc.codegen.names import safe
from pencilc.codegen.pencil_functions import TEMPLATES, TESTS
from pencilc.codegen.register_indices import SELECTIONS
from pencilc.diagnostics.source import UNKNOWN_SPAN
from pencilc.ir import source as src
from pencilc.ir.build import (
    TRUTHS,
    ZERO,
    address,
    binary,
    call,
    cast,
    common_type,
    element,
    is_number,
    member,
    minus,
    number,
    plus,
    promoted,
    times,
    variable,
)
from pencilc.ir.queries import base_of
from pencilc.ir.source import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    LLONG,
    ArrayType,
    CType,
    PointerType,
    Scalar,
    element_type,
    extents,
)
from pencilc.poly.model.affine import keeps_values
from pencilc.records import dataclass

# The conversions of pencil.h, which CUDA has under names of its own; but for one that takes two instructions there.
CONVERSIONS = {
    "pencil_half_to_float": "__half2float", "pencil_float_to_half": "__float2half_rn",
    "pencil_bfloat16_to_float": "pencilc_from_bfloat16", "pencil_float_to_bfloat16": "__float2bfloat16_rn",
}  # fmt: skip
# A product that has an instruction of its own is never contracted with what is added to it.
PRODUCTS: dict[CType, str] = {FLOAT: "__fmul_rn", DOUBLE: "__dmul_rn"}
_CLASSES = {"isnan", "isinf", "isfinite", "signbit"}


@dataclass(frozen=True, slots=True)
class HeldPlace:
    """Where a block has a part of an array in shared memory: from the subscripts `firsts` on.

    Neighbours along each subscript are `pitches` elements apart, none where it has one value; along one with a ring
    only so many values are there together, a power of two, each in the place of another one.
    """

    firsts: tuple[src.Expr, ...]
    pitches: tuple[int, ...]
    rings: tuple[int, ...]

    def offset(self, indices: Sequence[src.Expr]) -> src.Expr:
        """The element with these subscripts."""
        found: src.Expr = ZERO
        for index, first, pitch, ring in zip(indices, self.firsts, self.pitches, self.rings, strict=True):
            if not pitch:
                continue
            inside = minus(index, first)
            inside = inside if inside.type == src.INT else cast(src.INT, inside)
            if ring:
                inside = binary("&", inside, number(ring - 1))
            found = plus(found, times(inside, number(pitch)))
        return found


@dataclass(frozen=True, slots=True)
class LinearArray:
    """An array in linear memory: `pointer[(a * N + b) * M + c]`; `prefix` are the indices of expanded dimensions.

    They come behind the others where it is `interleaved`: `pointer[(b * M + c) * N + a]`.
    `skipped`: how many leading subscripts there are no elements for, because all of them have one value.  `held`: where
    the pointer is to a part of the array.
    """

    pointer: str
    prefix: tuple[src.Expr, ...] = ()
    prefix_extents: tuple[src.Expr, ...] = ()
    interleaved: bool = False
    skipped: int = 0
    held: HeldPlace | None = None


@dataclass(frozen=True, slots=True)
class Bindings:
    """What names mean in one place of the output.

    `values`: scalar or struct symbol -> expression; `arrays`: array symbol -> `LinearArray`, absent for arrays that
    are declared as such in the output; `loads`: an array access of the output -> what holds its value.  `pinned`:
    products of floating values are rounded by themselves, never contracted with a sum.
    """

    values: Mapping[str, src.Expr] = field(default_factory=dict)
    arrays: Mapping[str, LinearArray] = field(default_factory=dict)
    loads: Mapping[src.Expr, src.Expr] = field(default_factory=dict)
    pinned: bool = False

    def with_loads(self, loads: Mapping[src.Expr, src.Expr]) -> Bindings:
        """The same with these loads."""
        return replace(self, loads={**self.loads, **loads})


def lowered(expr: src.Expr, bindings: Bindings) -> src.Expr:
    """`expr` in the output."""
    return _Lowering(bindings).lower(expr)


def stored(expr: src.Expr, bindings: Bindings) -> src.Expr:
    """`expr` as what is assigned: a conversion that may lose bits is written out."""
    is_literal = isinstance(expr, src.Cast) and isinstance(expr.operand, src.IntLiteral)
    if isinstance(expr, src.Cast) and expr.implicit and not is_literal and _narrows(expr.operand.type, expr.type):
        return cast(expr.type, lowered(_converted_once(expr), bindings))
    return lowered(expr, bindings)


def _changes_sign(conversion: src.Cast) -> bool:
    """Whether a constant becomes another number, `unsigned k = -1;`: nvcc warns of that where it is not written out."""
    constant, sign = conversion.operand, 1
    if isinstance(constant, src.Unary) and constant.op == "-":
        constant, sign = constant.operand, -1
    if not isinstance(constant, src.IntLiteral) or not isinstance(conversion.type, Scalar):
        return False
    if not isinstance(constant.type, Scalar) or constant.type.size > conversion.type.size:
        return False
    value = sign * constant.value
    if conversion.type.kind == "uint":
        return value < 0
    return conversion.type.kind == "int" and value >= 2 ** (8 * conversion.type.size - 1)


def _narrows(source: CType, target: CType) -> bool:
    """Whether a conversion between arithmetic types goes to a smaller integer, or from floating to integer."""
    if not isinstance(source, Scalar) or not isinstance(target, Scalar) or target.kind not in ("int", "uint"):
        return False
    return source.kind == "float" or source.size > target.size


def argument(expr: src.Expr, bindings: Bindings) -> src.Expr:
    """`expr` as an argument: a conversion is written out, for C++ chooses functions by their types."""
    return _Lowering(bindings).argument(expr)


def access(expr: src.Expr, bindings: Bindings) -> src.Expr:
    """An array access of the output without the registers of `loads`: equal accesses are to one element."""
    return lowered(expr, replace(bindings, loads={}))


class _Lowering:
    """Rewrites expressions under one set of bindings."""

    def __init__(self, bindings: Bindings) -> None:
        self.bindings = bindings

    def lower(self, expr: src.Expr) -> src.Expr:  # noqa: C901  (one case for each kind of expression)
        """`expr` in the output, of the same value."""
        match expr:
            case src.IntLiteral():
                return src.IntLiteral(expr.value, expr.type, UNKNOWN_SPAN, safe(expr.name) if expr.name else "")
            case src.FloatLiteral() | src.StringLiteral():
                return replace(expr, span=UNKNOWN_SPAN)
            case src.Name():
                return self._name(expr)
            case src.Unary():
                operand = expr.operand if expr.op == "!" else _of_type(expr.operand, expr.type)
                return src.Unary(expr.op, self.lower(operand), expr.type, UNKNOWN_SPAN)
            case src.Binary() if is_pinned(expr, self.bindings):
                sides = (self.argument(expr.left), self.argument(expr.right))
                return call(PRODUCTS[expr.type], *sides, returns=expr.type)
            case src.Binary():
                left, right = _operands(expr)
                return src.Binary(expr.op, self.lower(left), self.lower(right), expr.type, UNKNOWN_SPAN)
            case src.Ternary():
                then, otherwise = _of_one_type(expr.then, expr.otherwise, expr.type)
                parts = (self.lower(expr.condition), self.lower(then), self.lower(otherwise))
                return src.Ternary(*parts, expr.type, UNKNOWN_SPAN)
            case src.Cast():
                inner = self.lower(_converted_once(expr))
                return inner if expr.implicit and not _changes_sign(expr) else cast(expr.type, inner)
            case src.Index():
                return self._index(expr)
            case src.MemberOf():
                return member(self.lower(expr.base), safe(expr.member), expr.type)
            case src.Call():
                return self._call(expr)
            case src.AddressOf():
                return src.AddressOf(self.lower(expr.operand), expr.type, UNKNOWN_SPAN)
            case src.Dereference():
                return src.Dereference(self.lower(expr.operand), expr.type, UNKNOWN_SPAN)
            case src.Initializer():
                values = tuple(self._initial(value) for value in _without_zeros(expr.values))
                return src.Initializer(values, expr.type, UNKNOWN_SPAN)

    def _call(self, expr: src.Call) -> src.Expr:
        if self.bindings.loads:
            known = self.bindings.loads.get(access(expr, self.bindings))
            if known is not None:
                return known
        arguments = tuple(self.argument(each) for each in expr.arguments)
        return call(_called(expr.function), *arguments, returns=expr.type, made_for=_deduced(expr))

    def _name(self, expr: src.Name) -> src.Expr:
        symbol = expr.symbol
        if symbol.name in self.bindings.values:
            return self.bindings.values[symbol.name]
        if symbol.name in self.bindings.arrays:
            linear = self.bindings.arrays[symbol.name]
            if isinstance(expr.type, ArrayType) and not linear.prefix:
                return variable(linear.pointer, expr.type)
            first = tuple(ZERO for _ in extents(expr.type))
            found = self._linear(linear, first, expr.type)
            return address(found) if isinstance(expr.type, ArrayType) else found
        return variable(safe(symbol.name), expr.type)

    def _initial(self, expr: src.Expr) -> src.Expr:
        """One value in braces, where a literal that fits needs no conversion."""
        if isinstance(expr, src.Cast) and expr.implicit and isinstance(expr.operand, src.IntLiteral):
            target = expr.type
            if target == BOOL:
                return src.IntLiteral(int(expr.operand.value != 0), INT, UNKNOWN_SPAN)
            if (
                isinstance(target, Scalar)
                and target.is_integer
                and 0 <= expr.operand.value < 2 ** (8 * target.size - 1)
            ):
                return self.lower(expr.operand)
        return self.argument(expr)

    def argument(self, expr: src.Expr) -> src.Expr:
        """An argument of a call, of its own type even where C would convert it without a word."""
        if isinstance(expr, src.Cast) and expr.implicit and expr.operand.type != expr.type:
            if isinstance(expr.operand, src.IntLiteral) and not expr.operand.name and expr.type in (FLOAT, DOUBLE):
                text = f"{expr.operand.value}.0{'f' if expr.type == FLOAT else ''}"
                return src.FloatLiteral(text, expr.type, UNKNOWN_SPAN)
            return cast(expr.type, self.lower(_converted_once(expr)))
        return _first_element(self.lower(expr)) if self._has_rows(expr) else self.lower(expr)

    def _has_rows(self, expr: src.Expr) -> bool:
        """Whether an argument is an array of arrays, or a row of one, of the kernel's own: helpers take pointers."""
        if not isinstance(expr.type, ArrayType) or not isinstance(expr.type.element, ArrayType):
            return False
        base = base_of(expr)
        return isinstance(base, src.Name) and not {base.symbol.name} & {*self.bindings.arrays, *self.bindings.values}

    def _index(self, expr: src.Index) -> src.Expr:
        base, indices = _chain(expr)
        if not isinstance(base, src.Name) or base.symbol.name not in self.bindings.arrays:
            if isinstance(base, src.Name) and isinstance(base.type, PointerType):
                return element(self.lower(base), self.lower(indices[0]), expr.type)
            return element(self.lower(expr.base), self.lower(expr.index), expr.type)
        dims = extents(base.type)
        linear = self.bindings.arrays[base.symbol.name]
        if len(indices) < len(dims):
            # A row of the array, as the argument of a helper.
            rest = tuple(ZERO for _ in dims[len(indices) :])
            return address(self._linear(linear, (*(self.lower(i) for i in indices), *rest), base.type))
        found = self._linear(linear, tuple(self.lower(i) for i in indices), base.type)
        return self.bindings.loads.get(found, found)

    def _linear(self, linear: LinearArray, indices: tuple[src.Expr, ...], ctype: CType) -> src.Expr:
        """`pointer[(i * N + j) * M + k]`; the offset in 64 bits unless the extents are small numbers."""
        if linear.held is not None:
            of = element_type(ctype)
            return element(variable(linear.pointer, PointerType(of)), linear.held.offset(indices), of)
        dims = extents(ctype)[linear.skipped :]
        numbers = [*linear.prefix, *indices[linear.skipped :]]
        sizes = [*linear.prefix_extents, *(ZERO if e is None else self.lower(e) for e in dims)]
        if linear.interleaved:
            own = len(linear.prefix)
            numbers, sizes = [*numbers[own:], *numbers[:own]], [*sizes[own:], *sizes[:own]]
        pointer, of = variable(linear.pointer, PointerType(element_type(ctype))), element_type(ctype)
        if not numbers:
            return element(pointer, ZERO, of)
        while len(numbers) > 1 and is_number(numbers[0], 0):  # The first of some rows: `pointer[j]`.
            numbers, sizes = numbers[1:], sizes[1:]
        if len(numbers) == 1:
            return element(pointer, numbers[0], of)
        first = numbers[0]
        is_wide = isinstance(first, src.Cast) and first.type == LLONG and isinstance(first.operand, src.Name)
        offset = first if is_wide or _is_small(sizes) else cast(LLONG, first)
        for size, inside in zip(sizes[1:], numbers[1:], strict=True):
            offset = plus(binary("*", offset, size), inside)
        return element(pointer, offset, of)


# ---- conversions that C++ does not make by itself ---------------------------------------------------


def _first_element(array: src.Expr) -> src.Expr:
    while isinstance(array.type, ArrayType):
        array = element(array, ZERO, array.type.element)
    return address(array)


def _operands(expr: src.Binary) -> tuple[src.Expr, src.Expr]:
    """The operands, with conversions written out that the text of both does not ask for.

    They may have come here from elsewhere: `unsigned u = n; … u < 3` is no `n < 3`.
    """
    if expr.op in ("&&", "||"):
        return expr.left, expr.right
    if expr.op in ("<<", ">>"):
        return _of_type(expr.left, expr.type), expr.right
    return _of_one_type(expr.left, expr.right, expr.left.type)


def _of_one_type(one: src.Expr, other: src.Expr, ctype: CType) -> tuple[src.Expr, src.Expr]:
    """Two expressions of `ctype`, with conversions written out where C++ would find another type for both."""
    types = _written_type(one), _written_type(other)
    if not all(isinstance(each, Scalar) for each in (*types, ctype)):
        return one, other
    if promoted(types[0] if types[0] == types[1] else common_type(*types)) == promoted(ctype):
        return one, other
    return _written_out(one, ctype), _written_out(other, ctype)


def _of_type(expr: src.Expr, ctype: CType) -> src.Expr:
    """An expression with its conversion written out where C++ would not compute in `ctype` without."""
    return expr if promoted(_written_type(expr)) == promoted(ctype) else _written_out(expr, ctype)


def _written_out(expr: src.Expr, ctype: CType) -> src.Expr:
    if isinstance(expr, src.Cast) and expr.implicit and expr.type == ctype and _written_type(expr) != ctype:
        return replace(expr, implicit=False)
    return expr


def _converted_once(expr: src.Cast) -> src.Expr:
    """What a conversion is written around: its operand, whose own is written out where one does not do both."""
    inner = expr.operand
    if not isinstance(inner, src.Cast) or not inner.implicit:
        return inner
    source, middle = _written_type(inner), inner.type
    if not isinstance(source, Scalar) or not isinstance(middle, Scalar) or not isinstance(expr.type, Scalar):
        return inner
    is_same = keeps_values(source, middle) or (
        source.is_integer and middle.is_integer and expr.type.is_integer and expr.type.size <= middle.size
    )
    return inner if is_same else replace(inner, implicit=False)


def _written_type(expr: src.Expr) -> CType:
    """The type that C++ gives the text of an expression."""
    match expr:
        case src.Cast() if expr.implicit:
            return _written_type(_converted_once(expr))
        case src.Ternary():
            then, otherwise = map(_written_type, _of_one_type(expr.then, expr.otherwise, expr.type))
            return then if then == otherwise else common_type(then, otherwise)
    return expr.type


def is_pinned(expr: src.Binary, bindings: Bindings) -> bool:
    """Whether `expr` is a product that must be rounded by itself."""
    return bindings.pinned and expr.op == "*" and expr.type in PRODUCTS


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


def _deduced(call: src.Call) -> tuple[CType, ...]:
    """The type of a function template, named where C++ would not deduce from the arguments what C converts them to."""
    if call.function not in TEMPLATES or all(_has_own_type(argument) for argument in call.arguments):
        return ()
    return (call.arguments[0].type,)


def _has_own_type(expr: src.Expr) -> bool:
    """Whether C++ gives the text of `expr` as an argument the type that C gives it."""
    match expr:
        case src.Cast():
            return True  # written out
        case src.Binary():
            return expr.op not in TRUTHS
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
    return CONVERSIONS.get(name) or SELECTIONS.get(name) or safe(name)


def _is_small(sizes: list[src.Expr]) -> bool:
    """Whether the extents are numbers whose product an int holds."""
    known = [size.value for size in sizes if isinstance(size, src.IntLiteral) and not size.name and not suffix(size)]
    return len(known) == len(sizes) and prod(known) < 2**31


def _chain(expr: src.Expr) -> tuple[src.Expr, tuple[src.Expr, ...]]:
    """`a[i][j]` -> (a, (i, j)); stops at anything that is no subscript."""
    indices: list[src.Expr] = []
    while isinstance(expr, src.Index):
        indices.insert(0, expr.index)
        expr = expr.base
    return expr, tuple(indices)
