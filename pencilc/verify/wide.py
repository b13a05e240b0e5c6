"""Cases in wider types: what `variant_headers/wide.h` makes of the types of a program, and the same data in them."""

from __future__ import annotations

from dataclasses import replace

from pencilc.ir.source import DOUBLE, FLOAT, SMALL_FLOATS, ArrayType, CType, Member, Scalar, Struct
from pencilc.verify.cases import Argument, Case, leaves, pack_column, unpack_column

LONG_DOUBLE = Scalar("long double", "float", 16)


def widened(ctype: CType) -> CType:
    """`ctype` with every floating type one step wider; members stand where the wider ones leave them."""
    match ctype:
        case Scalar() if ctype in SMALL_FLOATS:
            return FLOAT
        case Scalar(kind="float"):
            return DOUBLE if ctype == FLOAT else LONG_DOUBLE
        case ArrayType():
            return replace(ctype, element=widened(ctype.element))
        case Struct():
            return _widened_struct(ctype)
    return ctype


def widened_case(case: Case) -> Case:
    """The same call, with arguments and result in wider types."""
    return replace(case, arguments=tuple(map(_widened_argument, case.arguments)), returns=widened(case.returns))


def _widened_struct(struct: Struct) -> Struct:
    members: list[Member] = []
    end, align = 0, 1
    for member in struct.members:
        ctype = widened(member.type)
        offset = -(-end // ctype.align) * ctype.align
        members.append(Member(member.name, ctype, offset))
        end, align = offset + ctype.size, max(align, ctype.align)
    return replace(struct, members=tuple(members), size=-(-end // align) * align, align=align)


def _widened_argument(argument: Argument) -> Argument:
    ctype = widened(argument.type)
    if ctype == argument.type:
        return argument
    data = bytearray(len(argument.data) // argument.type.size * ctype.size)
    for narrow, wide in zip(leaves(argument.type), leaves(ctype), strict=True):
        pack_column(data, unpack_column(argument.data, narrow, argument.type.size), wide, ctype.size)
    return replace(argument, type=ctype, data=bytes(data))
