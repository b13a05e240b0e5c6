"""Nodes of tiles that do several iterations of a loop: which a block has, what it does in each.  Stage: codegen."""

from __future__ import annotations

from typing import ClassVar

from pencilc.ir.geometry import Geometry
from pencilc.ir.nodes import BuildingBlock, Node
from pencilc.ir.source import CType, Expr
from pencilc.records import dataclass


class _OfSides:
    """What has a side along each subscript."""

    __slots__ = ()

    sides: tuple[object, ...]

    @property
    def on_line(self) -> bool:
        """Whether it lies along one subscript."""
        return len(self.sides) == 1

    @property
    def in_plane(self) -> bool:
        """Whether it lies along two."""
        return len(self.sides) == 2


@dataclass(frozen=True, slots=True)
class TimeTile(_OfSides, BuildingBlock):
    """Which tile of so many elements along each of its `sides` a block has: it begins at `@at0`, `@at1`…, of `type`.

    The tiles cover `counts` elements from the subscripts `lowers` on, None where these are 0.  `across` threads lie
    along the last subscript.
    """

    node: ClassVar[str] = "time_tile"

    at: Geometry
    sides: tuple[int, ...]
    lowers: tuple[Expr | None, ...]
    counts: tuple[Expr, ...]
    type: CType
    across: int


@dataclass(frozen=True, slots=True)
class EachIteration(BuildingBlock):
    """`body` for each iteration of a launch: `@step` counts them, `@left` are still to come."""

    node: ClassVar[str] = "each_iteration"

    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class SideOfStep:
    """The elements along one subscript, counted from where the tile begins: those from `least` on, and none from `most`
    on; but none below the subscript `lower`, nor `end` or one beyond it, both in 64 bits.
    """

    least: Expr
    most: Expr
    lower: Expr
    end: Expr


@dataclass(frozen=True, slots=True)
class PointsOfStep(_OfSides, BuildingBlock):
    """`body` for each element of a region around the tile, dealt out to threads: `@x0`, `@x1`… from where it begins.

    `held`: the shared memory of the block; `writes`: that of it that the elements write, each its own place.
    """

    node: ClassVar[str] = "points_of_step"

    at: Geometry
    sides: tuple[SideOfStep, ...]
    across: int
    held: tuple[str, ...]
    writes: tuple[str, ...]
    body: tuple[Node, ...]
