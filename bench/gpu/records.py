"""What is measured: a `Case` names its inputs, who computes it, and how the result is checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias


class Kind(IntEnum):
    """What an input holds; the numbers are those of `native/data.h`."""

    I8 = 0
    F16 = 1
    BF16 = 2
    F32 = 3
    F64 = 4
    I32 = 5
    I64 = 6
    SIGNED = 7
    IMAGE = 8
    UNIFORM = 9
    SKEWED = 10
    TRACKS = 11
    BEFORE = 12
    AFTER = 13


# Bytes of one value, and the name of PyTorch's type.
SIZES = {Kind.I8: 1, Kind.F16: 2, Kind.BF16: 2, Kind.F64: 8, Kind.I64: 8}
TORCH = {Kind.I8: "int8", Kind.F16: "float16", Kind.BF16: "bfloat16", Kind.F64: "float64", Kind.I64: "int64",
         Kind.I32: "int32", Kind.UNIFORM: "int32", Kind.SKEWED: "int32", Kind.BEFORE: "int32",
         Kind.AFTER: "int32"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Buffer:
    """Device memory of `count` values; `kind` None: an output of `size` bytes.  `restored`: it is also written, so
    that every checked run begins with a fresh copy."""

    name: str
    kind: Kind | None
    count: int
    size: int = 0
    seed: int = 0
    parameter: int = 0
    shift: int = 0  # elements that it starts behind an aligned address
    restored: bool = False

    @property
    def bytes(self) -> int:
        """The bytes that the values take."""
        return self.size if self.kind is None else self.count * SIZES.get(self.kind, 4)

    @property
    def shift_bytes(self) -> int:
        """The distance from the aligned address."""
        return 0 if self.kind is None else self.shift * SIZES.get(self.kind, 4)


@dataclass(frozen=True, slots=True)
class At:
    """An argument: the address of a buffer, `offset` bytes into it."""

    buffer: str
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Int:
    """An argument of type int."""

    value: int


@dataclass(frozen=True, slots=True)
class Long:
    """An argument of type long long."""

    value: int


@dataclass(frozen=True, slots=True)
class Float:
    """An argument of type float."""

    value: float


@dataclass(frozen=True, slots=True)
class OnHost:
    """An argument: host memory that stands for the output of that name."""

    buffer: str


Argument: TypeAlias = "At | Int | Long | Float | OnHost"


@dataclass(frozen=True, slots=True)
class Call:
    """A call into a library; `temporary`: CUB's protocol, with `temp` and `bytes` as the first two arguments.

    The stream is always the last one and the result a cudaError_t.
    """

    library: str
    symbol: str
    arguments: tuple[Argument, ...]
    temporary: bool = False


@dataclass(frozen=True, slots=True)
class Contender:
    """Somebody who computes the case: `calls` one after the other, or a function of `torch_peers`."""

    name: str
    calls: tuple[Call, ...] = ()
    torch: str = ""
    compiled: bool = False  # torch.compile instead of eager
    synchronous: bool = False


Download: TypeAlias = Callable[[str], bytes]


@dataclass(frozen=True, slots=True)
class Verdict:
    """How far a result is from the reference, and how far it may be."""

    error: float
    tolerance: float

    @property
    def ok(self) -> bool:
        """Whether the result is right; an error that is no number is wrong."""
        return self.error <= self.tolerance


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One problem of one size.  `traffic`: the bytes that have to be read and written at least.

    `check(download)` compares the outputs with the reference.
    """

    group: str
    name: str
    type: str
    problem: Mapping[str, int]
    source: str  # of pencilc's kernel, relative to the root of the project
    buffers: tuple[Buffer, ...]
    traffic: int
    contenders: tuple[Contender, ...]
    check: Callable[[Download], Verdict]
    graph: bool = False  # replayed as a graph too

    @property
    def label(self) -> str:
        """`sum float n=1024`."""
        sizes = " ".join(f"{name}={value}" for name, value in self.problem.items())
        return f"{self.name} {self.type} {sizes}"

    @property
    def memory(self) -> int:
        """The bytes of device memory that the buffers take."""
        return sum(buffer.bytes + buffer.shift_bytes for buffer in self.buffers)
