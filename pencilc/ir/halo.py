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
class PlanePlaces(BuildingBlock):
    """Where each thread finds what it copies of every plane, in `places`: found once, in front of the planes.

    A thread has `items` elements of a plane; number `@e` of them is element `@at`, which lies `place` behind the first
    one of the plane; -1 where there is nothing to copy.  `subscripts` are those that this asks for.  `ahead` are the
    registers for what is on its way.
    """

    node: ClassVar[str] = "plane_places"

    at: Geometry
    type: CType
    places: str
    ahead: str
    items: int
    subscripts: tuple[Declare, ...]
    place_type: CType
    place: Expr


@dataclass(frozen=True, slots=True)
class LoadPlane(BuildingBlock):
    """The threads of a block load what they copy of plane `step` to registers, `ahead`.

    `condition` says whether there is such a plane, and anything to be copied of it: its first element is number
    `first` of the array, and `address` is that of element `@e`.
    """

    node: ClassVar[str] = "load_plane"

    places: str
    ahead: str
    items: int
    step: Expr
    condition: Expr | None
    first: Declare
    address: Expr


@dataclass(frozen=True, slots=True)
class StorePlane(BuildingBlock):
    """What has been loaded of plane `@step` goes to shared memory, `tile`, which a barrier shows to all threads.

    `condition`: whether anything has been; element `@at` goes to `offset`.
    """

    node: ClassVar[str] = "store_plane"

    at: Geometry
    type: CType
    places: str
    ahead: str
    items: int
    tile: str
    condition: Expr | None
    offset: Expr


@dataclass(frozen=True, slots=True)
class EachPlane(BuildingBlock):
    """A loop of a block over its planes, `@step`: `fetch` for each, and `body` for plane `@plane`, `lag` behind it.

    What is fetched of a plane is loaded in the step before: it is on its way while the points of that step are done.
    """

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

    @property
    def is_alone(self) -> bool:
        """Whether a thread has one point."""
        return self.items == 1


def points_of_thread(at: Geometry, down: int, across: int) -> int:
    """How many points of a tile of `down` x `across` each thread of a block has."""
    return max(1, down * across // at.size)
