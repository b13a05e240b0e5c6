"""Launches of kernels, one record for each shape: what the entry point computes and chooses by.

What it does then is the tree `body`, which a pass makes of the record (`codegen/launch_bodies.py`).  Stage: kernels.
"""

from __future__ import annotations

from typing import ClassVar, TypeAlias

from pencilc.ir.bins import Runs
from pencilc.ir.build import ONE, ZERO, binary, choice, count_of
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.launching import BinMemory, SortOfBins, StartedFunction, started_in
from pencilc.ir.mapping import LongRows
from pencilc.ir.nodes import Node, Parameter
from pencilc.ir.shapes import TileCost
from pencilc.ir.source import CType, Expr
from pencilc.options import (
    AllLaunch,
    ColumnLaunch,
    ComposedLaunch,
    HaloLaunch,
    IndirectLaunch,
    LoopLaunch,
    ParallelLaunch,
    RowLaunch,
    StitchedLaunch,
    TileLaunch,
    TimeLaunch,
)
from pencilc.records import dataclass
from pencilc.target import MAX_THREADS


def started(function: KernelFunction) -> StartedFunction:
    """What a launch says of a function that it starts."""
    return StartedFunction(function.name, function.block, function.arguments)


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelLaunch:
    """The launch of a kernel, with its run-time choices; a record of its own for each shape follows.

    `unless`: the fused kernel that does all of it, if it runs.  `is_declared`: what tells that the kernel fits is
    declared ahead.  `accumulator`: what blocks leave for each other, if they do.  `kernel`: that of the mapping, where
    one of another region, `name`, does its work.  `body`: what the entry point does, once that is settled.
    """

    launched_by: ClassVar[str] = ""  # the shape, as dumps have it
    kind: ClassVar[str] = "launch"

    name: str
    block: int
    arguments: tuple[Expr, ...] = ()
    unless: str = ""
    is_declared: bool = False
    accumulator: CType | None = None
    kernel: str = ""
    body: tuple[Node, ...] = ()

    @property
    def whole(self) -> StartedFunction:
        """The function that has the name of the launch."""
        return StartedFunction(self.name, self.block, self.arguments)

    @property
    def independent(self) -> tuple[Expr, ...]:
        """How many points the launch has that need not wait for each other: the largest of these; none if data say.

        What is reduced counts by its points, for they may be combined in any order.
        """
        return (ONE,)

    @property
    def starts(self) -> tuple[StartedFunction, ...]:
        """The functions that its body starts."""
        return tuple(dict.fromkeys(started_in(self.body)))


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchSingle(KernelLaunch):
    """One thread does all of it."""

    launched_by: ClassVar[str] = "single"


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchLeave(KernelLaunch):
    """One thread finds out whether the loop around ends, leaves that at `told`, and the host reads it."""

    launched_by: ClassVar[str] = "leave"

    told: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchParallel(KernelLaunch):
    """A thread for each point: `extents` are the numbers of values of the rows that are dealt out, along x first."""

    launched_by: ClassVar[str] = "parallel"

    extents: tuple[Expr, ...]
    launch: ParallelLaunch

    @property
    def second(self) -> Expr | None:
        """How many values the row along y has, if there is one."""
        return self.extents[1] if len(self.extents) > 1 else None

    @property
    def third(self) -> Expr | None:
        """How many values the row along z has, if there is one."""
        return self.extents[2] if len(self.extents) > 2 else None

    @property
    def independent(self) -> tuple[Expr, ...]:
        """The values of all rows together."""
        return (count_of(self.extents),)


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchAll(KernelLaunch):
    """One result of all points: so many `runs` of `length` points, None where it is one.

    `width`: points of a chunk.  `workers`: how many warps share the points of a fixed tree at most, else 0.
    """

    launched_by: ClassVar[str] = "all"

    length: Expr
    runs: Expr | None
    width: int
    workers: int
    launch: AllLaunch

    @property
    def independent(self) -> tuple[Expr, ...]:
        """The points of all runs."""
        return (count_of((self.length, self.runs or ONE)),)


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchRow(KernelLaunch):
    """`rows` results by blocks, or by a warp or a part of one: each of so many `runs` of `length` points, None where
    it is one.

    Either `short` (a chunk for each of some lanes) and `warps`, or `lanes` take what blocks do not.  Forms for lengths
    that no row has are None, those of blocks too.
    `width`, `in_flight` and `sets`: points of a chunk, chunks in flight, accumulators of a thread.
    `workers` as for ALL.
    """

    launched_by: ClassVar[str] = "row"

    rows: Expr
    length: Expr
    runs: Expr | None
    width: int
    in_flight: int
    sets: int
    workers: int
    blocks: StartedFunction | None = None
    short: StartedFunction | None = None
    warps: StartedFunction | None = None
    lanes: StartedFunction | None = None
    launch: RowLaunch

    @property
    def independent(self) -> tuple[Expr, ...]:
        """The points of all rows."""
        return (count_of((self.rows, self.length, self.runs or ONE)),)

    @property
    def narrow(self) -> tuple[StartedFunction, ...]:
        """The functions in which a row is given to less than a block."""
        return tuple(each for each in (self.short, self.warps, self.lanes) if each is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchColumn(KernelLaunch):
    """`columns` neighbouring results of `rows` points each, for each of `outers` others.

    A thread has `width` columns, and loads `in_flight` rows ahead; `is_layered`: columns of several outer points lie
    side by side.  `workers`: how many blocks a fixed tree has, of `lanes` lanes each, else 0.
    """

    launched_by: ClassVar[str] = "column"

    columns: Expr
    rows: Expr
    outers: Expr
    is_layered: bool
    width: int
    in_flight: int
    lanes: int
    workers: int
    launch: ColumnLaunch

    @property
    def independent(self) -> tuple[Expr, ...]:
        """The points of all columns."""
        return (count_of((self.columns, self.rows, self.outers)),)


@dataclass(frozen=True, slots=True)
class Triangle:
    """Points (row, column) that have elements, counted from the corner of their box.

    Those with `column <= row + offset`, or, where they are not `below` the diagonal, with `column >= row + offset`.
    """

    below: bool
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchTiled(KernelLaunch):
    """Points that share what they read: `rows` x `columns` of them, of `points` reduced ones, in `outers` layers.

    They go in tiles of one of the sizes of `costs`; `narrow` launches what does them where one side is narrower than
    `least_side`.  `side`: threads along a side of a tile.  `may_split`: blocks may share the points of a tile; where it
    `folds`, a block has all tiles of its rows, or blocks share these.
    `fixed_tiles`: of a fixed tree, how many blocks share tiles where these are few, else 0.  `triangle`: which points
    have elements, where not all do; the blocks of tiles that have no such point end at once.
    """

    launched_by: ClassVar[str] = "tiled"

    rows: Expr
    columns: Expr
    points: Expr
    outers: Expr
    tiles: StartedFunction
    costs: tuple[TileCost, ...]
    side: int
    may_split: bool
    folds: bool
    fixed_tiles: int
    launch: TileLaunch
    least_side: int
    triangle: Triangle | None = None
    narrow: LaunchRow | LaunchColumn | LaunchParallel

    @property
    def independent(self) -> tuple[Expr, ...]:
        """The points of all tiles, by what is reduced for them where blocks may share that."""
        return (count_of((self.rows, self.columns, self.outers, self.points if self.may_split else ONE)),)


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchHalo(KernelLaunch):
    """Points whose reads are around them: `rows` x `columns` of them, in `planes` and `outers` layers.

    They go in `tiles`, a block for each; where a block goes through several planes, as few as leave the device full.
    `narrow` launches what does the points where a side is narrow.
    """

    launched_by: ClassVar[str] = "halo"

    rows: Expr
    columns: Expr
    planes: Expr | None
    outers: Expr
    tiles: StartedFunction
    launch: HaloLaunch
    narrow: LaunchParallel

    @property
    def independent(self) -> tuple[Expr, ...]:
        """The points of all tiles."""
        return (count_of((self.rows, self.columns, self.planes or ONE, self.outers)),)


# ---- bins --------------------------------------------------------------------------------------------


# What the entry point does for bins, step by step.


@dataclass(frozen=True, slots=True)
class PointsOfBins:
    """How many points go to bins: `rows` kept ones of `outers` runs of `inner` contiguous ones.

    One row, or one run, is None.  Where rows have lengths that are data, `runs` says what takes the place of `outers`
    and `inner`.
    """

    node: ClassVar[str] = "points"  # as dumps have it

    rows: Expr | None
    outers: Expr | None
    inner: Expr | None
    runs: Runs | None


@dataclass(frozen=True, slots=True)
class RoomOfBins:
    """How much memory a copy of the bins takes, and how much a block and a multiprocessor have."""

    node: ClassVar[str] = "bins"  # as dumps have it

    bins: tuple[BinMemory, ...]


@dataclass(frozen=True, slots=True)
class FinishingFunction:
    """What combines the copies that blocks have left of the bins called `bins`, `groups` blocks at a time."""

    function: StartedFunction
    bins: str
    groups: int


@dataclass(frozen=True, slots=True)
class PrivateBins:
    """Copies of the bins in shared memory, which `function` fills by atomics from chunks of `width` points."""

    node: ClassVar[str] = "shared"  # as dumps have it

    bins: tuple[BinMemory, ...]
    points: PointsOfBins
    width: int
    function: StartedFunction


@dataclass(frozen=True, slots=True)
class OrderedBins(PrivateBins):
    """The same in order, by warps; `finishing` brings together what blocks leave.

    Copies take `room` bytes of a block; `fixed_blocks` share the points of a fixed tree, 0: as the device likes.
    """

    node: ClassVar[str] = "ordered"  # as dumps have it

    finishing: tuple[FinishingFunction, ...]
    room: Expr
    fixed_blocks: int


@dataclass(frozen=True, slots=True)
class WholeBins:
    """The bins where they are, to which `function` adds by atomics from chunks of `width` points."""

    node: ClassVar[str] = "global"  # as dumps have it

    points: PointsOfBins
    width: int
    function: StartedFunction


@dataclass(frozen=True, slots=True)
class SortedBins:
    """The same where values are put in order, by sorting them."""

    node: ClassVar[str] = "sorted"  # as dumps have it

    points: PointsOfBins
    sorts: tuple[SortOfBins, ...]


@dataclass(frozen=True, slots=True)
class ChoiceOfBins:
    """`private` copies if the condition `fits` holds, else the `whole` array."""

    node: ClassVar[str] = "choice"  # as dumps have it

    fits: Expr
    private: PrivateBins
    whole: WholeBins | SortedBins


StepOfBins: TypeAlias = PointsOfBins | RoomOfBins | PrivateBins | WholeBins | SortedBins | ChoiceOfBins


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchBins(KernelLaunch):
    """Values to bins that the data choose, in `steps`; before them `lengths` counts the points of ragged rows."""

    launched_by: ClassVar[str] = "indirect"

    steps: tuple[StepOfBins, ...]
    lengths: StartedFunction | None
    launch: IndirectLaunch

    @property
    def independent(self) -> tuple[Expr, ...]:
        """The values that go to bins, unless how many these are is data."""
        points = next(step for step in self.steps if isinstance(step, PointsOfBins))
        if points.runs is not None:
            return ()
        return (count_of([side for side in (points.rows, points.outers, points.inner) if side is not None] or [ONE]),)

    @property
    def form(self) -> PrivateBins | WholeBins | SortedBins:
        """The form that is taken if it fits."""
        last = self.steps[-1]
        assert not isinstance(last, PointsOfBins | RoomOfBins)
        return last.private if isinstance(last, ChoiceOfBins) else last

    @property
    def asks(self) -> bool:
        """Whether how many pairs are sorted is data, which the host has to ask for."""
        last = self.steps[-1]
        whole = last.whole if isinstance(last, ChoiceOfBins) else last
        return isinstance(whole, SortedBins) and whole.points.runs is not None


# ---- kernels that do the work of several -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LongForm:
    """The form of a stitched kernel whose rows stay in shared memory, as `rows` says."""

    function: StartedFunction
    rows: LongRows


@dataclass(frozen=True, slots=True)
class TiledInstead:
    """`rows` x `columns` points in tiles, of `points` reduced ones each and in `outers` layers."""

    rows: Expr
    columns: Expr
    points: Expr
    outers: Expr
    launch: TileLaunch


@dataclass(frozen=True, slots=True)
class StitchedForms:
    """How many chunks a thread has in the forms that are launched, where a warp has a row and where a block has.

    `shared`: in the form in which a warp has several of many short rows, which is one of `of_warps`; 0 where none does.
    """

    of_warps: tuple[int, ...]
    of_blocks: tuple[int, ...]
    shared: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchStitched(KernelLaunch):
    """`rows` rows of `length` elements, each in the registers of a block or a warp, if it fits; else as `long` says.

    `chunks`: how many chunks of `width` elements a thread has, for each form of the function; `forms` are those that
    some row takes, by who has it.  `is_held`: every row fits, so that nothing is done instead.  `exchanges`: how many
    times the threads of a row exchange what they have, in memory with a type of the name `parts`.  `grid`: the function
    of a single row for the whole grid.
    `wide`: the chunks of a thread for the forms in which the largest block has one of few rows.  `instead`: as of
    composed kernels.
    """

    launched_by: ClassVar[str] = "stitched"

    rows: Expr
    length: Expr
    width: int
    chunks: tuple[int, ...]
    is_held: bool
    forms: StitchedForms
    exchanges: int
    parts: str
    long: LongForm | None
    grid: StartedFunction | None
    wide: tuple[int, ...]
    instead: tuple[TiledInstead, ...]
    launch: StitchedLaunch

    @property
    def held_forms(self) -> tuple[int, ...]:
        """The chunks that a thread has of a row in registers, of every form."""
        wide = self.wide if self.has_wide and not self.is_held else ()
        return tuple(sorted({*self.forms.of_warps, *self.forms.of_blocks, *wide}))

    @property
    def are_several(self) -> bool:
        """Whether the length of a row decides how many chunks a thread has."""
        return len(self.chunks) > 1

    @property
    def scarce(self) -> int:
        """The elements of a row at most where rows do not fill the device."""
        return self.launch.scarce_chunks * self.block * self.width

    @property
    def has_wide(self) -> bool:
        """Whether some of few rows fit into the largest block alone."""
        return bool(self.wide) and self.wide[-1] * MAX_THREADS * self.width > self.scarce

    @property
    def independent(self) -> tuple[Expr, ...]:
        """The elements of all rows."""
        return (count_of((self.rows, self.length)),)


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchStitchedAcross(LaunchStitched):
    """The same for rows that lie side by side: a block has several."""

    launched_by: ClassVar[str] = "stitched_across"


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchStitchedWhole(LaunchStitched):
    """The same for a single row, which the whole grid may share."""

    launched_by: ClassVar[str] = "stitched_grid"


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchComposed(KernelLaunch):
    """A block for each of `rows` rows, which runs one stage after the other.

    `regions` computes the shared memory that a row needs, besides `static` bytes of the function itself.  None of
    the numbers `counts` of points of a row may be more than `most`.  Rows that do not go on all at once must not
    have few points in every stage, or most of a block would be idle for each: `few` tells; None: no row has so few.
    `instead`: the kernels behind it whose tiles read once for several rows what the block of each row would read for
    itself; where these have many points, they go in tiles.  `in_rounds`: how many points of a row a stage has at most,
    where the block of a row does in rounds what takes launches for each round else; `in_memory`: what a round leaves
    for another one is in memory.
    """

    launched_by: ClassVar[str] = "composed"

    rows: Expr
    regions: tuple[Node, ...]
    static: int
    counts: tuple[Expr, ...]
    most: int
    few: Expr | None
    in_rounds: tuple[Expr, ...] | None
    in_memory: bool
    instead: tuple[TiledInstead, ...]
    launch: ComposedLaunch

    @property
    def independent(self) -> tuple[Expr, ...]:
        """The points of all rows, for each of the stages."""
        return tuple(count_of((self.rows, count)) for count in self.counts) or (self.rows,)


@dataclass(frozen=True, slots=True)
class PackedPart:
    """A part of a packed launch: what it would be launched with on its own, if `condition` holds (None: always).

    `overflow` is launched instead where its bins need more than `room` bytes.
    """

    number: int
    condition: Expr | None
    work: KernelLaunch
    overflow: LaunchBins | None
    room: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchPacked(KernelLaunch):
    """Parts that share a launch; `may_be_empty`: none of them may have anything to do.  `has_bins`: one fills bins."""

    launched_by: ClassVar[str] = "packed"

    parts: tuple[PackedPart, ...]
    may_be_empty: bool
    has_bins: bool

    @property
    def starts(self) -> tuple[StartedFunction, ...]:
        """The one that has all parts; what is launched for bins beside it has no points of its own here."""
        return (self.whole,)

    @property
    def independent(self) -> tuple[Expr, ...]:
        """The points of all parts that have something to do."""
        found: Expr = ZERO
        for part in self.parts:
            (points,) = part.work.independent or (ONE,)
            found = binary("+", found, points if part.condition is None else choice(part.condition, points, ZERO))
        return (found,)


@dataclass(frozen=True, slots=True)
class KernelInLoop:
    """A kernel below a loop: how many points it has in an iteration at most, and how its rows are dealt out.

    `extents`: the numbers of values of those rows, along x first; `given`: what it is told about its place, if these
    are several.
    """

    number: int
    points: Expr
    extents: tuple[Expr, ...]
    given: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class SwappedArray:
    """An array of `bytes` that launches take from where the one before has stored it: itself, or another one as large.

    `taken` and `left` are the two as a launch knows them.
    """

    array: str
    type: CType
    bytes: Expr
    taken: str
    left: str


@dataclass(frozen=True, slots=True)
class LaunchesInTime:
    """Launches that do up to `count` of the `iterations` of a loop each, in `tiles` of so many elements on each of its
    `sides`, of which there are `extents`; `first`, of `type`, is the first iteration.  `asks_first`: whether a launch
    is told which iterations it does; `asks_last`: whether the last one is among them.  `period`: how many values of the
    iterator lead from one to the next.
    """

    tiles: StartedFunction
    arrays: tuple[SwappedArray, ...]
    iterations: Expr
    first: Expr
    type: CType
    extents: tuple[Expr, ...]
    sides: tuple[int, ...]
    count: int
    period: int
    asks_first: bool
    asks_last: bool
    launch: TimeLaunch


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchLoop(KernelLaunch):
    """All iterations of a loop, by one block or by all that are resident together, where none has many points; where
    they have, several of them by launches `in_time`, if there are such.
    """

    launched_by: ClassVar[str] = "loop"

    inside: tuple[KernelInLoop, ...]
    in_time: LaunchesInTime | None
    launch: LoopLaunch

    @property
    def independent(self) -> tuple[Expr, ...]:
        """Those of an iteration, for each of the kernels."""
        return tuple(each.points for each in self.inside)
