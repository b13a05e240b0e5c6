"""Nodes of columns that have no bodies: who has which, and what a block has for each.  Stage: codegen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from pencilc.ir.accumulators import Accumulator
from pencilc.ir.geometry import Geometry
from pencilc.ir.source import Expr


@dataclass(frozen=True, slots=True)
class ColumnTeam:
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
class ColumnLanes:
    """The `lanes` of a fixed tree, which leave their values in `@parts`: as many as a block has threads at most."""

    node: ClassVar[str] = "column_lanes"

    accumulator: Accumulator
    at: Geometry
    width: int
    lanes: int


@dataclass(frozen=True, slots=True)
class ColumnPlaces:
    """The columns of all `@outers` layers side by side, in `@groups` of chunks for each: `@places`."""

    node: ClassVar[str] = "column_places"

    outers: Expr
    width: int


@dataclass(frozen=True, slots=True)
class ColumnPlace:
    """The first `@column` of a thread, how many are `@mine`, and of which layer they are, `@outer`.

    `within`: the grid, or a tile of a block, each of all layers or of the only one.
    """

    node: ClassVar[str] = "column_place"

    within: Literal["grid", "tile", "layers", "tile_of_layers"]
    at: Geometry
    width: int


@dataclass(frozen=True, slots=True)
class StartColumns:
    """The accumulators of a thread begin, one for each of its columns: `@acc`."""

    node: ClassVar[str] = "start_columns"

    accumulator: Accumulator
    width: int


@dataclass(frozen=True, slots=True)
class KeepLane:
    """What a thread has accumulated becomes that of `@lane`, in `@parts`."""

    node: ClassVar[str] = "keep_lane"

    accumulator: Accumulator
    at: Geometry
    width: int


@dataclass(frozen=True, slots=True)
class OwnColumns:
    """What a thread has accumulated becomes values that are combined: `@own`."""

    node: ClassVar[str] = "own_columns"

    accumulator: Accumulator
    width: int


@dataclass(frozen=True, slots=True)
class CombineColumns:
    """What the threads of a block have for each column is combined, in the first row of threads.

    `values` are the arguments of the function that does it; `by_lanes`: those are lanes of a fixed tree.
    """

    node: ClassVar[str] = "combine_columns"

    accumulator: Accumulator
    width: int
    values: tuple[Expr, ...]
    by_lanes: bool


@dataclass(frozen=True, slots=True)
class LeftByBlocks:
    """What blocks have left for each column becomes `result`: of number `first`, `first` + `step` and so on.

    A thread loads what `ahead` blocks have left before it combines the first.
    """

    node: ClassVar[str] = "left_by_blocks"

    accumulator: Accumulator
    at: Geometry
    width: int
    ahead: int
    result: Expr
    first: Expr
    step: Expr
