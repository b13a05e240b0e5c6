"""Nodes of points whose reads are around them: a tile of a block, with what its points read.  Stage: codegen."""

from __future__ import annotations

from typing import ClassVar

from pencilc.ir.geometry import Geometry
from pencilc.ir.nodes import BuildingBlock, Node, Parameter
from pencilc.ir.source import INT, CType, Declare, Expr
from pencilc.records import dataclass


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
    is_dealt: ClassVar[bool] = True

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
