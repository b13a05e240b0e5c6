"""C values that go by value: Python's to bytes on the way in, bytes to Python's on the way out.

A struct is given as a tuple or a mapping of its members, or as anything that holds its bytes in the same layout (a
record of NumPy, a ctypes structure); it comes back as a named tuple.
"""

from __future__ import annotations

import ctypes
import math
import operator
import struct
from collections import namedtuple
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pencilc.ir.source import BFLOAT16, ArrayType, CType, Scalar, Struct
from pencilc.python.arrays import host_view, layout_of_ctypes, mismatch
from pencilc.python.errors import ArgumentTypeError, ArgumentValueError
from pencilc.verify.cases import format_of, packed, unpacked
from pencilc.verify.intervals import type_range


def _length(ctype: ArrayType) -> int:
    return ctype.size // ctype.element.size if ctype.element.size else 0


@cache
def tuple_class(ctype: Struct) -> type[tuple[Any, ...]]:
    """The named tuple that a value of a struct comes back as.

    A member whose name a named tuple cannot have (`_x`, `class`) is called by its place there (`_0`).
    """
    return namedtuple(ctype.name, [member.name for member in ctype.members], rename=True)


# ---- to C ------------------------------------------------------------------------------------------


def encoded(ctype: CType, value: Any, name: str) -> bytes:
    """The bytes of `value` as C holds a `ctype`; `name` is what messages call it.

    Raises ArgumentTypeError and ArgumentValueError.
    """
    if isinstance(ctype, Scalar):
        return packed(ctype, [_checked(ctype, value, name)])
    if isinstance(ctype, Struct):
        return _encoded_struct(ctype, value, name)
    assert isinstance(ctype, ArrayType)
    length = _length(ctype)
    if isinstance(value, str | bytes | Mapping) or not _is_sequence(value):
        raise ArgumentTypeError(f"`{name}` is {_told(value)}, where C expects {length} of them: give a sequence")
    if len(value) != length:
        raise ArgumentValueError(f"`{name}` has {len(value)} elements, where C expects {length}")
    return b"".join(encoded(ctype.element, each, f"{name}[{k}]") for k, each in enumerate(value))


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence) or (hasattr(value, "__len__") and hasattr(value, "__getitem__"))


def _encoded_struct(ctype: Struct, value: Any, name: str) -> bytes:
    held = _bytes_of(ctype, value, name)
    if held is not None:
        return held
    names = [member.name for member in ctype.members]
    if isinstance(value, Mapping):
        unknown, left_out = [k for k in value if k not in names], [k for k in names if k not in value]
        if unknown or left_out:
            wrong = f"{_listed('unknown', unknown)}{_listed('left out', left_out)}".rstrip("; ")
            raise ArgumentTypeError(f"`{name}` is a '{ctype.name}' with the members {', '.join(names)}: {wrong}")
        parts = [value[k] for k in names]
    elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
        if len(value) != len(names):
            raise ArgumentTypeError(
                f"`{name}` has length {len(value)}, where '{ctype.name}' has the members {', '.join(names)}"
            )
        parts = list(value)
    else:
        raise ArgumentTypeError(
            f"`{name}` is {_told(value)}, where C expects '{ctype.name}': give a tuple or a mapping of "
            f"{', '.join(names)}, or a record with its layout"
        )
    made = bytearray(ctype.size)
    for member, part in zip(ctype.members, parts, strict=True):
        data = encoded(member.type, part, f"{name}.{member.name}")
        made[member.offset : member.offset + len(data)] = data
    return bytes(made)


def _listed(what: str, names: Sequence[Any]) -> str:
    return f"{what} {', '.join(map(str, names))}; " if names else ""


def _bytes_of(ctype: Struct, value: Any, name: str) -> bytes | None:
    """The bytes of a value that holds them itself; None for any other."""
    if isinstance(value, ctypes.Structure):
        layout = layout_of_ctypes(type(value))
        data = bytes(value)
    elif hasattr(value, "__array_interface__"):
        view = host_view(value, name)
        if view.shape not in ((), (1,)):
            raise ArgumentValueError(f"`{name}` has shape {view.shape}, where C expects one '{ctype.name}'")
        layout = view.layout
        data = ctypes.string_at(view.address, layout.size)
    else:
        return None
    if fault := mismatch(ctype, layout):
        raise ArgumentTypeError(f"`{name}` has another layout than '{ctype.name}': {fault}")
    return data


def _checked(ctype: Scalar, value: Any, name: str) -> int | float:
    """`value` as a number that fits `ctype` without losing more than rounding takes."""
    if ctype.kind == "float":
        return _checked_float(ctype, value, name)
    if ctype.kind == "bool" and type(value).__name__ in ("bool", "bool_"):
        return int(bool(value))
    try:
        number = operator.index(value)
    except TypeError:
        raise ArgumentTypeError(f"`{name}` is {_told(value)}, where C expects an integer ('{ctype.name}')") from None
    limits = type_range(ctype)
    assert limits is not None
    if not limits[0] <= number <= limits[1]:
        span = f"{limits[0]} to {limits[1]}"
        raise ArgumentValueError(f"`{name}` is {number}, which does not fit '{ctype.name}' ({span})")
    return number


def _checked_float(ctype: Scalar, value: Any, name: str) -> float:
    is_number = hasattr(value, "__float__") or hasattr(value, "__index__")
    if isinstance(value, str | bytes | complex) or not is_number:
        raise ArgumentTypeError(f"`{name}` is {_told(value)}, where C expects a number ('{ctype.name}')")
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise ArgumentTypeError(f"`{name}` is no number that fits '{ctype.name}': {error}") from error
    try:
        struct.pack(f"<{'f' if 'bfloat16' in ctype.name else format_of(ctype)}", number)
    except OverflowError:
        raise ArgumentValueError(f"`{name}` is {number:g}, which does not fit '{ctype.name}'") from None
    return _bfloat16(number) if ctype == BFLOAT16 else number


def _bfloat16(number: float) -> float:
    """The nearest number with the precision of bfloat16, the even one of two; overflow becomes infinity."""
    (bits,) = struct.unpack("<I", struct.pack("<f", number))
    if not math.isfinite(number):
        return number
    bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
    rounded: float = struct.unpack("<f", struct.pack("<I", bits))[0]
    return rounded


def _told(value: Any) -> str:
    """What a message says of a value of the wrong kind."""
    shown = repr(value)
    kind = type(value).__name__
    return f"{shown} ({kind})" if len(shown) < 40 and "\n" not in shown else f"of type '{kind}'"


# ---- from C ----------------------------------------------------------------------------------------


def decoded(ctype: CType, data: bytes, offset: int = 0) -> Any:
    """The value of type `ctype` that stands at byte `offset`: a number, a named tuple, a tuple of elements."""
    if isinstance(ctype, Scalar):
        return unpacked(ctype, data[offset : offset + ctype.size])[0]
    if isinstance(ctype, Struct):
        members = (decoded(member.type, data, offset + member.offset) for member in ctype.members)
        return tuple_class(ctype)(*members)
    assert isinstance(ctype, ArrayType)
    return tuple(decoded(ctype.element, data, offset + k * ctype.element.size) for k in range(_length(ctype)))
