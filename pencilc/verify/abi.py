"""C types as ctypes types, for what is passed or returned by value."""

from __future__ import annotations

import ctypes
from typing import Any

from pencilc.ir.source import SMALL_FLOATS, ArrayType, CType, Scalar, Struct

_SCALARS: dict[tuple[str, int], Any] = {
    ("bool", 1): ctypes.c_bool,
    ("int", 1): ctypes.c_int8, ("int", 2): ctypes.c_int16, ("int", 4): ctypes.c_int32, ("int", 8): ctypes.c_int64,
    ("uint", 1): ctypes.c_uint8, ("uint", 2): ctypes.c_uint16, ("uint", 4): ctypes.c_uint32,
    ("uint", 8): ctypes.c_uint64, ("float", 4): ctypes.c_float, ("float", 8): ctypes.c_double,
    ("float", 16): ctypes.c_longdouble,
}  # fmt: skip


def by_value(ctype: CType) -> Any:
    """The ctypes class for `ctype`; None for void; ValueError where ctypes cannot pass it."""
    if isinstance(ctype, Scalar):
        if ctype.kind == "void":
            return None
        if ctype in SMALL_FLOATS:
            return type(ctype.name, (ctypes.Structure,), {"_fields_": [("bits", ctypes.c_uint16)]})
        if (ctype.kind, ctype.size) not in _SCALARS:
            raise ValueError(f"verify cannot pass '{ctype.name}' by value")
        return _SCALARS[ctype.kind, ctype.size]
    if isinstance(ctype, Struct):
        return _structure(ctype)
    if isinstance(ctype, ArrayType) and ctype.size:
        return by_value(ctype.element) * (ctype.size // ctype.element.size)
    raise ValueError("verify cannot pass a pointer inside a struct")


def _structure(ctype: Struct) -> Any:
    """The natural layout if it has the right offsets, else a packed one with explicit padding.

    The natural one is tried first, because the calling convention is derived from the members.
    """
    fields = [(f"m_{member.name}", by_value(member.type)) for member in ctype.members]
    natural = type(ctype.name, (ctypes.Structure,), {"_fields_": fields})
    if _matches(natural, ctype):
        return natural
    padded: list[tuple[str, Any]] = []
    end = 0
    for (name, kind), member in zip(fields, ctype.members, strict=True):
        if member.offset > end:
            padded.append((f"pad_{end}", ctypes.c_uint8 * (member.offset - end)))
        padded.append((name, kind))
        end = member.offset + member.type.size
    if ctype.size > end:
        padded.append((f"pad_{end}", ctypes.c_uint8 * (ctype.size - end)))
    packed = type(ctype.name, (ctypes.Structure,), {"_pack_": 1, "_fields_": padded})
    if not _matches(packed, ctype):
        raise ValueError(f"verify cannot lay out struct '{ctype.name}'")
    return packed


def _matches(built: Any, ctype: Struct) -> bool:
    offsets = all(getattr(built, f"m_{member.name}").offset == member.offset for member in ctype.members)
    return offsets and ctypes.sizeof(built) == ctype.size
