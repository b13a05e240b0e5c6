"""Texts of bins: their numbers, the elements that they are, the bytes of their values."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Seq
from math import prod

from pencilc.codegen.cexpr import Bindings
from pencilc.codegen.frame import product, wrapped
from pencilc.codegen.names import safe
from pencilc.ir.source import AddressOf, ArrayType, CType, Expr, Index, MemberOf, Name, Struct


def linear(numbers: Seq[str], sides: Seq[str], wide: bool) -> str:
    """`(a * N + b) * M + c`; in 64 bits where `wide`, unless the sides are small numbers."""
    if not numbers:
        return "0"
    small = all(side.isdigit() for side in sides) and prod(map(int, sides)) < 2**31
    offset = f"(long long){numbers[0]}" if wide and not small and len(numbers) > 1 else numbers[0]
    for k, (side, number) in enumerate(zip(sides[1:], numbers[1:], strict=True)):
        offset = f"{f'({offset})' if k else offset} * {side} + {number}"
    return offset


def element(variable: Expr, whole: str, sides: Seq[str], bindings: Bindings) -> str:
    """The variable whose subscripts, all taken together, have the number `whole`: `cells[k / 9].bins[k % 9]`."""
    groups: list[tuple[str, int]] = []  # text before the subscripts of a group, how many there are
    path: list[Expr] = []
    while isinstance(variable, Index | MemberOf | AddressOf):
        path.insert(0, variable)
        variable = variable.operand if isinstance(variable, AddressOf) else variable.base
    assert isinstance(variable, Name)
    linear = bindings.arrays[variable.symbol.name]
    groups.append((linear.pointer, len(linear.prefix)))
    for step in path:
        before, count = groups[-1]
        if isinstance(step, Index):
            groups[-1] = (before, count + 1)
        elif isinstance(step, MemberOf):
            groups.append((f".{safe(step.member)}", 0))
    text, left = "", list(sides)
    for position, (before, count) in enumerate(groups):
        own, left = left[:count], left[count:]
        text += before
        if not position:
            # The first group lies in linear memory; a scalar there is an array of one.
            text += f"[{_digit(whole, '', left)}]"
            continue
        for k in range(count):
            text += f"[{_digit(whole, own[k], [*own[k + 1 :], *left])}]"
    return text


def _digit(whole: str, side: str, below: Seq[str]) -> str:
    """The subscript that `whole` has in a dimension of `side` elements (empty: the first), `below` lying inside."""
    inner = product(below)
    value = whole if inner == "1" else f"{wrapped(whole)} / {wrapped(inner)}"
    return value if not side else f"{wrapped(value)} % {side}"


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
