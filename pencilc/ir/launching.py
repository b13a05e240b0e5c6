"""What the entry point does to launch a kernel: building blocks of the host, beside the statements of `ir/nodes.py`.

A macro of `templates/launch.cu.j2` prints each.  Which of them is reached is said by the `If` around: no block chooses.
Stage: kernels.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pencilc.ir.nodes import BuildingBlock, Node, blocks_in
from pencilc.ir.shapes import TileCost
from pencilc.ir.source import CType, Expr
from pencilc.options import IndirectLaunch
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class StartedFunction:
    """A kernel function that a launch starts: its name, the threads of a block, its arguments."""

    name: str
    block: int
    arguments: tuple[Expr, ...]


# ---- values ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Remark(BuildingBlock):
    """A line for the reader of the output."""

    node: ClassVar[str] = "remark"

    text: str


@dataclass(frozen=True, slots=True)
class NamedValue:
    """`name = value`."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class HostValues(BuildingBlock):
    """`const type name = value, …;`, with a `remark` behind it; `varies`: they may change, and are not const."""

    node: ClassVar[str] = "values"

    type: CType
    values: tuple[NamedValue, ...]
    remark: str = ""
    varies: bool = False


@dataclass(frozen=True, slots=True)
class BlockSides(BuildingBlock):
    """`const dim3 @block(sides);`: how threads stand in a block."""

    node: ClassVar[str] = "block_sides"

    sides: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class GridSides(BuildingBlock):
    """`const dim3 @grid(sides);`: how blocks stand in a grid."""

    node: ClassVar[str] = "grid_sides"

    sides: tuple[Expr, ...]


# ---- what the device has -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AskShared(BuildingBlock):
    """The shared memory that a block may have at most, and that of a multiprocessor, as two variables."""

    node: ClassVar[str] = "ask_shared"

    of_block: str
    of_multiprocessor: str


@dataclass(frozen=True, slots=True)
class AskHeld(BuildingBlock):
    """`@held`: how many blocks of a kernel a multiprocessor holds at once, by its registers."""

    node: ClassVar[str] = "ask_held"

    function: StartedFunction


@dataclass(frozen=True, slots=True)
class AskResident(BuildingBlock):
    """`@resident`: how many blocks of a kernel a multiprocessor holds together, with so many bytes of shared memory."""

    node: ClassVar[str] = "ask_resident"

    function: StartedFunction
    numbers: tuple[int, ...]
    shared: Expr

    @property
    def instance(self) -> str:
        """The function, made for its numbers."""
        return instance(self.function, self.numbers)


@dataclass(frozen=True, slots=True)
class AllowShared(BuildingBlock):
    """A kernel may have all the shared memory that a block can: `limit`."""

    node: ClassVar[str] = "allow_shared"

    function: StartedFunction
    limit: Expr


@dataclass(frozen=True, slots=True)
class ChooseTiles(BuildingBlock):
    """Which size of tiles takes the least time by a model: `@size`, its place among `costs`, `@down` and `@across`.

    `tiles` says how many there are of a size, by these two.  A tile has `points` reduced ones; where a block goes
    through a row of tiles, as often as it has `rounds`, by `@across`.  `shares`: how many blocks may share a tile, or a
    row of them, at most, and then `@splits` is how many do: `splits`, where that does not follow from the device.
    """

    node: ClassVar[str] = "choose_tiles"

    costs: tuple[TileCost, ...]
    tiles: Expr
    points: Expr
    rounds: Expr | None
    shares: Expr | None
    splits: Expr | None


# ---- memory ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReserveLeft(BuildingBlock):
    """Memory for what blocks leave for each other: `@partials`, so many `values` of a type, and `@tickets`.

    `when`: blocks share results only then; else there is memory for none.
    """

    node: ClassVar[str] = "reserve_left"

    type: CType
    values: Expr  # their bytes
    tickets: Expr
    when: Expr


@dataclass(frozen=True, slots=True)
class ReserveBytes(BuildingBlock):
    """So many bytes of scratch memory, which begin at `name`; `when`: blocks leave something there only then."""

    node: ClassVar[str] = "reserve_bytes"

    name: str
    bytes: Expr
    when: Expr | None = None


@dataclass(frozen=True, slots=True)
class LeftOfPart:
    """What the blocks of a part of a launch leave for each other."""

    number: int
    type: CType


@dataclass(frozen=True, slots=True)
class ReserveForParts(BuildingBlock):
    """Memory of `@partial_bytes` and `@ticket_count` for the parts of a launch, each of which has its own there."""

    node: ClassVar[str] = "reserve_for_parts"

    parts: tuple[LeftOfPart, ...]


@dataclass(frozen=True, slots=True)
class ReserveParts(BuildingBlock):
    """Memory for what the blocks of a grid exchange: `@partials`, of a type that the kernel has."""

    node: ClassVar[str] = "reserve_parts"

    type: CType
    values: Expr  # their bytes


@dataclass(frozen=True, slots=True)
class ReserveBarrier(BuildingBlock):
    """Memory for the barrier of a grid, `@barrier`, of so many `bytes`: none where a launch has a single block."""

    node: ClassVar[str] = "reserve_barrier"

    bytes: Expr


# ---- launches ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Configure(BuildingBlock):
    """`@config`: a grid of blocks, with `shared` bytes of memory that the launch provides.

    `together`: how many attributes it has, 1 where blocks may wait for each other, as all of them are resident.
    `is_adapted`: what starts the kernel gives it no more blocks than are resident.
    """

    node: ClassVar[str] = "configure"

    grid: Expr
    block: Expr
    shared: Expr | None = None
    together: Expr | None = None
    is_adapted: bool = False

    @property
    def varies(self) -> bool:
        """Whether the configuration changes behind its declaration."""
        return self.is_adapted or self.shared is not None or self.together is not None


@dataclass(frozen=True, slots=True)
class StartKernel(BuildingBlock):
    """The launch of `function`, made for `numbers`, as `@config` says.

    `is_resident`: its blocks go through all of the work, however many there are, so that no more than are resident run.
    """

    node: ClassVar[str] = "start_kernel"
    is_line: ClassVar[bool] = True

    function: StartedFunction
    numbers: tuple[int, ...] = ()
    is_resident: bool = False

    @property
    def instance(self) -> str:
        """The function, made for its numbers."""
        return instance(self.function, self.numbers)


@dataclass(frozen=True, slots=True)
class StartCase:
    """What is started where the value is `number`: one of those that it is made for, or the place of these."""

    number: int
    start: StartKernel


@dataclass(frozen=True, slots=True)
class StartOneOf(BuildingBlock):
    """The launch for the number that `value` is, one of those of `cases`."""

    node: ClassVar[str] = "start_one_of"

    value: Expr
    cases: tuple[StartCase, ...]


@dataclass(frozen=True, slots=True)
class HeldForm:
    """A form of a kernel, `instance`: threads have up to `chunks` chunks of a row each."""

    chunks: int
    instance: str


@dataclass(frozen=True, slots=True)
class StartHeld(BuildingBlock):
    """The launch of the form in which at most `threads` hold a row of `chunks` chunks, the smallest of `forms`.

    `shared`: how many chunks a lane has in the form in which a warp has several of many short rows; 0 where none does.
    """

    node: ClassVar[str] = "start_held"
    is_line: ClassVar[bool] = True

    function: StartedFunction
    threads: Expr
    shared: int
    rows: Expr
    chunks: Expr
    most: Expr


@dataclass(frozen=True, slots=True)
class HeldForms(BuildingBlock):
    """`@forms`: the forms of a function that hold rows in registers."""

    node: ClassVar[str] = "held_forms"

    forms: tuple[HeldForm, ...]

    @property
    def first(self) -> str:
        """One of them, whose type is that of all."""
        return self.forms[0].instance


@dataclass(frozen=True, slots=True)
class StartLong(BuildingBlock):
    """The launch of `function` if shared memory holds the rows of its blocks, of `bytes`; `fits` tells whether it does.

    Besides these, its blocks have so many bytes that are `static`.
    """

    node: ClassVar[str] = "start_long"

    function: StartedFunction
    blocks: Expr
    threads: int
    bytes: Expr
    static: Expr
    fits: str


@dataclass(frozen=True, slots=True)
class StartClusters(BuildingBlock):
    """The same where the blocks of a cluster may share a row, with `share` bytes for each of the `rounds` of one block.

    A block has so many `threads`, and there are `most` blocks at most.
    """

    node: ClassVar[str] = "start_clusters"

    function: StartedFunction
    rows: Expr
    most: Expr
    threads: int
    rounds: Expr
    share: int
    static: Expr
    fits: str


# ---- loops that end by data, launches in time --------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CopyBack(BuildingBlock):
    """The variable `name` gets what the device has at `source`, for which the host waits."""

    node: ClassVar[str] = "copy_back"

    name: str
    source: Expr


@dataclass(frozen=True, slots=True)
class TwoPlaces(BuildingBlock):
    """What a launch takes of an array and what it leaves, of which one is the array itself: `other` is as large."""

    node: ClassVar[str] = "two_places"

    type: CType
    taken: str
    array: str
    left: str
    other: Expr


@dataclass(frozen=True, slots=True)
class EachLaunch(BuildingBlock):
    """`@launches` times `body`, in which `@launch` counts; where memory is only counted, none."""

    node: ClassVar[str] = "each_launch"

    body: tuple[Node, ...]


# ---- sorts -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BinMemory:
    """The bins of one reduction as the host knows them: `count` of them, of `size` bytes.

    A sort has buckets of 1 << `shift` bins, of which it takes at most `pairs` values at once, a copy for each of
    `warps` warps; `is_indexed`: it moves the places of values and not these.
    """

    name: str
    type: CType
    size: int
    count: Expr
    is_indexed: bool
    warps: int
    shift: int
    pairs: int


@dataclass(frozen=True, slots=True)
class SortOfBins:
    """Values that are sorted by their bins: `pairs` writes `sites` for each element, `buckets` combines them.

    A thread of `pairs` takes chunks of `width` points: of its own, for each loads what its own values need.
    """

    bins: BinMemory
    sites: int
    width: int
    pairs: StartedFunction
    buckets: StartedFunction


@dataclass(frozen=True, slots=True)
class SortInBuckets(BuildingBlock):
    """`@items` elements of `@all_bins` bins: pairs of bin and value are made, sorted and combined, `at_once` elements
    at a time, by blocks of `block` threads.
    """

    node: ClassVar[str] = "sort_in_buckets"

    sort: SortOfBins
    at_once: int
    block: int
    launch: IndirectLaunch


def instance(function: StartedFunction, numbers: tuple[int, ...]) -> str:
    """A function, made for some numbers."""
    return function.name + (f"<{', '.join(map(str, numbers))}>" if numbers else "")


def started_in(body: tuple[Node, ...]) -> Iterator[StartedFunction]:
    """The functions that are started in nodes, in order."""
    for node in blocks_in(body):
        match node:
            case StartKernel() | StartHeld() | StartLong() | StartClusters():
                yield node.function
            case SortInBuckets():
                yield node.sort.pairs
                yield node.sort.buckets
