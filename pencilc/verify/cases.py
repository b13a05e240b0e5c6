"""The records that travel between the compiler and the child processes, and the bytes of C values."""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Iterator, Sequence
from dataclasses import field
from pathlib import Path
from typing import Literal, TypeAlias

from pencilc.ir.source import ArrayType, CType, Scalar, Struct
from pencilc.records import dataclass

Value: TypeAlias = "int | float"
DataKind = Literal["integers", "reals", "extremes", "given"]
EntryKind = Literal["host", "device"]

# A child's exit status: a detected error sticks to the CUDA context, so the calls after it need a new process.
UNUSABLE = 75
# And the one with which the executor ends a call of more launches than it may make (runtime/launch.cpp).
TOO_MANY_LAUNCHES = 76

# Bytes around an array of a watched call that nobody may touch, and how the call notes where the array stands.
GUARD = 1 << 20
PLACED = "pencilc: array"

_FORMATS = {
    ("bool", 1): "?",
    ("int", 1): "b", ("int", 2): "h", ("int", 4): "i", ("int", 8): "q",
    ("uint", 1): "B", ("uint", 2): "H", ("uint", 4): "I", ("uint", 8): "Q",
    ("float", 2): "e", ("float", 4): "f", ("float", 8): "d",
    ("float", 16): "16s",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Argument:
    """One parameter with its bytes.  `type` is the element type of an array; `count` is 1 for a scalar."""

    name: str
    type: CType
    is_array: bool
    written: bool
    shape: tuple[int, ...]
    data: bytes = field(repr=False)

    @property
    def count(self) -> int:
        """The number of elements; negative extents count as 0."""
        return math.prod(max(extent, 0) for extent in self.shape)


@dataclass(frozen=True, slots=True)
class Case:
    """One call: its arguments, and what the comparison has to know.

    `length` is the longest reduction, `epsilon` that of the coarsest floating type computed in, and
    `exact` tells that the data makes every order of a floating reduction give the same bits.  `doubts` say which of the
    data that are given may lie outside of what the program takes.
    """

    function: str
    sizes: tuple[tuple[str, int], ...]
    kind: DataKind
    arguments: tuple[Argument, ...] = field(repr=False)
    returns: CType
    length: float
    epsilon: float
    exact: bool
    work: float
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one call left behind: the arrays (None for scalars), the result, and what was observed."""

    buffers: tuple[bytes | None, ...] = field(repr=False)
    returned: bytes
    launches: int | None = None
    problems: tuple[str, ...] = ()
    traffic: str = ""


@dataclass(frozen=True, slots=True)
class Variation:
    """What a variant of the sequential program left behind, with the case that says in which types.

    `is_wide`: in wider types; `is_reordered`: with its reductions in another order.
    """

    case: Case
    outcome: Outcome
    is_wide: bool = False
    is_reordered: bool = True


@dataclass(frozen=True, slots=True)
class ChildCall:
    """One call that a child is to make: the pickled `Case`, where the pickled `Outcome` goes.

    `shift` moves every array by so many elements; `traffic` has the executor count bytes.  Calls of one `group` make as
    many launches as each other.
    """

    case: Path
    outcome: Path
    messages: Path
    entry: EntryKind
    symbol: str
    is_pointer: bool = False
    shift: int = 0
    traffic: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """All calls that one child makes into one library, in order; `watched` if the library has gcc's sanitizers.

    The executor ends a child in a call of more than `most_launches`; 0 if a call may make any number.
    """

    library: Path
    calls: tuple[ChildCall, ...]
    progress: Path
    watched: bool = False
    most_launches: int = 0


def format_of(scalar: Scalar) -> str:
    """The `struct` format of a built-in type (bfloat16 goes as its 16 bits, long double as its bytes)."""
    if "bfloat16" in scalar.name:
        return "H"
    try:
        return _FORMATS[scalar.kind, scalar.size]
    except KeyError:
        raise ValueError(f"type '{scalar.name}' is not supported by verify") from None


def leaves(ctype: CType, path: str = "", offset: int = 0) -> Iterator[tuple[str, int, Scalar]]:
    """The built-in parts of one value: (member path such as `.lo` or `.v[2]`, byte offset, type)."""
    if isinstance(ctype, Scalar):
        yield path, offset, ctype
    elif isinstance(ctype, Struct):
        for member in ctype.members:
            yield from leaves(member.type, f"{path}.{member.name}", offset + member.offset)
    elif isinstance(ctype, ArrayType) and ctype.element.size:
        for k in range(ctype.size // ctype.element.size):
            yield from leaves(ctype.element, f"{path}[{k}]", offset + k * ctype.element.size)
    else:
        raise ValueError("a pointer or an array of unknown size inside a value is not supported by verify")


def encode(scalar: Scalar, value: Value) -> Value | bytes:
    """`value` as `struct.pack` takes it for `scalar`; integers wrap as C converts them."""
    if scalar.size == 16:
        return _long_double(value)
    if "bfloat16" in scalar.name:
        bits: int = struct.unpack("<I", struct.pack("<f", value))[0]
        return bits >> 16
    if scalar.kind == "float":
        return float(value)
    if scalar.kind == "bool":
        return bool(value)
    bits = 8 * scalar.size
    wrapped = int(value) & ((1 << bits) - 1)
    return wrapped - (1 << bits) if scalar.kind == "int" and wrapped >> (bits - 1) else wrapped


def decode(scalar: Scalar, raw: Value | bytes) -> Value:
    """The inverse of `encode` for what `struct.unpack` gave; a long double becomes a double."""
    if isinstance(raw, bytes):
        return ctypes.c_longdouble.from_buffer_copy(raw).value
    if "bfloat16" in scalar.name:
        return float(struct.unpack("<f", struct.pack("<I", int(raw) << 16))[0])
    return raw


def _long_double(value: Value) -> bytes:
    """The 10 bytes of the value, and 6 that mean nothing."""
    return bytes(ctypes.c_longdouble(value))[:10] + bytes(6)


def packed(scalar: Scalar, values: Sequence[Value]) -> bytes:
    """`values` one behind the other, each as `encode` has it."""
    if scalar.size == 16:
        return b"".join(_long_double(value) for value in values)
    if "bfloat16" in scalar.name:
        return _every(struct.pack(f"<{len(values)}f", *values), 4, 2, 2)
    layout = f"<{len(values)}{format_of(scalar)}"
    try:
        return struct.pack(layout, *values)
    except struct.error:
        # Some number has to be converted first.
        return struct.pack(layout, *(encode(scalar, value) for value in values))


def unpacked(scalar: Scalar, data: bytes) -> list[Value]:
    """The values that stand one behind the other in `data`, each as `decode` has it."""
    count = len(data) // scalar.size
    if scalar.size == 16:
        return [ctypes.c_longdouble.from_buffer_copy(data, 16 * k).value for k in range(count)]
    if "bfloat16" in scalar.name:
        wide = bytearray(4 * count)
        wide[2::4], wide[3::4] = data[0::2], data[1::2]
        return list(struct.unpack(f"<{count}f", wide))
    return list(struct.unpack(f"<{count}{format_of(scalar)}", data))


def pack_column(buffer: bytearray, values: Sequence[Value], leaf: tuple[str, int, Scalar], stride: int) -> None:
    """Write `values[k]` at byte `k * stride + offset` of the buffer."""
    _, offset, scalar = leaf
    data = packed(scalar, values)
    for byte in range(scalar.size):
        buffer[offset + byte : stride * len(values) : stride] = data[byte :: scalar.size]


def unpack_column(data: bytes, leaf: tuple[str, int, Scalar], stride: int) -> list[Value]:
    """The values of one leaf in every element of `data`."""
    _, offset, scalar = leaf
    whole = data[: len(data) - len(data) % stride]
    return unpacked(scalar, whole if scalar.size == stride else _every(whole, stride, offset, scalar.size))


def _every(data: bytes, stride: int, offset: int, size: int) -> bytes:
    """From every `stride` bytes the `size` ones at `offset`."""
    found = bytearray(len(data) // stride * size)
    for byte in range(size):
        found[byte::size] = data[offset + byte :: stride]
    return bytes(found)


# Of what tensor cores take for floats where `--allow-tf32` allows it: 11 bits.
TF32_EPSILON = 2.0**-10


def epsilon_of(scalar: Scalar) -> float:
    """The distance from 1 to the next number of a floating type; 0 for an integer."""
    if scalar.kind != "float":
        return 0.0
    if "bfloat16" in scalar.name:
        return 2.0**-7
    return {2: 2.0**-10, 4: 2.0**-23}.get(scalar.size, 2.0**-52)
