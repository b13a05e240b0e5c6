"""Nodes of columns: who has which, what a block has for each, and how it becomes one value.  Stage: codegen."""

from __future__ import annotations

from typing import ClassVar, Literal

from pencilc.ir.accumulators import Accumulator
from pencilc.ir.geometry import Geometry
from pencilc.ir.nodes import BuildingBlock, Node, Parameter, left_for_blocks
from pencilc.ir.segments import Segment
from pencilc.ir.source import Expr
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class ColumnTeam(BuildingBlock):
    """How many `@columns` and `@rows` there are; threads across have `width` neighbouring columns, others take rows."""

    node: ClassVar[str] = "column_team"

    at: Geometry
    width: int
    columns: Expr
    rows: Expr


@dataclass(frozen=True, slots=True)
class BlockOfColumns(ColumnTeam):
    """The same for a block that has all of them: it is `@across` threads wide, `across` at most."""

    node: ClassVar[str] = "block_of_columns"

    across: int


@dataclass(frozen=True, slots=True)
class ColumnLanes(BuildingBlock):
    """The `lanes` of a fixed tree, which leave their values in `@parts`: as many as a block has threads at most."""

    node: ClassVar[str] = "column_lanes"

    accumulator: Accumulator
    at: Geometry
    width: int
    lanes: int


@dataclass(frozen=True, slots=True)
class ColumnPlaces(BuildingBlock):
    """The columns of all `@outers` layers side by side, in `@groups` of chunks for each: `@places`."""

    node: ClassVar[str] = "column_places"

    outers: Expr
    width: int


@dataclass(frozen=True, slots=True)
class ColumnPlace(BuildingBlock):
    """The first `@column` of a thread, how many are `@mine`, and of which layer they are, `@outer`.

    `within`: the grid, or a tile of a block, each of all layers or of the only one.
    """

    node: ClassVar[str] = "column_place"

    within: Literal["grid", "tile", "layers", "tile_of_layers"]
    at: Geometry
    width: int


@dataclass(frozen=True, slots=True)
class StartColumns(BuildingBlock):
    """The accumulators of a thread begin, one for each of its columns: `@acc`."""

    node: ClassVar[str] = "start_columns"

    accumulator: Accumulator
    width: int


@dataclass(frozen=True, slots=True)
class KeepLane(BuildingBlock):
    """What a thread has accumulated becomes that of `@lane`, in `@parts`."""

    node: ClassVar[str] = "keep_lane"

    accumulator: Accumulator
    at: Geometry
    width: int


@dataclass(frozen=True, slots=True)
class OwnColumns(BuildingBlock):
    """What a thread has accumulated becomes values that are combined: `@own`."""

    node: ClassVar[str] = "own_columns"

    accumulator: Accumulator
    width: int


@dataclass(frozen=True, slots=True)
class CombineColumns(BuildingBlock):
    """What the threads of a block have for each column is combined, in the first row of threads.

    `values` are the arguments of the function that does it; `by_lanes`: those are lanes of a fixed tree.
    """

    node: ClassVar[str] = "combine_columns"

    accumulator: Accumulator
    width: int
    values: tuple[Expr, ...]
    by_lanes: bool


@dataclass(frozen=True, slots=True)
class LeftByBlocks(BuildingBlock):
    """What blocks have left for each column becomes `result`: of number `first`, `first` + `step` and so on.

    A thread loads what `ahead` blocks have left before it combines the first.
    """

    node: ClassVar[str] = "left_by_blocks"
    is_dealt: ClassVar[bool] = True

    accumulator: Accumulator
    at: Geometry
    width: int
    ahead: int
    result: Expr
    first: Expr
    step: Expr


# Elements that a thread with fewer columns than a chunk loads one by one, before it uses any.
SINGLE_ELEMENTS = 8


@dataclass(frozen=True, slots=True)
class ColumnSegment(BuildingBlock):
    """Neighbouring columns of a thread, `segment.width` of them, down the rows that it has.

    The thread is number `lane` of so many `lanes` that a block has for its columns.  `recover` finds the reduced
    iterators that the address of each load needs.
    """

    node: ClassVar[str] = "column_segment"
    is_dealt: ClassVar[bool] = True

    at: Geometry
    segment: Segment
    recover: tuple[tuple[Node, ...], ...]
    lane: Expr
    lanes: Expr

    @property
    def rows_of_part(self) -> int:
        """From how many rows a thread with fewer columns than a chunk has loads its elements before it uses any."""
        return max(1, min(self.segment.in_flight, SINGLE_ELEMENTS // self.segment.width))


@dataclass(frozen=True, slots=True)
class EachTile(BuildingBlock):
    """A loop of a block over tiles of columns, `@tile`, as wide as its threads across, of one layer or all."""

    node: ClassVar[str] = "each_tile"

    layered: bool
    width: int
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class EachLane(BuildingBlock):
    """A loop of a thread over the `@lanes` of a fixed tree that it stands for, `@lane`; `is_first`: which take rows."""

    node: ClassVar[str] = "each_lane"

    at: Geometry
    is_first: bool
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ColumnsOfGrid(BuildingBlock):
    """The last block of its columns to arrive does `finish`, and the others `leave`: they left their values for it.

    `result` is what the first row of threads has for column `@k`.  `layered`: there are several layers of columns.
    """

    node: ClassVar[str] = "columns_of_grid"

    accumulator: Accumulator
    at: Geometry
    width: int
    layered: bool
    result: Expr
    finish: tuple[Node, ...]

    @property
    def given(self) -> tuple[Parameter, ...]:
        """What blocks leave for each other, and the tickets that they draw."""
        return left_for_blocks(self.accumulator.type)


@dataclass(frozen=True, slots=True)
class EachColumn(BuildingBlock):
    """What the first row of threads does for each of its columns, number `@k`, of which `result` is the `@total`."""

    node: ClassVar[str] = "each_column"
    is_dealt: ClassVar[bool] = True

    accumulator: Accumulator
    at: Geometry
    width: int
    result: Expr
    body: tuple[Node, ...]
