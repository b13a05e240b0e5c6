"""Nodes of points that share what they read, in tiles of a block.  Stage: codegen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pencilc.ir.accumulators import Accumulator
from pencilc.ir.geometry import Geometry
from pencilc.ir.nodes import BuildingBlock, Node, Parameter, left_for_blocks
from pencilc.ir.shapes import TileSize
from pencilc.ir.source import INT, CType, Declare, Expr


@dataclass(frozen=True, slots=True)
class OperandTile:
    """What the points of a tile read and share, in shared memory: an element for each place of a side and each depth.

    `address` is where the element of a place, `@row` or `@column`, and reduced point `@point` is; `recover` finds the
    iterators that it needs.  Chunks of `width` neighbours are fetched together, which lie along the reduced points if
    it is `deep`, else along the places.  `fetch`, `part` and `tiles` are names for the function of the address, for
    what a thread fetches and for the shared memory; `registers` are the elements that a thread uses at one depth,
    `register` is one of them.
    """

    register: str
    type: CType
    address: Expr
    recover: tuple[Node, ...]
    down: bool
    deep: bool
    width: int
    fetch: str
    part: str
    tiles: str
    registers: str


@dataclass(frozen=True, slots=True)
class TensorProduct:
    """How tensor cores do a tile, of which they add up the products of the two operands, `depth` of them at once.

    `element` is the type of both as fragments have it.  `unrolled`: how many steps of 16 products stand in a row.
    """

    element: str
    depth: int
    unrolled: int


@dataclass(frozen=True, slots=True)
class TiledPoints(BuildingBlock):
    """Points that share what they read, in tiles: a block has a tile, a thread ITEMS x ITEMS points of it.

    There are `rows` x `columns` points, each with `points` reduced ones, in each of `outers` layers; `kept` finds the
    iterators of a layer.  `occupied` tells whether a tile has points, where it may have none.  Either blocks along y
    share the reduced points of a tile, and the last of them finishes, or each point begins with the value of `begins`,
    behind `start` and if it `loops`, and goes through its reduced points in order.
    `element` is what happens to one point with one element of each operand; `row` and `column` are the values of its
    iterators at `@row` and `@column`, where it has them.  A thread has groups of so many neighbours on each side as
    `neighbours` says.  `unit`: what a block has of the reduced points is a multiple.  `tensor`: from sm_80 on tensor
    cores do the same.
    """

    node: ClassVar[str] = "tiled_points"

    accumulator: Accumulator
    at: Geometry
    rows: Expr
    columns: Expr
    points: Expr
    outers: Expr | None
    kept: tuple[Node, ...]
    occupied: Expr | None
    operands: tuple[OperandTile, ...]
    element: str
    parameters: tuple[Parameter, ...]
    body: tuple[Node, ...]
    row: Expr | None
    column: Expr | None
    uses_point: bool
    start: tuple[Node, ...]
    begins: Expr | None
    loops: Expr | None
    post: tuple[Node, ...]
    sizes: tuple[TileSize, ...]
    neighbours: tuple[int, int]
    unit: int
    tensor: TensorProduct | None

    @property
    def given(self) -> tuple[Parameter, ...]:
        """What blocks leave for each other, and the tickets that they draw, where several have a tile."""
        return left_for_blocks(self.accumulator.type) if self.begins is None else ()


@dataclass(frozen=True, slots=True)
class HeldTile:
    """What a block has of an array in shared memory, `elements` in `tile`; it fetches so many as `fetched` at once.

    `firsts` are the subscripts of the first one, `plane` that of plane `@step`, where a block goes through several.
    `places` are those of element `@at`; it is at `address`, if the `condition` says that it is to be fetched, and goes
    to `offset` in shared memory.  `whole`: whether each element of a tile is, so that nothing is to be asked.
    """

    type: CType
    tile: str
    elements: int
    fetched: int
    firsts: tuple[Declare, ...]
    places: tuple[Declare, ...]
    plane: Declare | None
    whole: Expr | None
    condition: Expr | None
    address: Expr
    offset: Expr


@dataclass(frozen=True, slots=True)
class HaloPoints(BuildingBlock):
    """Points whose reads are around them: a block has a tile of `down` x `across`, and fetches what these read.

    There are `rows` x `columns` points in each of `planes`, where a block goes through several, in each of `outers`
    layers; `kept` finds the iterators of a layer, `iterators` are those of a point.  The points of a plane are done
    when `lag` planes behind it are there.
    """

    node: ClassVar[str] = "halo_points"

    at: Geometry
    rows: Expr
    columns: Expr
    planes: Expr | None
    outers: Expr | None
    kept: tuple[Node, ...]
    held: tuple[HeldTile, ...]
    lag: int
    iterators: tuple[Declare, ...]
    body: tuple[Node, ...]
    down: int
    across: int

    @property
    def items(self) -> int:
        """Points of a thread, which lie below each other."""
        return max(1, self.down * self.across // self.at.size)

    @property
    def given(self) -> tuple[Parameter, ...]:
        """How many planes a block goes through, which the number of blocks decides."""
        return (Parameter("@depth", INT),) if self.planes is not None else ()
