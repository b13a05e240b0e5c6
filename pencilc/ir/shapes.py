"""Kernels: one record for each shape, over what all kernels have in common.  Stage: gpu.

    host      rows of sequential loops on the host around the launch
    kept      P rows: one result (or one independent iteration) for each point
    reduced   R rows: points that are combined

What differs from shape to shape is found here: what a shape needs, how it is called and told, how many blocks it has
work for.  Figures of the hardware stand in gpu/shapes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Sequence as Seq
from dataclasses import field
from enum import Enum
from math import ceil
from typing import ClassVar, Literal, TypeAlias

import islpy as isl

from pencilc.ir.schedule import Row, Tree, statements_of
from pencilc.ir.scop import Scop
from pencilc.ir.source import Expr, Index
from pencilc.ir.thread_rows import ThreadRow
from pencilc.options import (
    AllLaunch,
    ColumnLaunch,
    ComposedLaunch,
    HaloLaunch,
    IndirectLaunch,
    Launch,
    LoopLaunch,
    ParallelLaunch,
    RowLaunch,
    StitchedLaunch,
    TileLaunch,
)
from pencilc.records import dataclass


class Shape(Enum):
    """The names of the shapes: how the points of a kernel are laid on the threads."""

    ALL = "all"
    ROW = "row"
    COLUMN = "column"
    INDIRECT = "indirect"
    PARALLEL = "parallel"
    SINGLE = "single"
    STITCHED = "stitched"
    COMPOSED = "composed"
    LOOP = "loop"


BLOCK_POINTS = 1024
"""Points that a block takes, as estimates count: four for each of 256 threads, whatever a search has changed, so that
the nominal sizes of the estimate fill a device as large ones would."""


@dataclass(frozen=True, slots=True, eq=False)
class BoxDimension:
    """The range `lower <= t <= upper` of one row, both functions of the parameters (host iterators included)."""

    lower: isl.PwAff
    upper: isl.PwAff


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Elements `x[i][0]`, `x[i][1]`, … or `x[3 * i]`, `x[3 * i + 1]`, …, as many as a point is away from the next.

    `first`: the first of them, which moves with the row as they do; `place`: that among them of the one that is
    asked for, from 0 on.
    """

    first: Index
    count: int
    place: int


@dataclass(frozen=True, slots=True)
class VectorAccess:
    """A read whose element moves by one when the vector row does: it is loaded 16 bytes at a time.

    `among`: the elements that a point reads side by side, of which this is one; they are loaded as one.
    """

    statement: str
    index: Index
    among: Neighbours | None = None

    @property
    def first(self) -> Index:
        """The first element that a point loads."""
        return self.among.first if self.among else self.index

    @property
    def count(self) -> int:
        """How many elements a point loads."""
        return self.among.count if self.among else 1


@dataclass(frozen=True, slots=True)
class Loads:
    """What a thread loads ahead: `vectors`, in chunks of `width` elements, of which `in_flight` are loaded before the
    first is used.  `sets` accumulators are kept by a thread.
    """

    vectors: tuple[VectorAccess, ...] = ()
    width: int = 1
    in_flight: int = 1
    sets: int = 1


@dataclass(frozen=True, slots=True)
class Ragged:
    """The row at position `at` among the reduced ones has a length that is data.

    `points`: a number that all points of the kernel together do not exceed, if one is known.
    """

    at: int
    points: Expr | None


# ---- points that share what they read ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Operand:
    """A read that all points of one side of a tile share: it is the same for each row, or for each column of points.

    `down`: it moves with the row that goes down the tile, else with the one across.  `along`: where its neighbours in
    memory lie, "side" along that row, "depth" along the reduced points; "" where they are none.  `width`: how many
    of them are loaded together.  `moves`: the number of rows, kept and reduced ones, that it moves with.  `is_even`:
    along the tile's side and along the only reduced row, each step goes as far in memory as any other.  `read`:
    { [t, r] }, the kept and reduced points for which the source reads it, where these are not all of the box.
    """

    statement: str
    index: Index
    down: bool
    along: Literal["side", "depth", ""]
    width: int
    moves: int
    is_even: bool
    read: isl.Set | None = None


@dataclass(frozen=True, slots=True)
class TileSize:
    """A thread has `down` x `across` points of a tile; operands are on the chip for `depth` reduced points at once, and
    a multiprocessor has `resident` blocks.
    """

    down: int
    across: int
    depth: int
    resident: int

    @property
    def points(self) -> int:
        """Those of a thread."""
        return self.down * self.across

    @property
    def numbers(self) -> tuple[int, int, int, int]:
        """What a kernel is made for, in the order of its template parameters."""
        return (self.down, self.across, self.depth, self.resident)


@dataclass(frozen=True, slots=True)
class TileCost:
    """What a multiprocessor takes for tiles of a size, in cycles, by a model.

    `cycles`: for a reduced point of a tile; `wait`: how long its block waits for memory, for each of them.  `left`: in
    which it reads what another block has left of the same tile.
    """

    size: TileSize
    cycles: float
    wait: float
    left: float


@dataclass(frozen=True, slots=True, eq=False)
class Tiling:
    """Kept points that share what they read: `op over k of f(a[i][k], b[k][j])`, for any `op` and `f`.

    `down` and `across` are positions among the kept rows: the two sides of a tile.  Where it `folds`, the row across is
    the one that the kernel reduces, which then counts as the last of the kept ones: what comes of the points of a tile
    is reduced behind their loop, and what follows the reduction is done for the rows.  The operands of a tile are
    fetched once for all of its points.  `body` is done for each point of the `reduced` rows, which have the same range
    for each kept point, or conditions inside of it; `after` once behind them.  Where one thread does all of a point, in
    order, `carried` is the variable of which it hands on a value, else empty, and `before` comes first.
    Of the kept box, `occupied` { [t] } are the points for which anything is done, and `looping` those that have reduced
    points, where they are not all; `points` { [t, r] } are the elements, where others of the box would need what the
    source does not read, and `conditional` those of statements that have less of them; `is_product`: each
    statement has all of these for each of those; `has_others`: there are results of other points too, which have
    none.  `is_light`: an element needs few registers beside its operands.
    `compares`: it compares floating values, which takes instructions of its own; `adds_products`: it adds one product
    of them, and no more; `working`: registers of its heaviest operation, as those of a division.
    `on_tensor_cores`: where a GPU has such for the operands' type, they add up the products of the two operands.
    `in_order`: updates that fold the points of a row by places that ascend, from tile to tile and in each.
    `bytes_of_point`: of what a point accumulates; `bytes_of_row`: of what points are folded into.  `sizes`: the tiles
    that the entry point chooses from, the largest first.
    """

    down: int
    across: int
    operands: tuple[Operand, ...]
    kept_box: tuple[BoxDimension, ...]
    reduced: tuple[Row, ...]
    reduced_box: tuple[BoxDimension, ...]
    body: Tree
    before: tuple[str, ...]
    after: tuple[str, ...]
    carried: str
    occupied: isl.Set | None
    looping: isl.Set | None
    is_product: bool
    has_others: bool
    is_light: bool
    points: isl.Set | None = None
    conditional: tuple[isl.Set, ...] = ()
    compares: bool = False
    adds_products: bool = False
    working: int = 0
    on_tensor_cores: bool = False
    folds: bool = False
    in_order: frozenset[str] = frozenset()
    bytes_of_point: int = 0
    bytes_of_row: int = 0
    sizes: tuple[TileSize, ...] = ()
    launch: TileLaunch = field(default_factory=TileLaunch)

    @property
    def is_stepwise(self) -> bool:
        """Whether a thread that has found what it fetches goes from there to each next stage by the same steps."""
        return self.is_light and not self.folds and all(each.is_even for each in self.operands)


@dataclass(frozen=True, slots=True, eq=False)
class HeldDimension:
    """One subscript of what a tile holds of an array: for a point it lies from `low` to `high`, counted from `factor`
    times the row at `row` of the kept ones.  Where it moves with none, `row` is None, and `start` is its least value.
    """

    row: int | None
    factor: int
    low: int
    high: int
    start: isl.PwAff | None = None

    def extent(self, points: Seq[int]) -> int:
        """How many values it has in a tile with so many points along each kept row."""
        first_to_last = 0 if self.row is None else self.factor * (points[self.row] - 1)
        return first_to_last + self.high - self.low + 1


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """Reads of one array for which a tile holds in shared memory what its points read.

    `fetched` { [a] }: the elements that any tile fetches, all that are read and, where
    that makes a box of them, some that lie between; `box` is None where they are none.  `uses`: how often a point reads
    the array, about.  `transposed`: its neighbours in memory are points below each other, not those side by side.
    """

    symbol: str
    reads: tuple[VectorAccess, ...]
    dimensions: tuple[HeldDimension, ...]
    fetched: isl.Set
    box: tuple[BoxDimension, ...] | None
    uses: int
    transposed: bool

    @property
    def index(self) -> Index:
        """One of the reads."""
        return self.reads[0].index


@dataclass(frozen=True, slots=True, eq=False)
class Halo:
    """A kernel whose blocks have a tile of points each, and fetch what these read into shared memory.

    `down`, `across` and `along` are positions among the kept rows: the sides of a tile, and the row along which a block
    goes from plane to plane, None where it has one plane.  `points`: those of a tile along each kept row, one where it
    is no side; empty until sizes are chosen.
    """

    down: int
    across: int
    along: int | None
    held: tuple[Held, ...]
    kept_box: tuple[BoxDimension, ...]
    points: tuple[int, ...] = ()
    launch: HaloLaunch = field(default_factory=HaloLaunch)


# ---- what becomes of a reduction -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Accumulated:
    """A reduction whose values threads accumulate and combine.

    `continues`: an earlier kernel has begun it, and its result is the start value; `continued`: a later one goes on.
    """

    reduction: str
    continues: bool = False
    continued: bool = False


@dataclass(frozen=True, slots=True)
class InThread:
    """A reduction that one thread accumulates where it is, value after value."""

    reduction: str


@dataclass(frozen=True, slots=True)
class Bins:
    """A reduction into bins that data choose (parts/in_place.py).

    `fixed`: how many leading subscripts, the iterators of a local's scope included, one kept point determines; the
    rest tells the bins of that point apart.  `count`: the bins of a kept point, None where that is known at run time
    only.  `atomic`: the function of CUDA that applies the operator, `swap` where a compare-and-swap loop does, empty
    where values are put in order; `word`: the C type that the atomic works on.
    """

    reduction: str
    fixed: int
    count: int | None
    atomic: str
    word: str


ReductionPlan: TypeAlias = Accumulated | InThread | Bins


# ---- kernels -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Kernel:
    """One launch: what all shapes have in common.

    `prologue` statements run in every thread before the elements, `body` for every (kept, reduced) point, `post` (merge
    nodes and what follows them) once for each kept point.  `index`: the C type of flat indices, `int` where the bounds
    prove it wide enough, else `long long`.  `domain`: { [h] }, the values of the host rows for which the kernel has
    something to do.  `kept_box` is None where the kept rows do not span a box.  `tiling`: which of their reads the
    kept points share, where they are done in tiles.  `halo`: what blocks fetch into shared memory for a tile of points;
    `not_held`: why they do not fetch what looks as if they might.  `thread_row`: which of several kept rows its threads
    lie along, where lines of memory decide.  `block`: threads.  `number`: in launch order; a
    kernel made of others has that of the first, a stage that of its own.  `reason`: why it has no better one.
    """

    shape: ClassVar[Shape]
    told: ClassVar[str]  # how its points are laid on the threads, for the report
    is_parallel: ClassVar[bool] = True  # whether more than one thread works
    owns_columns: ClassVar[bool] = False  # whether a thread owns kept points side by side, with accumulators for each
    has_row_form: ClassVar[bool] = False  # whether a stage of a stitched kernel can do what it reduces
    has_block_form: ClassVar[bool] = False  # whether it has a form in one block, as a stage of a composed kernel
    has_loop_form: ClassVar[bool] = False  # whether a LOOP kernel can do its work, in one iteration after the other
    is_of_points: ClassVar[bool] = False  # whether a thread does all that is below a kept point by itself
    needs_all_threads: ClassVar[bool] = False  # whether only as many threads as there may be fill a multiprocessor

    name: str
    number: int = 0
    host: tuple[str, ...]
    kept: tuple[Row, ...] = ()
    prologue: tuple[str, ...] = ()
    body: Tree | None
    post: tuple[str, ...] = ()
    index: str
    domain: isl.Set
    kept_box: tuple[BoxDimension, ...] | None = None
    plans: tuple[ReductionPlan, ...] = ()
    tiling: Tiling | None = None
    halo: Halo | None = None
    not_held: tuple[str, ...] = ()
    thread_row: ThreadRow | None = None
    block: int = 1
    reason: str = ""
    launch: Launch
    # Found once: there may be hundreds, which are asked for again and again.
    accumulated: tuple[Accumulated, ...] = field(init=False, repr=False)  # whose values threads accumulate and combine
    reductions: tuple[str, ...] = field(init=False, repr=False)  # the names of these

    def __post_init__(self) -> None:
        accumulated = tuple(plan for plan in self.plans if isinstance(plan, Accumulated))
        object.__setattr__(self, "accumulated", accumulated)
        object.__setattr__(self, "reductions", tuple(plan.reduction for plan in accumulated))

    @property
    def statements(self) -> tuple[str, ...]:
        """Every statement, in order."""
        return (*self.prologue, *statements_of(self.body), *self.post)

    # ---- what not every shape has ------------------------------------------------------------------

    @property
    def reduced(self) -> tuple[Row, ...]:
        """The rows whose points are combined."""
        return ()

    @property
    def reduced_box(self) -> tuple[BoxDimension, ...] | None:
        """The range of the reduced rows; None where they do not span a box."""
        return None

    @property
    def run_rows(self) -> int:
        """Of reduced rows that are a box: how many of the innermost ones are walked as one index, a run; those around
        them number the runs, all together.  0 where loops are nested as the rows are.
        """
        return 0

    @property
    def column_rows(self) -> int:
        """How many of the last kept rows are walked as one index where threads own columns."""
        return 1

    @property
    def collapsed(self) -> bool:
        """Whether the reduced rows, several of them, are one run."""
        return self.run_rows == len(self.reduced) > 1

    @property
    def loads(self) -> Loads:
        """What a thread loads ahead."""
        return Loads()

    @property
    def resident(self) -> int:
        """Blocks that must fit on a multiprocessor together."""
        return 1

    @property
    def fixed_tree(self) -> bool:
        """Whether how the points are dealt out follows from the sizes alone."""
        return False

    @property
    def workers(self) -> int:
        """Of a fixed tree: the points of a result go to at most so many warps (COLUMN: blocks in all)."""
        return 0

    @property
    def ragged(self) -> Ragged | None:
        """The reduced row whose length is data, if there is one."""
        return None

    @property
    def is_flat(self) -> bool:
        """Whether the reduced points are walked as one index, each kept point having the same number of them."""
        return self.reduced_box is not None and (self.collapsed or len(self.reduced) == 1)

    @property
    def is_packable(self) -> bool:
        """Whether its blocks can stand beside those of other kernels: those of tiles want a multiprocessor each."""
        return self.tiling is None and self.halo is None

    @property
    def puts_in_order(self) -> bool:
        """Whether values go to their bins one after the other."""
        return False

    @property
    def has_atomics_on_memory(self) -> bool:
        """Whether atomics may go to bins in memory, instead of copies that blocks have."""
        return False

    @property
    def may_outgrow_pack(self) -> bool:
        """Whether its bins may turn out to be too many for a block of a packed kernel."""
        return False

    # ---- reductions --------------------------------------------------------------------------------

    @property
    def bins(self) -> tuple[Bins, ...]:
        """The reductions into bins that data choose."""
        return tuple(plan for plan in self.plans if isinstance(plan, Bins))

    @property
    def in_place(self) -> tuple[str, ...]:
        """The reductions that accumulate where they are, without a merge node."""
        return tuple(plan.reduction for plan in self.plans if not isinstance(plan, Accumulated))

    @property
    def continued(self) -> tuple[str, ...]:
        """The reductions that a later kernel continues."""
        return tuple(plan.reduction for plan in self.accumulated if plan.continued)

    def behind(self, scop: Scop) -> tuple[str, ...]:
        """The post statements, and behind them the merge nodes of reductions that a later kernel continues.

        Updates among the post statements are done before the value that they update is handed on.
        """
        return (*self.post, *(reduction.merge for reduction in scop.reductions_of(self.continued)))

    @property
    def is_spread(self) -> bool:
        """Whether a reduction is spread over several kernels."""
        return any(plan.continues or plan.continued for plan in self.accumulated)

    # ---- what differs from shape to shape ----------------------------------------------------------

    def faults(self) -> Iterator[str]:
        """What the shape needs and the kernel has not."""
        if self.loads.width > 1 and not self.loads.vectors:
            yield "chunks without a vector access"

    def blocks(self, kept: int, reduced: int) -> int:
        """Blocks that have work, for numbers of points, if the shape does not say else."""
        return ceil(kept * reduced / BLOCK_POINTS)

    def copies_bytes(self, sizes: Mapping[str, int], warps: int, most: int) -> int:
        """Bytes of shared memory that copies of the bins take at most in a block of `warps` warps.

        `sizes`: bytes of a value of each reduction; `most`: of one copy, where the bins are known to be no more.
        """
        return 0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SingleKernel(Kernel):
    """Nothing is parallel: one thread."""

    shape = Shape.SINGLE
    told = "one thread, for what is scalar or sequential"
    is_parallel = False
    has_block_form = True
    has_loop_form = True

    launch: Launch = field(default_factory=lambda: Launch(threads=1, blocks_per_sm=1))

    def blocks(self, kept: int, reduced: int) -> int:
        """Blocks that have work."""
        return 1


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ParallelKernel(Kernel):
    """Kept rows only: one thread for each point, what is below runs in the thread."""

    shape = Shape.PARALLEL
    told = "one thread for each point"
    has_block_form = True
    has_loop_form = True
    is_of_points = True
    needs_all_threads = True

    launch: ParallelLaunch = field(default_factory=ParallelLaunch)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReducingKernel(Kernel):
    """What the shapes with reduced rows have in common."""

    reduced: tuple[Row, ...] = field()
    reduced_box: tuple[BoxDimension, ...] | None = field(default=None)
    run_rows: int = field(default=0)
    loads: Loads = field(default_factory=Loads)
    resident: int = field(default=1)
    fixed_tree: bool = field(default=False)
    workers: int = field(default=0)
    ragged: Ragged | None = field(default=None)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AllKernel(ReducingKernel):
    """No kept row: every thread reduces, the last block finishes."""

    shape = Shape.ALL
    told = "all points reduced by the whole grid, the last block finishes"
    has_row_form = True
    has_block_form = True

    launch: AllLaunch = field(default_factory=AllLaunch)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RowKernel(ReducingKernel):
    """The reduced dimension is contiguous: lanes, a block or several blocks for each kept point."""

    shape = Shape.ROW
    told = "one row for some lanes, a block or several blocks, chosen at run time"
    has_row_form = True
    has_block_form = True

    launch: RowLaunch = field(default_factory=RowLaunch)

    def blocks(self, kept: int, reduced: int) -> int:
        """Blocks that have work: one for each row, several for a long one."""
        share = max(1, self.block * self.loads.width * self.loads.in_flight)
        return kept * ceil(reduced / share) if reduced >= self.launch.split_shares * share else kept


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ColumnKernel(ReducingKernel):
    """The kept dimension is contiguous: threads own columns and walk down the rows."""

    shape = Shape.COLUMN
    told = "threads own columns and walk down the rows"
    owns_columns = True
    has_row_form = True
    has_block_form = True

    column_rows: int = field(default=1)
    launch: ColumnLaunch = field(default_factory=ColumnLaunch)

    def faults(self) -> Iterator[str]:
        """What the shape needs and the kernel has not."""
        yield from Kernel.faults(self)
        if self.kept_box is None or self.reduced_box is None:
            yield "a column reduction needs boxes"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class IndirectKernel(ReducingKernel):
    """Bins chosen by data: private copies of the bins, atomics, or a sort by bin.

    Its boxes are hulls, which the domain may not fill.  `forms`: what the entry point chooses from
    (gpu/shapes/indirect.py).  A ragged row has no range in `reduced_box`; the rows before it number its runs, those
    behind it lie inside its points.
    """

    shape = Shape.INDIRECT
    told = "values go to bins that the data choose"

    forms: tuple[str, ...]
    launch: IndirectLaunch = field(default_factory=IndirectLaunch)

    @property
    def is_atomic(self) -> bool:
        """Whether atomics apply the operators, not values put in order."""
        return all(bins.atomic for bins in self.bins)

    @property
    def puts_in_order(self) -> bool:
        """Whether values go to their bins one after the other."""
        return not self.is_atomic

    @property
    def has_atomics_on_memory(self) -> bool:
        """Whether there is a form for bins that are too many for copies of a block."""
        return self.is_atomic and "whole" in self.forms

    @property
    def is_packable(self) -> bool:
        """Whether its blocks can stand beside others: not those whose points are counted by launches before."""
        return self.is_atomic and "private" in self.forms and self.ragged is None

    @property
    def may_outgrow_pack(self) -> bool:
        """Whether it has a form for bins that are too many for a block."""
        return "whole" in self.forms

    def copies_bytes(self, sizes: Mapping[str, int], warps: int, most: int) -> int:
        """Bytes of shared memory that copies of the bins take at most in a block of `warps` warps."""
        copies = self.launch.copies_bytes
        counts = [bins.count for bins in self.bins]
        one = 0
        for bins in self.bins:
            one += (bins.count * sizes[bins.reduction] + 15) // 16 * 16 if bins.count is not None else 0
        if None in counts or one > most:
            return max(copies, most)
        return max(1, min(warps, copies // max(16, one))) * one

    def faults(self) -> Iterator[str]:
        """What the shape needs and the kernel has not."""
        yield from Kernel.faults(self)
        if not self.bins:
            yield "an indirect reduction needs bins"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StitchedKernel(ReducingKernel):
    """The rows and statements of several kernels over the same kept points, the row kept on the chip between them."""

    shape = Shape.STITCHED
    told = "a warp or a block for each row, which stays in its registers from stage to stage"

    launch: StitchedLaunch = field(default_factory=StitchedLaunch)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ComposedKernel(Kernel):
    """The rows and statements of several kernels below the same rows, a block for each, which share its memory."""

    shape = Shape.COMPOSED
    told = "a block for each row, whose stages meet in shared memory"

    resident: int = field(default=1)
    launch: ComposedLaunch = field(default_factory=ComposedLaunch)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LoopKernel(Kernel):
    """The kernels below a loop on the host for all of its iterations, whose threads meet behind each of them.

    `widths`: for each of these kernels by its name, how many values its kept rows take in an iteration at most.
    """

    shape = Shape.LOOP
    told = "all iterations in one launch, whose threads meet at barriers: one block, or all that are resident"

    widths: Mapping[str, tuple[isl.PwAff, ...]]
    launch: LoopLaunch = field(default_factory=LoopLaunch)


def by_themselves(plans: Iterable[ReductionPlan]) -> tuple[ReductionPlan, ...]:
    """The plans of a kernel that begins and ends what it accumulates."""
    return tuple(Accumulated(plan.reduction) if isinstance(plan, Accumulated) else plan for plan in plans)


def tiled_form(kernel: Kernel, tiling: Tiling) -> Kernel:
    """The kernel as one that has the kept and the reduced rows of its tiling, whoever goes through them."""
    kept = (*kernel.kept, *kernel.reduced) if tiling.folds else kernel.kept
    return ColumnKernel(
        name=kernel.name, number=kernel.number, host=kernel.host, kept=kept, reduced=tiling.reduced,
        prologue=tiling.before, body=tiling.body, post=tiling.after, index=kernel.index,
        domain=kernel.domain, kept_box=tiling.kept_box, reduced_box=tiling.reduced_box, plans=kernel.plans,
        tiling=tiling,
    )  # fmt: skip
