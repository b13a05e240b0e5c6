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
class FoldedRows:
    """What the points of each row of tiles are folded into, behind their loop, tile by tile.

    `fold` is the name of the function that does it for one point, `body` what that does with `@total`, the value of the
    point at `@row` and `@column`, and with `@acc`, the accumulator of the row; of the places it `takes` these.  `post`
    follows each row.
    """

    accumulator: Accumulator
    fold: str
    takes: tuple[str, ...]
    body: tuple[Node, ...]
    post: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class TiledPoints(BuildingBlock):
    """Points that share what they read, in tiles: a block has a tile, a thread ITEMS x ITEMS points of it.

    There are `rows` x `columns` points, each with `points` reduced ones, in each of `outers` layers; `kept` finds the
    iterators of a layer.  `occupied` tells whether a tile has points, where it may have none.  Either blocks along y
    share the reduced points of a tile, and the last of them finishes, or each point begins with the value of `begins`,
    behind `start` and if it `loops`, and goes through its reduced points in order; all of them do so alike where it
    `begins_alike`.
    `element` is what happens to one point with one element of each operand; `row` and `column` are the values of its
    iterators at `@row` and `@column`, where it has them.  A thread has groups of so many neighbours on each side as
    `neighbours` says.  `unit`: what a block has of the reduced points is a multiple.  `unrolled`: for so many of them
    the loop over what is fetched is unrolled, 0 for all.  `tensor`: from sm_80 on tensor cores do the same.
    `folded`: a block goes through the tiles of its rows, or through a share of them, and keeps what their points are
    folded into.
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
    begins_alike: bool
    loops: Expr | None
    post: tuple[Node, ...]
    sizes: tuple[TileSize, ...]
    neighbours: tuple[int, int]
    unit: int
    unrolled: int
    tensor: TensorProduct | None
    folded: FoldedRows | None = None

    @property
    def left(self) -> Accumulator | None:
        """What blocks leave for each other, where several have a tile, or the tiles of the same rows."""
        if self.folded is not None:
            return self.folded.accumulator
        return self.accumulator if self.begins is None else None

    @property
    def folds_in_shared(self) -> bool:
        """Whether the largest tiles leave no register for what their points are folded into."""
        return self.sizes[0].items == 8

    @property
    def given(self) -> tuple[Parameter, ...]:
        """Where they leave it, and the tickets that they draw."""
        return left_for_blocks(self.left.type) if self.left is not None else ()


@dataclass(frozen=True, slots=True)
class HaloTile(BuildingBlock):
    """Which tile of `down` x `across` points a block has: `@first_row`, `@first_column` and how many there are.

    There are `rows` x `columns` points in each of `planes`, where a block goes through several (`@first_plane`, and
    how many are `@ours`), in each of `outers` layers (`@outer`).
    """

    node: ClassVar[str] = "halo_tile"

    at: Geometry
    rows: Expr
    columns: Expr
    planes: Expr | None
    outers: Expr | None
    down: int
    across: int

    @property
    def items(self) -> int:
        """Points of a thread, which lie below each other."""
        return points_of_thread(self.at, self.down, self.across)

    @property
    def given(self) -> tuple[Parameter, ...]:
        """How many planes a block goes through, which the number of blocks decides."""
        return (Parameter("@depth", INT),) if self.planes is not None else ()


@dataclass(frozen=True, slots=True)
class CopyTile(BuildingBlock):
    """The threads of a block copy `count` elements to shared memory, `tile`, which a barrier shows to all of them.

    `plane` is the subscript of the plane `@step`, where a block goes through several; `places` are those of element
    `@at`, which is at `address` and goes to `offset`.  `condition` says whether it is to be copied, and `whole` whether
    each element of the tile is, so that nothing is to be asked.
    """

    node: ClassVar[str] = "copy_tile"

    at: Geometry
    type: CType
    tile: str
    count: int
    places: tuple[Declare, ...]
    plane: Declare | None
    whole: Expr | None
    condition: Expr | None
    address: Expr
    offset: Expr


@dataclass(frozen=True, slots=True)
class EachPlane(BuildingBlock):
    """A loop of a block over its planes, `@step`: `fetch` for each, and `body` for plane `@plane`, `lag` behind it."""

    node: ClassVar[str] = "each_plane"

    fetch: tuple[Node, ...]
    lag: int
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class PointsOfTile(BuildingBlock):
    """`body` for each of the points that a thread has of the tile of its block, at `@row` and `@column`."""

    node: ClassVar[str] = "points_of_tile"

    at: Geometry
    down: int
    across: int
    body: tuple[Node, ...]

    @property
    def items(self) -> int:
        """Points of a thread, which lie below each other."""
        return points_of_thread(self.at, self.down, self.across)


def points_of_thread(at: Geometry, down: int, across: int) -> int:
    """How many points of a tile of `down` x `across` each thread of a block has."""
    return max(1, down * across // at.size)
