"""Nodes that say who has a row, and how the values of its threads become one.  Stage: codegen."""

from __future__ import annotations

from typing import ClassVar, Literal

from pencilc.ir.accumulators import Accumulator
from pencilc.ir.build import UNSIGNED
from pencilc.ir.geometry import Geometry
from pencilc.ir.nodes import BuildingBlock, Node, Parameter, left_for_blocks
from pencilc.ir.source import CType, Expr
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class Start(BuildingBlock):
    """The accumulators of a thread begin, `sets` of them: `@acc`."""

    node: ClassVar[str] = "start"

    accumulator: Accumulator
    sets: int

    @property
    def has_sets(self) -> bool:
        """Whether a thread has several accumulators."""
        return self.sets > 1


@dataclass(frozen=True, slots=True)
class Combine(BuildingBlock):
    """What the threads of a scope have becomes one value, `@total`, from thread over lanes or warp to block.

    "thread": the `sets` accumulators of a thread; "lanes": of as many lanes as have a row; "worker": of a warp that
    leaves its value among `values`; "workers": these values, in an order that follows from their number alone; "block":
    the place of whose threads is `at`.
    """

    node: ClassVar[str] = "combine"

    accumulator: Accumulator
    scope: Literal["thread", "lanes", "warp", "block", "worker", "workers"]
    sets: int = 1
    values: Expr | None = None
    at: Geometry | None = None

    @property
    def has_sets(self) -> bool:
        """Whether a thread has several accumulators."""
        return self.sets > 1


@dataclass(frozen=True, slots=True)
class CombineGrid(BuildingBlock):
    """The last block to arrive at ticket number `ticket` combines what all have left, the others `leave`.

    `of_row`: several blocks have a row, and each row has partial results of its own.
    """

    node: ClassVar[str] = "grid"

    accumulator: Accumulator
    at: Geometry
    ticket: Expr
    of_row: bool
    leave: Literal["return", "continue"]

    @property
    def given(self) -> tuple[Parameter, ...]:
        """What blocks leave for each other, and the tickets that they draw."""
        return left_for_blocks(self.accumulator.type)


@dataclass(frozen=True, slots=True)
class Arrive(BuildingBlock):
    """All blocks but the last to arrive at ticket number `ticket` `leave`; it sees what they have written."""

    node: ClassVar[str] = "arrive"

    accumulator: Accumulator
    at: Geometry
    ticket: Expr
    leave: Literal["return", "continue"]

    @property
    def given(self) -> tuple[Parameter, ...]:
        """What blocks leave for each other, and the tickets that they draw."""
        return left_for_blocks(self.accumulator.type)


@dataclass(frozen=True, slots=True)
class RowBound:
    """What says where the elements of a row begin or end, and memory has it; `is_const`: it stays so."""

    name: str
    type: CType
    value: Expr
    is_const: bool


@dataclass(frozen=True, slots=True)
class EachRow(BuildingBlock):
    """A loop over `count` rows, `@row`, each of which is given to a block, a warp, or some lanes of a warp.

    Lanes go through rows that are not there too, without their elements; `names_row`: the number is used.
    `bounds` are loaded while the row before is worked on, with the iterators that they name: `of_bounds`.
    """

    node: ClassVar[str] = "rows"

    level: Literal["lanes", "warp", "block"]
    count: Expr
    at: Geometry
    body: tuple[Node, ...]
    names_row: bool = True
    bounds: tuple[RowBound, ...] = ()
    of_bounds: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class OfRow(BuildingBlock):
    """What lanes do only where they have a row."""

    node: ClassVar[str] = "of_row"

    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ByOne(BuildingBlock):
    """What one thread does of a block, of a warp, or of the lanes or threads that have a row."""

    node: ClassVar[str] = "by_one"

    scope: Literal["block", "warp", "lanes", "row", "across"]
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Teams(BuildingBlock):
    """Threads in teams of `@team` neighbours, a run of points for each: lanes, a block, a grid, or all workers.

    How large a team is follows from the number of `runs` that are dealt out, and of `chunks` of one.
    """

    node: ClassVar[str] = "teams"

    scope: Literal["lanes", "block", "grid", "worker"]
    at: Geometry
    runs: Expr
    chunks: Expr


@dataclass(frozen=True, slots=True)
class Workers(BuildingBlock):
    """A loop of each warp over the `@workers` of a fixed tree that it stands for."""

    node: ClassVar[str] = "workers"

    at: Geometry
    body: tuple[Node, ...]

    @property
    def given(self) -> tuple[Parameter, ...]:
        """How many there are follows from the sizes alone."""
        return (Parameter("@workers", UNSIGNED),)


@dataclass(frozen=True, slots=True)
class ValuesOfRow(BuildingBlock):
    """`@values`: where the workers of a row leave theirs, `@slots` of the block if it has the row alone."""

    node: ClassVar[str] = "values"

    accumulator: Accumulator
    at: Geometry


@dataclass(frozen=True, slots=True)
class Tile(BuildingBlock):
    """The `size` threads of a block in rows, `across` of them in each."""

    node: ClassVar[str] = "tile"

    across: int
    size: int
