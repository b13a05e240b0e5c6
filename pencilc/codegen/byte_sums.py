"""Sums of bytes and of products of bytes, four at a time: `__dp4a` adds four products of bytes to 32 bits.

    sum = add(sum, a[k]);  dot = add(dot, a[k] * b[k]);     for the 16 elements of a chunk, 16 times

becomes four instructions for each of both.  Sums of integers have the same bits in any order; of a chunk there are so
few that 32 bits hold them, whatever the bytes are, so that wider sums are added once for a chunk.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pencilc.codegen.names import safe
from pencilc.ir.nodes import Node
from pencilc.ir.scop import OperatorKind, Reduction
from pencilc.ir.segments import ByteSum, LoadVector
from pencilc.ir.source import Assign, Binary, Call, Cast, CType, Expr, MemberOf, Name, Scalar

# Elements that an instruction takes.
TOGETHER = 4


def byte_sums(
    body: Sequence[Node], loads: Sequence[LoadVector], width: int, reductions: Mapping[str, Reduction]
) -> tuple[ByteSum, ...]:
    """What a chunk of `width` points adds to each accumulator; empty unless all that `body` does are such sums.

    `reductions`: those of the kernel, by the names of their members of the accumulator, or by nothing if one is alone.
    """
    bytes_of = {load.register: load for load in loads if _is_byte(load.type)}
    if width % TOGETHER or not body:
        return ()
    found: list[ByteSum] = []
    for node in body:
        made = _byte_sum(node, bytes_of, reductions)
        if made is None:
            return ()
        found.append(made)
    return tuple(found)


def _byte_sum(node: Node, bytes_of: Mapping[str, LoadVector], reductions: Mapping[str, Reduction]) -> ByteSum | None:
    """`acc = add(acc, a)` or `acc = add(acc, a * b)`, for bytes a and b of one type."""
    if not isinstance(node, Assign) or not isinstance(node.value, Call) or len(node.value.arguments) != 2:
        return None
    member = accumulator_member(node.target)
    reduction = None if member is None else reductions.get(member)
    if member is None or reduction is None or not _is_sum(reduction):
        return None
    before, element = node.value.arguments
    if node.value.function != safe(reduction.operator.function) or before != node.target:
        return None
    factors = _factors(element, bytes_of)
    if not factors or len({load.type for load in factors}) > 1:
        return None
    return ByteSum(f".{member}" if member else "", tuple(load.registers for load in factors))


def accumulator_member(target: Expr) -> str | None:
    """The member of the accumulator that is meant; nothing for all of it."""
    match target:
        case Name(symbol=used) if used.name == "@acc":
            return ""
        case MemberOf(base=Name(symbol=used), member=name) if used.name == "@acc":
            return name
    return None


def _is_sum(reduction: Reduction) -> bool:
    """Whether it adds integers of 32 or 64 bits."""
    kind, operator = reduction.element_type, reduction.operator
    is_integer = isinstance(kind, Scalar) and kind.kind in ("int", "uint") and kind.size in (4, 8)
    return is_integer and operator.recognised is OperatorKind.ADD and operator.wide is None


def _factors(element: Expr, bytes_of: Mapping[str, LoadVector]) -> tuple[LoadVector, ...]:
    """The byte, or the two, whose product the element is; none if it is something else."""
    value = _as_it_is(element)
    sides = (
        (_as_it_is(value.left), _as_it_is(value.right)) if isinstance(value, Binary) and value.op == "*" else (value,)
    )
    found = [bytes_of.get(side.symbol.name) if isinstance(side, Name) else None for side in sides]
    return tuple(load for load in found if load is not None) if None not in found else ()


def _as_it_is(value: Expr) -> Expr:
    """The value without conversions to signed integers that have room for any product of bytes."""
    while (
        isinstance(value, Cast) and isinstance(value.type, Scalar) and value.type.kind == "int" and value.type.size >= 4
    ):
        value = value.operand
    return value


def _is_byte(kind: CType) -> bool:
    return isinstance(kind, Scalar) and kind.kind in ("int", "uint") and kind.size == 1
