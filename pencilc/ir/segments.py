"""Nodes that deal points out: runs of neighbouring ones, and whole rows that are short.  Stage: codegen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pencilc.ir.accumulators import Accumulator
from pencilc.ir.geometry import Geometry
from pencilc.ir.nodes import BuildingBlock, Node, Parameter
from pencilc.ir.source import CType, Expr


@dataclass(frozen=True, slots=True)
class LoadVector:
    """A run of contiguous elements that chunks are loaded from: `first` is the address of the first element.

    `register` is one element, `registers` are chunks of them; `tail` is one of those that fill none.  `of_bytes`:
    elements are bytes, which are shifted out of words of 32 bits where they are not aligned.
    """

    register: str
    type: CType
    first: Expr
    run: str
    wide: str
    registers: str
    tail: str = ""
    of_bytes: bool = False


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
    to a whole chunk, where that are sums of bytes.
    """

    node: ClassVar[str] = "segment"

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


@dataclass(frozen=True, slots=True)
class ShortRows(BuildingBlock):
    """Rows of at most a chunk for each of LANES lanes: `sets` rows are loaded before the first is used.

    `recover` finds the kept iterators that the address of each load needs, `element` those of the element and `behind`
    those of `post`.  `waits`: what follows waits for the accesses of all lanes of the row.
    """

    node: ClassVar[str] = "short_rows"

    accumulator: Accumulator
    sets: int
    at: Geometry
    rows: Expr
    segment: Segment
    recover: tuple[tuple[Node, ...], ...]
    element: tuple[Node, ...]
    behind: tuple[Node, ...]
    post: tuple[Node, ...]
    waits: bool


@dataclass(frozen=True, slots=True)
class PointsOfRow(ShortRows):
    """The same for the points of a row of a composed kernel, of any length: a block has them all."""

    node: ClassVar[str] = "points_of_row"
