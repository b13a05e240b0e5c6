"""The tree of a kernel: typed statements and expressions, and the building blocks that templates print.

Simple statements and expressions are those of `ir/source.py`, read as C++ (see `ir/build.py`).  Stage: codegen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Literal, TypeAlias

from pencilc.diagnostics.source import Span
from pencilc.ir.accumulators import Accumulator
from pencilc.ir.build import ONE, UNSIGNED, generated_type
from pencilc.ir.columns import (
    ColumnLanes,
    ColumnPlace,
    ColumnPlaces,
    ColumnTeam,
    CombineColumns,
    KeepLane,
    LeftByBlocks,
    OwnColumns,
    StartColumns,
)
from pencilc.ir.geometry import Geometry
from pencilc.ir.on_chip import (
    ChunkPlace,
    ElementPlace,
    Exchange,
    LoadChunk,
    Local,
    OwnPlace,
    RowPlace,
    RowTeam,
    Run,
    StoreChunk,
    Team,
)
from pencilc.ir.shapes import TileSize
from pencilc.ir.source import (
    EXPRESSIONS,
    INT,
    ArrayType,
    Assign,
    Call,
    CallStmt,
    CType,
    Declare,
    Expr,
    IntLiteral,
    Jump,
    Name,
    PointerType,
    Return,
    Scalar,
    Struct,
    Symbol,
    walk,
)

SimpleStatement: TypeAlias = Declare | Assign | CallStmt | Jump | Return


@dataclass(frozen=True, slots=True)
class For:
    """`for (iterator = lower; iterator relation bound; iterator += step) body`; `declares` its iterator or not."""

    iterator: Symbol
    lower: Expr
    bound: Expr
    body: tuple[Node, ...]
    step: Expr = ONE
    relation: str = "<"
    declares: bool = True


@dataclass(frozen=True, slots=True)
class WhileLoop:
    """`while (condition) body`; `do_first` for do-while."""

    condition: Expr
    body: tuple[Node, ...]
    do_first: bool


@dataclass(frozen=True, slots=True)
class If:
    """`if (condition) then else otherwise`."""

    condition: Expr
    then: tuple[Node, ...]
    otherwise: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Switch:
    """`switch (value)`: the call for each case, and the one for any other value."""

    value: Expr
    cases: tuple[tuple[int, CallStmt], ...]
    default: CallStmt


@dataclass(frozen=True, slots=True)
class SharedDecl:
    """An array in the shared memory of a block: `count` elements, or what the launch provides where that is None."""

    name: str
    type: CType
    count: int | None


@dataclass(frozen=True, slots=True)
class Sync:
    """All threads of the scope meet, and see what each of them has written.

    "launch": all blocks, which are resident together; or those of the only one.
    """

    node: ClassVar[str] = "sync"

    scope: Literal["launch", "block", "warp"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function of the output; of a pointer, `is_const` and `restrict` are those of its elements."""

    name: str
    type: CType
    is_const: bool = False
    restrict: bool = False
    reference: bool = False


@dataclass(frozen=True, slots=True)
class LoadVector:
    """A run of contiguous elements that chunks are loaded from: `first` is the address of the first element.

    `register` is one element, `registers` are chunks of them; `tail` is one of those that fill none.
    """

    register: str
    type: CType
    first: Expr
    run: str
    wide: str
    registers: str
    tail: str = ""


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of `count` points, dealt out to `size` threads of which this one is number `rank`.

    Each thread takes chunks of `width` points, `in_flight` of them before the first is used; `element` is what
    happens to one point.  `point` is the value of the iterator at run index `x` (None if it is not used).  What fills
    no chunk goes to a thread each if it `is_spread`: there are at least `width` threads.
    """

    node: ClassVar[str] = "segment"

    element: str
    parameters: tuple[Parameter, ...]
    body: tuple[Node, ...]
    rank: Expr
    size: Expr
    count: Expr
    point: Expr | None
    loads: tuple[LoadVector, ...]
    width: int
    in_flight: int
    sets: int
    uses_point: bool = False
    uses_row: bool = False
    is_spread: bool = False


# ---- what nodes name -------------------------------------------------------------------------------


def names_of(*values: object) -> set[str]:
    """The variables, functions and constants that nodes, expressions and records of them name, without members."""
    found: set[str] = set()
    for expr in expressions_in(values):
        for node in walk(expr):
            if isinstance(node, Name):
                found.add(node.symbol.name)
            elif isinstance(node, Call):
                found.add(called_name(node))
            elif isinstance(node, IntLiteral) and node.name:
                found.add(node.name)
    return found


def variables_of(*values: object) -> set[str]:
    """The variables that nodes, expressions and records of them name."""
    return {n.symbol.name for expr in expressions_in(values) for n in walk(expr) if isinstance(n, Name)}


def uses(nodes: object, name: str) -> bool:
    """Whether `name` occurs in `nodes`."""
    return name in names_of(nodes)


def called_name(call: Call) -> str:
    """The function that is called, without the template arguments that its name may end with."""
    return call.function.partition("<")[0]


def expressions_in(value: object) -> Iterator[Expr]:
    """The outermost expressions in a node or record, in order."""
    kind = type(value)
    if kind in EXPRESSIONS:
        yield value  # type: ignore[misc]
    elif kind is tuple or kind is list:
        for item in value:  # type: ignore[attr-defined]
            yield from expressions_in(item)
    else:
        for name in _fields_of(kind):  # type: ignore[arg-type]
            yield from expressions_in(getattr(value, name))


@cache
def _fields_of(kind: type) -> tuple[str, ...]:
    """The fields that may hold expressions; types hold those of extents, which are numbers in generated code."""
    if issubclass(kind, Symbol | Scalar | Struct | ArrayType | PointerType | Span):
        return ()
    names = getattr(kind, "__dataclass_fields__", {})
    return tuple(name for name in names if name not in ("type", "span", "returns"))


@dataclass(frozen=True, slots=True)
class BinSet:
    """The bins of one reduction of an INDIRECT kernel: `count` of them for a kept point, `at` is bin `@bin`.

    `home` adds `@total` to it, if anything does; `type` is that of partial results.

    `atomic` applies the operator atomically: a function of CUDA on the type `word`, or `swap`, a loop; it is empty
    where values are put in order.  `filled` lists the (offset, size) of the bytes of the type that are no padding.
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
    count: Expr
    constant: int | None
    at: Expr
    home: Assign | None
    atomic: str
    word: str
    filled: tuple[tuple[int, int], ...]
    is_indexed: bool
    warps: int
    shift: int
    pairs: int


@dataclass(frozen=True, slots=True)
class BinUpdate:
    """One update of an element where values are put in order: the name of its function and the bins it updates."""

    name: str
    bins: BinSet


@dataclass(frozen=True, slots=True)
class PutInBin:
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
    """What the functions of an INDIRECT kernel are made of.

    The points of each of `rows` kept ones are `outers` runs of `inner` contiguous ones, where None is one row, or one
    run; chunks of `width` points are dealt out.
    `kept` recovers the kept iterators from `@row`; `address` those that the loads need and `recover` those that the
    element needs, both from the number of the run, `@outer`, and the place in it, `@x`.  Where rows have lengths that
    are data, `runs` says what takes the place of `outers` and `inner`.
    """

    bins: tuple[BinSet, ...]
    sites: tuple[BinUpdate, ...]
    rows: Expr | None
    outers: Expr | None
    inner: Expr | None
    kept: tuple[Node, ...]
    address: tuple[Node, ...]
    recover: tuple[Node, ...]
    parameters: tuple[Parameter, ...]
    uses_outer: bool
    uses_point: bool
    loads: tuple[LoadVector, ...]
    width: int
    in_flight: int
    fixed_tree: bool
    runs: Runs | None = None


def left_for_blocks(ctype: CType, suffix: str = "") -> tuple[Parameter, ...]:
    """Where blocks leave for each other what they have, and the tickets that tell who is the last."""
    partials = Parameter(f"@partials{suffix}", PointerType(ctype))
    return partials, Parameter(f"@tickets{suffix}", PointerType(UNSIGNED))


# ---- building blocks ---------------------------------------------------------------------------------
#
# Each is printed by a macro of its own, told by `node` (templates/macros.j2).  What a block is given at the launch,
# besides what its expressions name, it says itself (`given`).


@dataclass(frozen=True, slots=True)
class Start:
    """The accumulators of a thread begin, `sets` of them: `@acc`."""

    node: ClassVar[str] = "start"

    accumulator: Accumulator
    sets: int


@dataclass(frozen=True, slots=True)
class Combine:
    """What the threads of a scope have becomes one value, `@total`, from thread over lanes or warp to block.

    "thread": the `sets` accumulators of a thread; "lanes": of as many lanes as have a row; "worker": of a warp that
    leaves its value among `values`; "workers": these values, in an order that follows from their number alone.
    """

    node: ClassVar[str] = "combine"

    accumulator: Accumulator
    scope: Literal["thread", "lanes", "warp", "block", "worker", "workers"]
    sets: int = 1
    values: Expr | None = None


@dataclass(frozen=True, slots=True)
class CombineGrid:
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
class Arrive:
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
class EachRow:
    """A loop over `count` rows, `@row`, each of which is given to a block, a warp, or some lanes of a warp.

    Lanes go through rows that are not there too, without their elements; `names_row`: the number is used.
    """

    node: ClassVar[str] = "rows"

    level: Literal["lanes", "warp", "block"]
    count: Expr
    at: Geometry
    body: tuple[Node, ...]
    names_row: bool = True


@dataclass(frozen=True, slots=True)
class OfRow:
    """What lanes do only where they have a row."""

    node: ClassVar[str] = "of_row"

    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ByOne:
    """What one thread does of a block, of a warp, or of the lanes or threads that have a row."""

    node: ClassVar[str] = "by_one"

    scope: Literal["block", "warp", "lanes", "row", "across"]
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Teams:
    """Threads in teams of `@team` neighbours, a run of points for each: lanes, a block, a grid, or all workers.

    How large a team is follows from the number of `runs` that are dealt out, and of `chunks` of one.
    """

    node: ClassVar[str] = "teams"

    scope: Literal["lanes", "block", "grid", "worker"]
    at: Geometry
    runs: Expr
    chunks: Expr


@dataclass(frozen=True, slots=True)
class Workers:
    """A loop of each warp over the `@workers` of a fixed tree that it stands for."""

    node: ClassVar[str] = "workers"

    at: Geometry
    body: tuple[Node, ...]

    @property
    def given(self) -> tuple[Parameter, ...]:
        """How many there are follows from the sizes alone."""
        return (Parameter("@workers", UNSIGNED),)


@dataclass(frozen=True, slots=True)
class ValuesOfRow:
    """`@values`: where the workers of a row leave theirs, `@slots` of the block if it has the row alone."""

    node: ClassVar[str] = "values"

    accumulator: Accumulator
    at: Geometry


@dataclass(frozen=True, slots=True)
class Tile:
    """The `size` threads of a block in rows, `across` of them in each."""

    node: ClassVar[str] = "tile"

    across: int
    size: int


@dataclass(frozen=True, slots=True)
class ShortRows:
    """Rows of at most a chunk for each of LANES lanes: `sets` rows are loaded before the first is used.

    `recover` finds the kept iterators that the address of each load needs, `element` those of the element and `behind`
    those of `post`.  `waits`: what follows waits for the accesses of all lanes of the row.
    """

    node: ClassVar[str] = "short_rows"

    accumulator: Accumulator
    sets: int
    at: Geometry
    rows: Expr
    segment: Segment
    recover: tuple[tuple[Node, ...], ...]
    element: tuple[Node, ...]
    behind: tuple[Node, ...]
    post: tuple[Node, ...]
    waits: bool


@dataclass(frozen=True, slots=True)
class PointsOfRow(ShortRows):
    """The same for the points of a row of a composed kernel, of any length: a block has them all."""

    node: ClassVar[str] = "points_of_row"


# Elements that a thread with fewer columns than a chunk loads one by one, before it uses any.
SINGLE_ELEMENTS = 8


@dataclass(frozen=True, slots=True)
class ColumnSegment:
    """Neighbouring columns of a thread, `segment.width` of them, down the rows that it has.

    The thread is number `lane` of so many `lanes` that a block has for its columns.  `recover` finds the reduced
    iterators that the address of each load needs.
    """

    node: ClassVar[str] = "column_segment"

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
class EachTile:
    """A loop of a block over tiles of columns, `@tile`, as wide as its threads across, of one layer or all."""

    node: ClassVar[str] = "each_tile"

    layered: bool
    width: int
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class EachLane:
    """A loop of a thread over the `@lanes` of a fixed tree that it stands for, `@lane`; `is_first`: which take rows."""

    node: ClassVar[str] = "each_lane"

    at: Geometry
    is_first: bool
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ColumnsOfGrid:
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
class EachColumn:
    """What the first row of threads does for each of its columns, number `@k`, of which `result` is the `@total`."""

    node: ClassVar[str] = "each_column"

    accumulator: Accumulator
    at: Geometry
    width: int
    result: Expr
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class OperandTile:
    """What the points of a tile read and share, in shared memory: an element for each place of a side and each depth.

    `address` is where the element of a place, `@row` or `@column`, and reduced point `@point` is; `recover` finds the
    iterators that it needs.  Chunks of `width` neighbours are fetched together, which lie along the reduced points if
    it is `deep`, else along the places.  `fetch`, `part` and `tiles` are names for the function of the address, for
    what a thread fetches and for the shared memory; `registers` are the elements that a thread uses at one depth,
    `register` is one of them.
    """

    register: str
    type: CType
    address: Expr
    recover: tuple[Node, ...]
    down: bool
    deep: bool
    width: int
    fetch: str
    part: str
    tiles: str
    registers: str


@dataclass(frozen=True, slots=True)
class TensorProduct:
    """How tensor cores do a tile, of which they add up the products of the two operands, `depth` of them at once.

    `element` is the type of both as fragments have it.  `unrolled`: how many steps of 16 products stand in a row.
    """

    element: str
    depth: int
    unrolled: int


@dataclass(frozen=True, slots=True)
class TiledPoints:
    """Points that share what they read, in tiles: a block has a tile, a thread ITEMS x ITEMS points of it.

    There are `rows` x `columns` points, each with `points` reduced ones, in each of `outers` layers; `kept` finds the
    iterators of a layer.  `occupied` tells whether a tile has points, where it may have none.  Either blocks along y
    share the reduced points of a tile, and the last of them finishes, or each point begins with the value of `begins`,
    behind `start` and if it `loops`, and goes through its reduced points in order.
    `element` is what happens to one point with one element of each operand; `row` and `column` are the values of its
    iterators at `@row` and `@column`, where it has them.  A thread has groups of so many neighbours on each side as
    `neighbours` says.  `unit`: what a block has of the reduced points is a multiple.  `unrolled`: for so many of them
    the loop over what is fetched is unrolled, 0 for all.  `tensor`: from sm_80 on tensor cores do the same.
    """

    node: ClassVar[str] = "tiled_points"

    accumulator: Accumulator
    at: Geometry
    rows: Expr
    columns: Expr
    points: Expr
    outers: Expr | None
    kept: tuple[Node, ...]
    occupied: Expr | None
    operands: tuple[OperandTile, ...]
    element: str
    parameters: tuple[Parameter, ...]
    body: tuple[Node, ...]
    row: Expr | None
    column: Expr | None
    uses_point: bool
    start: tuple[Node, ...]
    begins: Expr | None
    loops: Expr | None
    post: tuple[Node, ...]
    sizes: tuple[TileSize, ...]
    neighbours: tuple[int, int]
    unit: int
    unrolled: int
    tensor: TensorProduct | None

    @property
    def given(self) -> tuple[Parameter, ...]:
        """What blocks leave for each other, and the tickets that they draw, where several have a tile."""
        return left_for_blocks(self.accumulator.type) if self.begins is None else ()


@dataclass(frozen=True, slots=True)
class HeldTile:
    """What a block has of an array in shared memory, `elements` in `tile`; it fetches so many as `fetched` at once.

    `firsts` are the subscripts of the first one, `plane` that of plane `@step`, where a block goes through several.
    `places` are those of element `@at`; it is at `address`, if the `condition` says that it is to be fetched, and goes
    to `offset` in shared memory.  `whole`: whether each element of a tile is, so that nothing is to be asked.
    """

    type: CType
    tile: str
    elements: int
    fetched: int
    firsts: tuple[Declare, ...]
    places: tuple[Declare, ...]
    plane: Declare | None
    whole: Expr | None
    condition: Expr | None
    address: Expr
    offset: Expr


@dataclass(frozen=True, slots=True)
class HaloPoints:
    """Points whose reads are around them: a block has a tile of `down` x `across`, and fetches what these read.

    There are `rows` x `columns` points in each of `planes`, where a block goes through several, in each of `outers`
    layers; `kept` finds the iterators of a layer, `iterators` are those of a point.  The points of a plane are done
    when `lag` planes behind it are there.
    """

    node: ClassVar[str] = "halo_points"

    at: Geometry
    rows: Expr
    columns: Expr
    planes: Expr | None
    outers: Expr | None
    kept: tuple[Node, ...]
    held: tuple[HeldTile, ...]
    lag: int
    iterators: tuple[Declare, ...]
    body: tuple[Node, ...]
    down: int
    across: int

    @property
    def items(self) -> int:
        """Points of a thread, which lie below each other."""
        return max(1, self.down * self.across // self.at.size)

    @property
    def given(self) -> tuple[Parameter, ...]:
        """How many planes a block goes through, which the number of blocks decides."""
        return (Parameter("@depth", INT),) if self.planes is not None else ()


# ---- rows that stay on the chip --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EachItem:
    """A loop over what a thread has of a row in registers, `@c` of ITEMS, which is none in the machine code."""

    node: ClassVar[str] = "each_item"

    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Unrolled:
    """Such a loop over the `count` elements of a chunk, `@k`, or over as many chunks in flight, `@l`."""

    node: ClassVar[str] = "unrolled"

    over: Literal["chunk", "flight"]
    count: int
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ExchangeParts:
    """`@parts`: shared memory of `places` values, twice, in which the exchanges of a row take turns (`@turn`).

    `members`: what is exchanged, each with its name in the union; `name` is that of the kernel, with which the union's
    begins.
    """

    node: ClassVar[str] = "parts"

    name: str
    members: tuple[tuple[Accumulator, str], ...]
    places: int


@dataclass(frozen=True, slots=True)
class GridParts(ExchangeParts):
    """The same where the whole grid has the row: blocks leave for each other what they have."""

    node: ClassVar[str] = "grid_parts"

    @property
    def given(self) -> tuple[Parameter, ...]:
        """What blocks leave for each other."""
        return (Parameter("@partials", PointerType(generated_type(f"{self.name}_partial"))),)


@dataclass(frozen=True, slots=True)
class StitchedRows:
    """A loop over the `@rows` of a team, `@row`, each of which stays on the chip from one stage to the next.

    Of neighbouring rows threads have number `@mine`; beyond the last one they repeat that, without its elements.
    `names_row`: the number of the row is used.
    """

    node: ClassVar[str] = "stitched"

    team: Team
    body: tuple[Node, ...]
    names_row: bool


@dataclass(frozen=True, slots=True)
class StageOfRow:
    """What is done to a row up to the next exchange, and `comment`, what of the source it is."""

    node: ClassVar[str] = "stage"

    comment: str
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class WhereWhole:
    """`then` where all ITEMS chunks of this thread are whole and those of runs that are `wide`, else `otherwise`."""

    node: ClassVar[str] = "where_whole"

    wide: Expr
    width: int
    then: tuple[Node, ...]
    otherwise: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A loop over the `@items` chunks that a thread has of a row in shared memory, `@c`."""

    node: ClassVar[str] = "items"

    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Flights:
    """The same loop, `count` chunks at a time: what loads them and what uses them are loops of their own in it."""

    node: ClassVar[str] = "flights"

    count: int
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ElementsOfRow:
    """A loop over the elements that a thread has of a row in shared memory, `@x`; `@own`: where its block has it."""

    node: ClassVar[str] = "elements_of_row"

    among: Literal["row", "grid"]
    body: tuple[Node, ...]


# ---- bins --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scattered:
    """Points whose values go to bins that the data choose, `body` for each, below what `prologue` computes.

    How they get there, a class for each way tells.
    """

    node: ClassVar[str] = ""
    goes_home: ClassVar[bool] = False  # whether a total is stored to the bin where it is

    scatter: Scatter
    at: Geometry
    prologue: tuple[Node, ...]
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class BinsInCopies(Scattered):
    """By atomics, into copies of the bins in shared memory, which are brought home by atomics too."""

    node: ClassVar[str] = "bins_in_copies"


@dataclass(frozen=True, slots=True)
class BinsInMemory(Scattered):
    """By atomics, into the bins where they are."""

    node: ClassVar[str] = "bins_in_memory"


@dataclass(frozen=True, slots=True)
class BinsInOrder(Scattered):
    """In order, into a copy of the bins for each warp, which a block combines and leaves to a kernel behind it."""

    node: ClassVar[str] = "bins_in_order"
    goes_home: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class FinishedBins(Scattered):
    """What blocks have left for each bin, in the order of the blocks; `groups` of threads share the blocks."""

    node: ClassVar[str] = "finished_bins"
    goes_home: ClassVar[bool] = True

    groups: int


@dataclass(frozen=True, slots=True)
class PairsOfBins(Scattered):
    """Pairs of value and bin, to be sorted: those of one reduction, whose updates are the `sites`."""

    node: ClassVar[str] = "pairs"


@dataclass(frozen=True, slots=True)
class BucketsOfBins(Scattered):
    """Sorted pairs, a block for each bucket of neighbouring bins."""

    node: ClassVar[str] = "buckets"
    goes_home: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class RunLengths:
    """How many points each of `runs` rows has whose lengths are data, `@count`."""

    node: ClassVar[str] = "lengths"

    runs: Expr
    body: tuple[Node, ...]


Block: TypeAlias = (
    Segment | Start | Combine | CombineGrid | Arrive | EachRow | OfRow | ByOne | Teams | Workers | ValuesOfRow | Tile
    | Sync | ShortRows | ColumnTeam | ColumnLanes | ColumnPlaces | ColumnPlace | StartColumns | ColumnSegment | KeepLane
    | OwnColumns | CombineColumns | LeftByBlocks | EachTile | EachLane | ColumnsOfGrid | EachColumn | TiledPoints
    | HaloPoints | Local | Run | LoadChunk | StoreChunk | EachItem | Unrolled | RowTeam | ExchangeParts | RowPlace
    | StitchedRows | StageOfRow | ChunkPlace | OwnPlace | ElementPlace | WhereWhole | Items | Flights | ElementsOfRow
    | Exchange | PutInBin | Scattered | RunLengths
)  # fmt: skip
Node: TypeAlias = SimpleStatement | For | WhileLoop | If | Switch | SharedDecl | Block


# ---- functions ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HelperCall:
    """A device function beside a kernel: the macro that prints it, as `shapes.cuh.j2` calls it, and its arguments.

    The first of these is what it is for.
    """

    macro: str
    arguments: tuple[Accumulator | Scatter | ExchangeParts | Geometry | int | str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The accumulator that it is for, or the bins, or the kernel whose rows stay on the chip."""
        match self.arguments:
            case (Accumulator(name=name), *_) | (ExchangeParts(name=name), *_):
                return (name,)
            case (Scatter(bins=bins), *_):
                return tuple(each.name for each in bins)
        return ()


@dataclass(frozen=True, slots=True)
class RunCounts:
    """The runs of points of one result: `length` points each, on average where data says it, one for each value that
    the `loops` around them take together; at most so many where the rows are no box.
    """

    loops: tuple[Expr, ...]
    length: Expr


@dataclass(frozen=True, slots=True)
class Counts:
    """How many points a reduction has: `rows` kept ones, `columns` along the last row of them, `outers` in others.

    `reduced` is the number of points of each; None where data says it.
    """

    rows: Expr
    outers: Expr
    columns: Expr
    reduced: Expr | None


@dataclass(frozen=True, slots=True)
class KernelFunction:
    """One `__global__` function, or a device function that has a part of a launch: its head and what it does.

    `shape` is what launches know it by; `helpers` are the device functions that it brings, `numbers` its template
    parameters.  `extra` are parameters besides what nodes name, with the arguments at the launch.  For launches:
    `counts` of a reduction and the `runs` of one of its results, the numbers of `lanes` that it is made for, and for
    each loop that is `dealt` out the places of the kept rows that it goes through.
    """

    name: str
    shape: str
    comment: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    arguments: tuple[Expr, ...]
    block: int
    body: tuple[Node, ...]
    accumulator: Accumulator | None = None
    helpers: tuple[HelperCall, ...] = ()
    numbers: tuple[str, ...] = ()
    index: str = "long long"  # C type of flat indices
    layout: str = ""  # as in `Geometry`
    resident: int = 1  # blocks that must fit on an SM together, which limits the registers
    extra: tuple[tuple[Parameter, Expr], ...] = ()
    counts: Counts | None = None
    runs: RunCounts | None = None
    lanes: tuple[int, ...] = ()
    dealt: tuple[tuple[int, ...], ...] = ()
    kernel: str = ""  # the kernel of the mapping whose work it does, or a part of

    @property
    def at(self) -> Geometry:
        """How the place of a thread is spelled."""
        return Geometry(self.layout, self.block)

    @property
    def work(self) -> Node:
        """The building block that does all the work, where there is one: what scalars need stands before it."""
        return self.body[-1]


def blocks_in(value: object) -> Iterator[Node]:
    """All building blocks and statements in nodes, those inside of others behind these."""
    for record in _records_in(value):
        if isinstance(record, Node):
            yield record


def accumulators_in(nodes: tuple[Node, ...]) -> tuple[Accumulator, ...]:
    """What the building blocks of a function combine."""
    return tuple({record.name: record for record in _records_in(nodes) if isinstance(record, Accumulator)}.values())


def _records_in(value: object) -> Iterator[object]:
    """Nodes and the records that they have, without expressions and types."""
    kind: type = type(value)
    if kind is tuple:
        for item in value:  # type: ignore[attr-defined]
            yield from _records_in(item)
    elif kind not in EXPRESSIONS:
        yield value
        for name in _fields_of(kind):
            yield from _records_in(getattr(value, name))
