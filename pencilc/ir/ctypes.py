"""C types as the target sees them (LP64, as nvcc and gcc on 64-bit Linux)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from pencilc.ir.source import Expr

Kind = Literal["int", "uint", "float", "bool", "void"]


@dataclass(frozen=True, slots=True)
class Scalar:
    """A built-in type: `name` is its canonical C spelling (`unsigned char`), sizes are in bytes."""

    name: str
    kind: Kind
    size: int

    @property
    def align(self) -> int:
        """Alignment in bytes; equal to the size for every built-in type here."""
        return max(self.size, 1)

    @property
    def is_integer(self) -> bool:
        """Whether C calls it an integer type (`_Bool` included)."""
        return self.kind in ("int", "uint", "bool")


@dataclass(frozen=True, slots=True)
class Member:
    """One member of a struct at byte `offset`."""

    name: str
    type: CType
    offset: int


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct: `name` is the identifier to print in CUDA (typedef name or tag), unique in the file."""

    name: str
    members: tuple[Member, ...]
    size: int
    align: int

    def member(self, name: str) -> Member:
        """The member called `name`; raises KeyError."""
        for member in self.members:
            if member.name == name:
                return member
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class Array:
    """`element name[extent]`; the extent is an expression over parameters, or None if unknown."""

    element: CType
    extent: Expr | None
    is_const: bool = False
    is_restrict: bool = False

    @property
    def size(self) -> int:
        """Bytes, where the extent is a constant; 0 where it is not."""
        value = getattr(self.extent, "value", None)
        return int(value) * self.element.size if isinstance(value, int) else 0

    @property
    def align(self) -> int:
        """Alignment in bytes, that of the element."""
        return self.element.align


@dataclass(frozen=True, slots=True)
class Pointer:
    """`target *`; in PENCIL only as parameter of an init function or in host code."""

    target: CType
    is_const: bool = False

    @property
    def size(self) -> int:
        """Bytes."""
        return 8

    @property
    def align(self) -> int:
        """Bytes."""
        return 8


CType: TypeAlias = Scalar | Struct | Array | Pointer

VOID = Scalar("void", "void", 0)
BOOL = Scalar("_Bool", "bool", 1)
CHAR = Scalar("char", "int", 1)
SCHAR = Scalar("signed char", "int", 1)
UCHAR = Scalar("unsigned char", "uint", 1)
SHORT = Scalar("short", "int", 2)
USHORT = Scalar("unsigned short", "uint", 2)
INT = Scalar("int", "int", 4)
UINT = Scalar("unsigned int", "uint", 4)
LONG = Scalar("long", "int", 8)
ULONG = Scalar("unsigned long", "uint", 8)
LLONG = Scalar("long long", "int", 8)
ULLONG = Scalar("unsigned long long", "uint", 8)
FLOAT = Scalar("float", "float", 4)
DOUBLE = Scalar("double", "float", 8)
# Storage types of pencil.h: they are converted to and from float by its functions, and have no arithmetic.
HALF = Scalar("pencil_half", "float", 2)
BFLOAT16 = Scalar("pencil_bfloat16", "float", 2)
SMALL_FLOATS = (HALF, BFLOAT16)

SCALARS = {
    t.name: t
    for t in (
        VOID, BOOL, CHAR, SCHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, LLONG, ULLONG, FLOAT, DOUBLE,
    )
}  # fmt: skip


def element_type(ctype: CType) -> CType:
    """The type of the innermost element of nested arrays; `ctype` itself if it is no array."""
    while isinstance(ctype, Array):
        ctype = ctype.element
    return ctype


def extents(ctype: CType) -> tuple[Expr | None, ...]:
    """The extents of nested arrays, outermost first; empty for a scalar or struct."""
    result: list[Expr | None] = []
    while isinstance(ctype, Array):
        result.append(ctype.extent)
        ctype = ctype.element
    return tuple(result)
