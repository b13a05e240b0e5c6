"""Nodes that deal points out: runs of neighbouring ones, and whole rows that are short.  Stage: codegen."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from pencilc.ir.accumulators import Accumulator
from pencilc.ir.geometry import Geometry
from pencilc.ir.nodes import BuildingBlock, Node, Parameter
from pencilc.ir.source import CType, Expr
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class LoadVector:
    """A run of contiguous elements that chunks are loaded from: `first` is the address of the first element.

    `register` is one element, `registers` are chunks of them; `tail` is one of those that fill none.  `is_narrow`:
    elements of one or two bytes, which are shifted out of words of 32 bits where they are not aligned; `is_apart`:
    where they are aligned, they have a loop of their own.  `is_aligned`: the run is known to begin at a multiple of 16
    bytes.  `is_once`: it is the same for all rows of which several are loaded at a time.
    """

    register: str
    type: CType
    first: Expr
    run: str
    wide: str
    registers: str
    tail: str = ""
    is_narrow: bool = False
    is_apart: bool = False
    is_aligned: bool = False
    is_once: bool = False


@dataclass(frozen=True, slots=True)
class ByteSum:
    """What the bytes of a chunk add to a member of the accumulator: their sum, or that of their products with others.

    `suffix` selects the member, as in `AccumulatorMember`; `factors` are the registers of one chunk or of two.
    """

    suffix: str
    factors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Segment(BuildingBlock):
    """A run of `count` points, dealt out to `size` threads of which this one is number `rank`.

    Each thread takes chunks of `width` points, `in_flight` of them before the first is used; `element` is what
    happens to one point.  `point` is the value of the iterator at run index `x` (None if it is not used).  What fills
    no chunk goes to a thread each if it `is_spread`: there are at least `width` threads.  `byte_sums`: all that happens
    to a whole chunk, where that are sums of bytes.  `has_beginnings`: sums of squares are told by `@begins` where they
    may have to begin, or to move.

    `block`: the threads of a block; while there are enough for all blocks of the grid, the chunks of each lie side by
    side: those of a thread so many apart.  0: they are `size` apart.
    """

    node: ClassVar[str] = "segment"
    is_dealt: ClassVar[bool] = True

    element: str
    parameters: tuple[Parameter, ...]
    body: tuple[Node, ...]
    rank: Expr
    size: Expr
    count: Expr
    point: Expr | None
    loads: tuple[LoadVector, ...]
    width: int
    in_flight: int
    sets: int
    uses_point: bool = False
    uses_row: bool = False
    is_spread: bool = False
    byte_sums: tuple[ByteSum, ...] = ()
    has_beginnings: bool = False
    block: int = 0

    @property
    def apart(self) -> int:
        """How far the chunks of a thread are apart in those of its block, in elements."""
        return self.block * self.width

    @property
    def left(self) -> int:
        """How many chunks are left over for a thread, at most."""
        return self.in_flight if self.block else self.in_flight - 1

    @property
    def in_chunks(self) -> bool:
        """Whether a thread loads several neighbouring elements at once."""
        return self.width > 1

    @property
    def has_flights(self) -> bool:
        """Whether several chunks are on their way before the first is used."""
        return self.in_flight > 1

    @property
    def has_sets(self) -> bool:
        """Whether chunks in flight have accumulators of their own."""
        return self.sets > 1

    @property
    def is_on_chip(self) -> bool:
        """Whether all that is loaded is in shared memory, where nothing is gained by more of it on its way."""
        return all(each.is_aligned for each in self.loads)

    @property
    def stands_twice(self) -> bool:
        """Whether aligned runs have a loop of their own."""
        return any(each.is_apart for each in self.loads)


# ---- rows of few elements, of which several are loaded before the first is used ----------------------------

# Whose rows are short: rows of the grid, or points of a row that a block has.
Short: TypeAlias = Literal["grid", "block"]


@dataclass(frozen=True, slots=True)
class ShortTeam(BuildingBlock):
    """Which lanes have a row, `@lanes` neighbouring ones: `@rows` of `@count` elements, in chunks of `width`.

    `sets`: how many a lane has at a time, for the reader.
    """

    node: ClassVar[str] = "short_team"

    of: Short
    at: Geometry
    rows: Expr
    count: Expr
    width: int
    sets: int

    @property
    def of_grid(self) -> bool:
        """Whether the rows are those of the grid, where a lane keeps its place in all of them."""
        return self.of == "grid"

    @property
    def in_chunks(self) -> bool:
        """Whether a lane loads several neighbouring elements at once."""
        return self.width > 1


@dataclass(frozen=True, slots=True)
class RunOfRow(BuildingBlock):
    """Where the elements of `@row` begin that are loaded; `recover` finds the kept iterators that the address needs."""

    node: ClassVar[str] = "run_of_row"

    load: LoadVector
    recover: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ShortRows(BuildingBlock):
    """A loop over `@rows`, `sets` of them for a team at a time, from `@first` on."""

    node: ClassVar[str] = "short_rows"

    of: Short
    at: Geometry
    sets: int
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ChunksOfPoint(BuildingBlock):
    """A loop of the lanes that have a point over its chunks, `@at`."""

    node: ClassVar[str] = "chunks_of_point"

    width: int
    body: tuple[Node, ...]

    @property
    def in_chunks(self) -> bool:
        """Whether a lane loads several neighbouring elements at once."""
        return self.width > 1


@dataclass(frozen=True, slots=True)
class LoadRows(BuildingBlock):
    """The chunks of `sets` rows are loaded together, where no thread may skip one, else each where there is one."""

    node: ClassVar[str] = "load_rows"

    of: Short
    loads: tuple[LoadVector, ...]
    width: int
    sets: int


@dataclass(frozen=True, slots=True)
class RowsInFlight(BuildingBlock):
    """A loop over these rows, number `@l`, `@row`, which is none in the machine code."""

    node: ClassVar[str] = "rows_in_flight"

    of: Short
    sets: int
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ShortSegment(BuildingBlock):
    """The points of a chunk that is loaded, or of one that is not whole, into accumulator `@l`."""

    node: ClassVar[str] = "short_segment"

    segment: Segment


@dataclass(frozen=True, slots=True)
class CombineRows(BuildingBlock):
    """What the lanes of a row have becomes one value, for each of `sets` rows: `@totals`."""

    node: ClassVar[str] = "combine_rows"

    accumulator: Accumulator
    sets: int
