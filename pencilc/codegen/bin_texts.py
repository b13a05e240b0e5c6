"""Bins: their numbers, the elements that they are, the bytes of their values."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Seq
from math import prod

from pencilc.codegen.lowering import Bindings
from pencilc.codegen.names import safe
from pencilc.ir.build import ZERO, binary, cast, is_number, member, plus, product, variable
from pencilc.ir.build import element as element_at
from pencilc.ir.source import (
    LLONG,
    AddressOf,
    ArrayType,
    CType,
    Expr,
    Index,
    IntLiteral,
    MemberOf,
    Name,
    PointerType,
    Struct,
    element_type,
)


def linear(numbers: Seq[Expr], sides: Seq[Expr], wide: bool) -> Expr:
    """`(a * N + b) * M + c`; in 64 bits where `wide`, unless the sides are small numbers."""
    if not numbers:
        return ZERO
    small = all(is_number(side) for side in sides) and prod(_value(side) for side in sides) < 2**31
    offset = cast(LLONG, numbers[0]) if wide and not small and len(numbers) > 1 else numbers[0]
    for side, number in zip(sides[1:], numbers[1:], strict=True):
        offset = plus(binary("*", offset, side), number)
    return offset


def _value(number: Expr) -> int:
    assert isinstance(number, IntLiteral)
    return number.value


def element(of: Expr, whole: Expr, sides: Seq[Expr], bindings: Bindings) -> Expr:
    """The variable whose subscripts, all taken together, have the number `whole`: `cells[k / 9].bins[k % 9]`."""
    path: list[Expr] = []
    while isinstance(of, Index | MemberOf | AddressOf):
        path.insert(0, of)
        of = of.operand if isinstance(of, AddressOf) else of.base
    assert isinstance(of, Name)
    array = bindings.arrays[of.symbol.name]
    # How many subscripts the variable has, and each of the members that follow it.
    counts = [len(array.prefix)]
    for step in path:
        if isinstance(step, Index):
            counts[-1] += 1
        elif isinstance(step, MemberOf):
            counts.append(0)
    members = [step for step in path if isinstance(step, MemberOf)]
    # What the variable is subscripted with lies in linear memory; a scalar there is an array of one.
    left = list(sides[counts[0] :])
    ctype = element_type(of.symbol.type)
    found: Expr = element_at(variable(array.pointer, PointerType(ctype)), _digit(whole, None, left), ctype)
    for step, count in zip(members, counts[1:], strict=True):
        found = member(found, safe(step.member), step.type)
        own, left = left[:count], left[count:]
        for k in range(count):
            inner = found.type.element if isinstance(found.type, ArrayType) else found.type
            found = element_at(found, _digit(whole, own[k], [*own[k + 1 :], *left]), inner)
    return found


def _digit(whole: Expr, side: Expr | None, below: Seq[Expr]) -> Expr:
    """The subscript that `whole` has in a dimension of `side` elements (None: the first), `below` lying inside."""
    inner = product(below)
    value = whole if is_number(inner, 1) else binary("/", whole, inner)
    return value if side is None else binary("%", value, side)


def filled(ctype: CType, at: int) -> tuple[tuple[int, int], ...]:
    """The (offset, size) of the bytes of a type that are no padding."""
    runs: list[tuple[int, int]] = []
    for offset, size in _scalars(ctype, at):
        if runs and runs[-1][0] + runs[-1][1] == offset:
            runs[-1] = (runs[-1][0], runs[-1][1] + size)
        else:
            runs.append((offset, size))
    return tuple(runs)


def _scalars(ctype: CType, at: int) -> Iterator[tuple[int, int]]:
    match ctype:
        case Struct():
            for member in ctype.members:
                yield from _scalars(member.type, at + member.offset)
        case ArrayType():
            count = getattr(ctype.extent, "value", 0)
            for k in range(count):
                yield from _scalars(ctype.element, at + k * ctype.element.size)
        case _:
            yield at, ctype.size
