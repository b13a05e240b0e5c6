"""Nodes of values that go where the data choose: bins, and how they get there.  Stage: codegen."""

from __future__ import annotations

from typing import ClassVar, Literal

from pencilc.ir.geometry import Geometry
from pencilc.ir.nodes import BuildingBlock, Node, Parameter
from pencilc.ir.segments import LoadVector
from pencilc.ir.source import Assign, CType, Expr
from pencilc.records import dataclass

# Shared memory of the tables of hot bins of a kernel.
HOT_BYTES = 24 * 1024
# Slots below which a table of hot bins is not worth the look into it.
FEWEST_SLOTS = 64


def hot_slots(size: int, tables: int) -> int:
    """Slots of the table of bins of `size` bytes that a block meets often, one of so many in the kernel.

    A power of two, which takes half to all of its share of the memory; 0, no table, where that would be too few.
    """
    slots = HOT_BYTES // tables // (8 + size)
    return 1 << slots.bit_length() - 1 if slots >= FEWEST_SLOTS else 0


@dataclass(frozen=True, slots=True)
class BinSet:
    """How the bins of one reduction of an INDIRECT kernel are worked on; `type` is that of partial results.

    `atomic` applies the operator atomically: a function of CUDA on the type `word`, or `swap`, a loop; it is empty
    where values are put in order.  `put` says which of these it is, and whether `word` is the type itself.
    `filled` lists the (offset, size) of the bytes of the type that are no padding.
    For a sort: `is_indexed` where the places of values are sorted and not they themselves, a bucket is 1 << `shift`
    bins with a copy for each of `warps` warps, and at most `pairs` are sorted at once.
    """

    name: str
    stem: str
    type: CType
    size: int
    operator: str
    init_function: str
    identity: Expr | None
    atomic: str
    word: str
    put: Literal["swap", "word", "value", "order"]
    filled: tuple[tuple[int, int], ...]
    is_indexed: bool
    warps: int
    shift: int
    pairs: int


@dataclass(frozen=True, slots=True)
class BinResult:
    """The bins of one reduction where they are: `count` of them for a kept point, `at` is bin `@bin`.

    `home` adds `@total` to it, if anything does.
    """

    bins: BinSet
    count: Expr
    at: Expr
    home: Assign | None


@dataclass(frozen=True, slots=True)
class BroughtBins:
    """The functions that a kernel brings for its bins, and those for values of a chunk."""

    bins: tuple[BinSet, ...]
    chunks: bool


@dataclass(frozen=True, slots=True)
class BinUpdate:
    """One update of an element where values are put in order: the name of its function and the bins it updates."""

    name: str
    bins: BinSet


@dataclass(frozen=True, slots=True)
class PutInBin(BuildingBlock):
    """A value goes to number `bin` of the bins called `to`, or of those that the update of that name is for."""

    node: ClassVar[str] = "put_in_bin"

    to: str
    bin: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Runs:
    """Points in rows whose length is data: `count` runs, of which `starts` tells where the points of each begin.

    `inner` points lie in each place of a run (None: one).  `points` is what the host takes for the number of all
    points; `starts` is the name of the array on the host.
    """

    count: Expr
    inner: Expr | None
    points: Expr
    starts: str


@dataclass(frozen=True, slots=True)
class Scatter:
    """What a function of an INDIRECT kernel reduces, and how many points it has.

    The points of each of `rows` kept ones are `outers` runs of `inner` contiguous ones, where None is one row, or one
    run; chunks of `width` points are dealt out.  Where rows have lengths that are data, `runs` says what takes the
    place of `outers` and `inner`.
    """

    results: tuple[BinResult, ...]
    sites: tuple[BinUpdate, ...]
    rows: Expr | None
    outers: Expr | None
    inner: Expr | None
    width: int
    runs: Runs | None = None

    @property
    def bins(self) -> tuple[BinSet, ...]:
        """The bins of all reductions."""
        return tuple(each.bins for each in self.results)


# ---- what is done to bins ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Atomic(BuildingBlock):
    """`value` is combined into the bin at address `to`, whatever other threads combine into it at the same time."""

    node: ClassVar[str] = "atomic"

    bins: BinSet
    to: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class AddInOrder(BuildingBlock):
    """The lanes of a warp add what they have for bins of `copy`, lanes with one bin in their order; -1 is no bin."""

    node: ClassVar[str] = "add_in_order"

    bins: BinSet
    copy: Expr
    bin: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class BinCopies(BuildingBlock):
    """Copies of bins in the shared memory `@shared`: of `bins` `@bins_copies`, of which a warp takes `@bins_mine`.

    `among`: all warps of a block share `@copies` of them, or each warp has one of its own.
    """

    node: ClassVar[str] = "bin_copies"

    bins: tuple[BinSet, ...]
    among: Literal["block", "warp"]


@dataclass(frozen=True, slots=True)
class ClearCopies(BuildingBlock):
    """All copies begin anew, which a barrier shows to the threads of the block."""

    node: ClassVar[str] = "clear_copies"

    bins: tuple[BinSet, ...]


@dataclass(frozen=True, slots=True)
class EachBin(BuildingBlock):
    """`body` for each `@bin`, a thread of the block each."""

    node: ClassVar[str] = "each_bin"

    bins: BinSet
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class TotalOfCopies(BuildingBlock):
    """`@total`: what all copies that a block has of `@bin` have together."""

    node: ClassVar[str] = "total_of_copies"

    bins: BinSet


@dataclass(frozen=True, slots=True)
class HotBins(BuildingBlock):
    """A table in shared memory for the bins that a block meets often, begun anew: `@bins_tags` has the address of the
    bin that has taken a slot, `@bins_totals` what came for it.  A barrier shows it to the threads of the block.
    """

    node: ClassVar[str] = "hot_bins"

    bins: BinSet
    slots: int


@dataclass(frozen=True, slots=True)
class PutHot(BuildingBlock):
    """`value` is combined into the slot that the bin at address `to` has in the table, or `away` puts it elsewhere."""

    node: ClassVar[str] = "put_hot"

    bins: BinSet
    to: Expr
    value: Expr
    away: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class HotTotals(BuildingBlock):
    """`body` for each slot that a bin has taken, a thread of the block each: `@bin`, its address, and `@total`."""

    node: ClassVar[str] = "hot_totals"

    bins: BinSet
    slots: int
    body: tuple[Node, ...]


# ---- what values of a point go to -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PutAtOnce(BuildingBlock):
    """What is put in number `@bin` of `bins` is `put` there at once, `@value`."""

    node: ClassVar[str] = "put_at_once"

    bins: BinSet
    put: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ValueRun(BuildingBlock):
    """Values that follow each other into one bin, `@last`, are combined first, `@run`, and `put` behind that.

    `name`, that of the update, begins the names of its variables.
    """

    node: ClassVar[str] = "value_run"

    name: str
    bins: BinSet
    put: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class EndRun(BuildingBlock):
    """What is left of such a run is `put`, if there is anything."""

    node: ClassVar[str] = "end_run"

    name: str
    put: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class KeptValue(BuildingBlock):
    """What an update puts in a bin is kept: `@bin` and `@value`.

    It `waits` for the lanes of its warp (`@bin` is -1 where there is none), or for those of a chunk, which have a run
    (`@has` says whether there is one), or becomes one of the pairs that are sorted, whose bins are those of the array.
    """

    node: ClassVar[str] = "kept_value"

    update: BinUpdate
    waits: Literal["warp", "chunk", "sort"]


@dataclass(frozen=True, slots=True)
class KeepOfChunk(BuildingBlock):
    """The value of an update is that of point `@k` of a chunk: `@all`, `@bins_of`, `@values`."""

    node: ClassVar[str] = "keep_of_chunk"

    update: BinUpdate


@dataclass(frozen=True, slots=True)
class PutChunk(BuildingBlock):
    """The values of a chunk go to the copy of a warp: to the run of those before them, together, or one by one."""

    node: ClassVar[str] = "put_chunk"

    update: BinUpdate


@dataclass(frozen=True, slots=True)
class KeepPair(BuildingBlock):
    """The value of an update becomes pair number `place` of those that are sorted."""

    node: ClassVar[str] = "keep_pair"

    update: BinUpdate
    place: Expr


# ---- points ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PointElement(BuildingBlock):
    """`@element`: what happens to one point."""

    node: ClassVar[str] = "point_element"

    parameters: tuple[Parameter, ...]
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class OfElement(BuildingBlock):
    """That, for the point that the arguments tell."""

    node: ClassVar[str] = "of_element"

    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class CountOfPoints(BuildingBlock):
    """How many points there are in a run (`@inner`) and chunks of them (`@chunks`), and in all runs (`@items`).

    Each is named where it is used; `@step` is how far the next item of a thread is.
    """

    node: ClassVar[str] = "count_of_points"

    at: Geometry
    inner: Expr | None
    outers: Expr | None
    width: int
    has_chunks: bool
    has_items: bool

    @property
    def in_chunks(self) -> bool:
        """Whether items are chunks of several points."""
        return self.width > 1


@dataclass(frozen=True, slots=True)
class ItemsInTurn(BuildingBlock):
    """A loop of the whole grid over items from `first` to `end`: `@at` of each block, `in_flight` steps at a time.

    All threads of a block go through it together, those too that have no item any more.
    """

    node: ClassVar[str] = "items_in_turn"
    is_dealt: ClassVar[bool] = True

    at: Geometry
    first: Expr | None
    end: Expr
    in_flight: int
    body: tuple[Node, ...]

    @property
    def has_flights(self) -> bool:
        """Whether a thread has several items at a time."""
        return self.in_flight > 1


@dataclass(frozen=True, slots=True)
class EachItemOfGrid(BuildingBlock):
    """A loop of each thread over its items, `@item`, one after the other."""

    node: ClassVar[str] = "each_item_of_grid"
    is_dealt: ClassVar[bool] = True

    at: Geometry
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ItemPlace(BuildingBlock):
    """`@item`: the item that this thread has at `@at`, or number `@l` behind it."""

    node: ClassVar[str] = "item_place"

    in_flight: bool


@dataclass(frozen=True, slots=True)
class PointPlace(BuildingBlock):
    """Where the first point of `@item` is: in run number `@outer` of several, at place `@x` if that is asked for."""

    node: ClassVar[str] = "point_place"

    width: int
    in_runs: bool
    has_point: bool

    @property
    def in_chunks(self) -> bool:
        """Whether items are chunks of several points."""
        return self.width > 1


@dataclass(frozen=True, slots=True)
class PointsThere(BuildingBlock):
    """`left`: how many points `@item` has, none from `end` on."""

    node: ClassVar[str] = "points_there"

    left: Expr
    end: Expr
    width: int

    @property
    def in_chunks(self) -> bool:
        """Whether items are chunks of several points."""
        return self.width > 1


@dataclass(frozen=True, slots=True)
class LoadPart(BuildingBlock):
    """The first `left` elements of a chunk from the address `first` on, into registers."""

    node: ClassVar[str] = "load_part"

    chunk: Expr
    first: Expr
    left: Expr


@dataclass(frozen=True, slots=True)
class ChunkOrPoints(BuildingBlock):
    """`whole` for a chunk that has all `width` points, else `each` for as many, `@k`, as are `left`."""

    node: ClassVar[str] = "chunk_or_points"

    width: int
    left: Expr
    whole: tuple[Node, ...]
    each: tuple[Node, ...]

    @property
    def in_chunks(self) -> bool:
        """Whether there are chunks with less points."""
        return self.width > 1


@dataclass(frozen=True, slots=True)
class OneRun(BuildingBlock):
    """The one run of `inner` points: `whole` for each chunk, `in_flight` (`@l`) of which are loaded before the first
    is used, and `last` for what fills no chunk, a point (`@tail`) for each thread.

    `address` finds the iterators that the loads need at `@x`, which is named in `whole` if it `uses_point`.
    """

    node: ClassVar[str] = "one_run"
    is_dealt: ClassVar[bool] = True

    at: Geometry
    inner: Expr
    loads: tuple[LoadVector, ...]
    address: tuple[Node, ...]
    width: int
    in_flight: int
    uses_point: bool
    whole: tuple[Node, ...]
    last: tuple[Node, ...]

    @property
    def in_chunks(self) -> bool:
        """Whether a thread loads several neighbouring elements at once."""
        return self.width > 1

    @property
    def has_flights(self) -> bool:
        """Whether several chunks are on their way before the first is used."""
        return self.in_flight > 1


@dataclass(frozen=True, slots=True)
class PointsOfRuns(BuildingBlock):
    """Points in `runs` rows whose lengths are data, from `first` to `end`: `@starts` tells where those of each begin.

    There are `inner` points in each place of a row (None: one).  A block takes neighbouring points; `body` is for point
    `@item` of row `@run`, `before` and `after` stand around it for all threads.  `counts`: `@items`, the number of all
    points, is named.
    """

    node: ClassVar[str] = "points_of_runs"
    is_dealt: ClassVar[bool] = True

    at: Geometry
    runs: Expr
    inner: Expr | None
    first: Expr | None
    end: Expr
    counts: bool
    before: tuple[Node, ...]
    body: tuple[Node, ...]
    after: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class RunLengths(BuildingBlock):
    """How many points each of `runs` rows has whose lengths are data, `@count`."""

    node: ClassVar[str] = "lengths"

    runs: Expr
    body: tuple[Node, ...]


# ---- what blocks have left, and sorted pairs ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BlocksOfThread(BuildingBlock):
    """Which of the `@splits` blocks of a row a thread combines: from `@begin` to `@end`.

    `groups` of threads, numbered along y, share them, and leave `@parts` for each other.
    """

    node: ClassVar[str] = "blocks_of_thread"

    bins: BinSet
    groups: int

    @property
    def shares_blocks(self) -> bool:
        """Whether several threads have what blocks have left for a bin."""
        return self.groups > 1


@dataclass(frozen=True, slots=True)
class BinsOfWarps(BuildingBlock):
    """A loop over bins, `@bin`: a warp of neighbours each, in which some may have none."""

    node: ClassVar[str] = "bins_of_warps"

    bins: BinSet
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class TotalOfBlocks(BuildingBlock):
    """`@total`: what blocks from `@begin` to `@end` have left for `@bin`, `left` of block `@split`, in this order."""

    node: ClassVar[str] = "total_of_blocks"

    bins: BinSet
    left: Expr


@dataclass(frozen=True, slots=True)
class LeavePart(BuildingBlock):
    """`@total` of a group of threads goes to `@parts`, which a barrier shows to the first group."""

    node: ClassVar[str] = "leave_part"

    bins: BinSet


@dataclass(frozen=True, slots=True)
class TotalOfGroups(BuildingBlock):
    """The first group combines what all `groups` have left, in their order."""

    node: ClassVar[str] = "total_of_groups"

    bins: BinSet
    groups: int


@dataclass(frozen=True, slots=True)
class BucketCopies(BuildingBlock):
    """`@copies` of the bins of a bucket, one for each warp, and how many `@buckets` there are."""

    node: ClassVar[str] = "bucket_copies"

    bins: BinSet


@dataclass(frozen=True, slots=True)
class EachBucket(BuildingBlock):
    """A loop over buckets of neighbouring bins that have pairs, from `@low` to `@high`; `@active` warps share these."""

    node: ClassVar[str] = "each_bucket"
    is_dealt: ClassVar[bool] = True

    bins: BinSet
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class PairsOfWarp(BuildingBlock):
    """The share that a warp has of the pairs of a bucket: `add` for each, `@bin` (-1: none) and `@value`."""

    node: ClassVar[str] = "pairs_of_warp"

    bins: BinSet
    add: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class BinsOfBucket(BuildingBlock):
    """`body` for each `@bin` of a bucket that has something, `@total`; a thread of the block each."""

    node: ClassVar[str] = "bins_of_bucket"

    bins: BinSet
    body: tuple[Node, ...]
