"""Nodes of points that share what they read, in tiles of a block: operands in shared memory, points in registers.

A block has a tile of @tile_rows x @tile_columns points, a thread DOWN x ACROSS of them: template parameters of
its kernel, as are DEPTH, for how many reduced points operands are on the chip at once, and BLOCKS, how many of these
a multiprocessor has.  Stage: codegen.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal, TypeAlias

from pencilc.ir.accumulators import Accumulator
from pencilc.ir.nodes import BuildingBlock, Node, Parameter, left_for_blocks
from pencilc.ir.shapes import TileSize
from pencilc.ir.source import CType, Expr
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class OperandTile:
    """What the points of a tile read and share, in shared memory: an element for each place of a side and each depth.

    `address` is where the element of a place, `@row` or `@column`, and reduced point `@point` is; `recover` finds the
    iterators that it needs.  Chunks of `width` neighbours are fetched together, which lie along the reduced points if
    it is `deep`, else along the places.  `is_even`: from one reduced point to the next the address moves by the same
    distance.  `fetch`, `part` and `tiles` are names for the function of the address, for what a thread fetches and for
    the shared memory; `whole` for whether it fetches whole chunks, without a look at each, and `chunks` for where these
    are; `registers` are the elements that a thread uses at one depth, `register` is one of them.  Where the source does
    not read all elements of the box, `read` tells whether it reads the one at a place and a point, behind the iterators
    of `recover_read`, and `is_read` is the name of the function of it.  `is_whole`: all reduced points of a stage are
    there.
    """

    register: str
    type: CType
    address: Expr
    recover: tuple[Node, ...]
    down: bool
    deep: bool
    width: int
    is_even: bool
    fetch: str
    part: str
    tiles: str
    whole: str
    chunks: str
    registers: str
    read: Expr | None = None
    is_read: str = ""
    recover_read: tuple[Node, ...] = ()
    is_whole: bool = True

    @property
    def is_wide(self) -> bool:
        """Whether several neighbours are fetched together."""
        return self.width > 1

    @property
    def one_by_one(self) -> OperandTile:
        """The same where each element is fetched by itself."""
        return replace(self, width=1)

    @property
    def rest(self) -> OperandTile:
        """The same where each element is fetched by itself, in stages that need not be whole."""
        return replace(self, width=1, is_whole=False)


@dataclass(frozen=True, slots=True)
class FragmentNames:
    """What the runtime calls fragments of a factor, those of sums, and the function that adds a product to these."""

    factor: str
    sums: str
    multiply: str


@dataclass(frozen=True, slots=True)
class TensorProduct:
    """How tensor cores do a tile, of which they add up the products of the two operands, `depth` of them at once.

    `element` is the type of both as fragments have it.  `stages`: how many times `depth` products have place in shared
    memory; all but one may be on their way.  A fragment of a factor has 16 places and `step` reduced points; so many
    steps stand in a row, `unrolled`.  `keeps_places`: a thread keeps where it finds the next stage, if that is whole.
    """

    element: str
    names: FragmentNames
    depth: int
    stages: int
    step: int
    unrolled: int
    keeps_places: bool
    down: OperandTile
    across: OperandTile


# ---- which tile a block has --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TileOfBlock(BuildingBlock):
    """Which tile a block has: `@first_row`, `@first_column`; blocks that run together have tiles near each other.

    There are `rows` x `columns` points (`@rows`, `@columns`), each with `points` reduced ones (`@points`), in each of
    `outers` layers (`@outer`).
    """

    node: ClassVar[str] = "tile_of_block"

    rows: Expr
    columns: Expr
    points: Expr
    outers: Expr | None


@dataclass(frozen=True, slots=True)
class RowsOfTiles(BuildingBlock):
    """Which rows of tiles a block has, all of them or a share: `@first_column` moves on to `@last_column`.

    The rest is that of `TileOfBlock`.
    """

    node: ClassVar[str] = "rows_of_tiles"

    rows: Expr
    columns: Expr
    points: Expr
    outers: Expr | None


@dataclass(frozen=True, slots=True)
class LeaveEmpty(BuildingBlock):
    """A tile of which the condition `occupied` does not hold has no points: its block returns."""

    node: ClassVar[str] = "leave_empty"

    occupied: Expr


@dataclass(frozen=True, slots=True)
class RangeOfPoints(BuildingBlock):
    """The reduced points that a tile has, `@begin` to `@end`: none before `first`, none from `last` on.

    It begins with a multiple of `unit`.  Where `first` or `last` is None, all points of the box may be there.  Unless
    `with_elements` holds there are none at all; it is None where that needs no question.
    """

    node: ClassVar[str] = "range_of_points"

    unit: int
    first: Expr | None
    last: Expr | None
    with_elements: Expr | None = None


@dataclass(frozen=True, slots=True)
class ShareOfPoints(BuildingBlock):
    """The reduced points that a block has of its tile, `@at` to `@last`; it begins with a multiple of `unit`.

    A tile has all of them, or where they are `ranged` those of `RangeOfPoints`.
    """

    node: ClassVar[str] = "share_of_points"

    unit: int
    ranged: bool = False


@dataclass(frozen=True, slots=True)
class FromArch(BuildingBlock):
    """`then` on devices from `arch` on, `otherwise` on older ones: chosen when the file is compiled."""

    node: ClassVar[str] = "from_arch"

    arch: int
    then: tuple[Node, ...]
    otherwise: tuple[Node, ...]


# ---- operands ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OperandAddress(BuildingBlock):
    """The function that finds the element of an operand."""

    node: ClassVar[str] = "operand_address"

    operand: OperandTile


@dataclass(frozen=True, slots=True)
class TileMemory(BuildingBlock):
    """Shared memory for two sets of the operands, each DEPTH reduced points deep; the place of a thread.

    A thread has `@group_down`, `@group_across` neighbours on each side: `down` and `across`, or all of its points where
    these are fewer.  `sizes`: what the function is made for.  `folds`: threads of a row are neighbouring lanes.
    """

    node: ClassVar[str] = "tile_memory"

    operands: tuple[OperandTile, ...]
    sizes: tuple[TileSize, ...]
    down: Expr
    across: Expr
    folds: bool = False


@dataclass(frozen=True, slots=True)
class PartsOfOperands(BuildingBlock):
    """What a thread fetches of each operand, in registers."""

    node: ClassVar[str] = "parts_of_operands"

    operands: tuple[OperandTile, ...]


@dataclass(frozen=True, slots=True)
class FetchTile(BuildingBlock):
    """Each thread fetches its part of the operands, from reduced point `point` on, of those before `last`.

    `column` is where the tile begins that they are for.
    """

    node: ClassVar[str] = "fetch_tile"
    is_dealt: ClassVar[bool] = True

    operands: tuple[OperandTile, ...]
    point: Expr
    last: Expr
    column: Expr


@dataclass(frozen=True, slots=True)
class CopyRead(BuildingBlock):
    """What the source reads of the operands goes to their set `@now`, from reduced point `point` on, up to `last`."""

    node: ClassVar[str] = "copy_read"

    operands: tuple[OperandTile, ...]
    point: Expr
    last: Expr


@dataclass(frozen=True, slots=True)
class EvenStages(BuildingBlock):
    """`body` for stages of operands that lie evenly: a thread finds its places once, and goes a step at a time.

    It is there twice: for whole stages, of which each operand is fetched in chunks, and for elements, where some are
    not aligned, and, where it `takes_rest`, for the last stage.  `@is_whole` says which one it is.
    """

    node: ClassVar[str] = "even_stages"

    operands: tuple[OperandTile, ...]
    takes_rest: bool
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class FetchNext(BuildingBlock):
    """Each thread fetches its part of the operands in the next stage, where so many reduced points are `left`."""

    node: ClassVar[str] = "fetch_next"

    operands: tuple[OperandTile, ...]
    left: Expr


@dataclass(frozen=True, slots=True)
class StoreTile(BuildingBlock):
    """What threads have fetched goes to set `@now` of the operands in shared memory."""

    node: ClassVar[str] = "store_tile"

    operands: tuple[OperandTile, ...]


@dataclass(frozen=True, slots=True)
class EachStage(BuildingBlock):
    """`body` while `condition` holds, with one after the other of so many `sets`, `@now`."""

    node: ClassVar[str] = "each_stage"

    condition: Expr
    body: tuple[Node, ...]
    sets: int = 2

    @property
    def more_than_two(self) -> int:
        """The number of the last set, where there are more than two."""
        return self.sets - 1 if self.sets > 2 else 0


@dataclass(frozen=True, slots=True)
class StagesAhead(BuildingBlock):
    """Stage after stage from `@at` on, each of them on its way while the one before it is used.

    `fetch` is for the stage at `@next`, which there is where `is_next` holds; `use` is for the one at `@at`, which is
    in set `@now`; `show` puts what was fetched into the other set, where all threads see it.  The text has each of
    them once, for the first stage is fetched where the others are: nvcc has less to do.
    """

    node: ClassVar[str] = "stages_ahead"

    is_next: Expr
    fetch: tuple[Node, ...]
    use: tuple[Node, ...]
    show: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class NextOfTiles(BuildingBlock):
    """What comes behind `@at`, of the same tile or, where that `@ends`, of the next: `@next` and `@next_column`."""

    node: ClassVar[str] = "next_of_tiles"


@dataclass(frozen=True, slots=True)
class UseTile(BuildingBlock):
    """`element` for each point of a thread, at each depth of set `@now`: all of them where `whole`, else up to `last`.

    One of these is None where a stage is known to be whole, or may well end before.  `row` and `column` are the values
    of the point's iterators at `@row` and `@column`, where the element has them, and `uses_point` says whether it has
    the number of the reduced point.  `unrolled`: for so many depths the loop is unrolled, 0 for all.
    `in_forms`: as even stages say, those that are whole and those that are not (`EvenStages`).
    `by_rows`: threads with so many points down go through them row by row; 0: there are no such.
    """

    node: ClassVar[str] = "use_tile"
    is_dealt: ClassVar[bool] = True

    accumulator: Accumulator
    element: str
    operands: tuple[OperandTile, ...]
    row: Expr | None
    column: Expr | None
    uses_point: bool
    whole: Expr | None
    last: Expr | None
    unrolled: int
    by_rows: int
    in_forms: bool = False


# ---- points ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ElementOfTile(BuildingBlock):
    """The function of what happens to one point with one element of each operand."""

    node: ClassVar[str] = "element_of_tile"

    element: str
    parameters: tuple[Parameter, ...]
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class StartTile(BuildingBlock):
    """`@acc` of each point of a thread, which begins with no point."""

    node: ClassVar[str] = "start_tile"

    accumulator: Accumulator


@dataclass(frozen=True, slots=True)
class BlankTile(BuildingBlock):
    """`@acc` of each point of a thread, which other nodes let begin."""

    node: ClassVar[str] = "blank_tile"

    accumulator: Accumulator


@dataclass(frozen=True, slots=True)
class BeginPoints(BuildingBlock):
    """`body` lets `@acc` begin, for the points that a thread has at `@row` and `@column`, or all of its places.

    They are number `@r` and `@c`.
    """

    node: ClassVar[str] = "begin_points"

    of: Literal["points", "items"]
    accumulator: Accumulator
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class BeginTile(BuildingBlock):
    """`body` where a tile begins, of several that a block goes through."""

    node: ClassVar[str] = "begin_tile"

    body: tuple[Node, ...]


# ---- results -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EachLine(BuildingBlock):
    """`body` for each of the `count` lines of points that a thread, or a warp, has: `@r`; `why`, for the reader.

    The loop is not unrolled: `body` holds all that follows a point.
    """

    node: ClassVar[str] = "each_line"

    count: Expr
    body: tuple[Node, ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class TileAgain(BuildingBlock):
    """Where the tile of the block begins, found again: it is in no register while its stages come and go."""

    node: ClassVar[str] = "tile_again"


@dataclass(frozen=True, slots=True)
class LinePlace(BuildingBlock):
    """Where the results of a thread begin among those of 16 lines, `@own_row`."""

    node: ClassVar[str] = "line_place"


@dataclass(frozen=True, slots=True)
class ResultsOfTile(BuildingBlock):
    """Shared memory for 16 lines of results, `@results`."""

    node: ClassVar[str] = "results_of_tile"

    accumulator: Accumulator


@dataclass(frozen=True, slots=True)
class HandOver(BuildingBlock):
    """Line `@r`, of `count`, of the points that each thread, or warp, has goes to the results in shared memory."""

    node: ClassVar[str] = "hand_over"

    of: Literal["items", "fragments"]
    count: Expr
    accumulator: Accumulator


@dataclass(frozen=True, slots=True)
class PointsOfLines(BuildingBlock):
    """`body` for the points of line `@r` of each thread, or warp, neighbours to neighbouring threads.

    They are at `@row` and `@column`, and number `@x` of all.
    """

    node: ClassVar[str] = "points_of_lines"
    is_dealt: ClassVar[bool] = True

    of: Literal["items", "fragments"]
    body: tuple[Node, ...]


# ---- blocks that share a tile --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SlotsOfTile(BuildingBlock):
    """Where the blocks of a tile, or of its rows, leave what they have for each other, `@slots`."""

    node: ClassVar[str] = "slots_of_tile"

    of: Literal["tile", "rows"]
    accumulator: Accumulator

    @property
    def given(self) -> tuple[Parameter, ...]:
        """The memory of all tiles, and the tickets that blocks draw."""
        return left_for_blocks(self.accumulator.type)


@dataclass(frozen=True, slots=True)
class LeaveTile(BuildingBlock):
    """Where several blocks share a tile, each leaves what it has of it; the last one to arrive goes on alone.

    It combines what all have left, once for all points, into the first slot.
    """

    node: ClassVar[str] = "leave_tile"

    of: Literal["items", "fragments", "rows"]
    accumulator: Accumulator


@dataclass(frozen=True, slots=True)
class TotalOfTile(BuildingBlock):
    """The value of a point, or a row, `@total`: `here`, of this block alone, or that of all blocks at `slot`."""

    node: ClassVar[str] = "total_of_tile"

    accumulator: Accumulator
    here: Expr
    slot: Expr


@dataclass(frozen=True, slots=True)
class EmptyTotal(BuildingBlock):
    """`@total` of a point without elements: the value that changes none."""

    node: ClassVar[str] = "empty_total"

    accumulator: Accumulator


# ---- points that are folded into rows --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FoldedPlaces(BuildingBlock):
    """What the points of each row of a thread are folded into, `@folded`, which begins with no point.

    `in_shared`: with so many points of a thread no register is left for that; 0: with none of those that it may have.
    """

    node: ClassVar[str] = "folded_places"

    accumulator: Accumulator
    in_shared: int


@dataclass(frozen=True, slots=True)
class FoldOfPoint(BuildingBlock):
    """The function that folds a point into the accumulator of its row: `body`, with the point's value, `@total`.

    Of the places of the point it `takes` these.
    """

    node: ClassVar[str] = "fold_of_point"

    fold: str
    takes: tuple[str, ...]
    value: CType
    accumulator: Accumulator
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class FoldPoints(BuildingBlock):
    """The points of a thread are folded into those of its rows, by `fold`, which `takes` these of their places."""

    node: ClassVar[str] = "fold_points"
    is_dealt: ClassVar[bool] = True

    fold: str
    takes: tuple[str, ...]
    takes_column: bool
    points: Accumulator
    accumulator: Accumulator


@dataclass(frozen=True, slots=True)
class CombineFolded(BuildingBlock):
    """The threads of a row combine what they have, to `@results` in shared memory."""

    node: ClassVar[str] = "combine_folded"

    accumulator: Accumulator


@dataclass(frozen=True, slots=True)
class RowsOfTile(BuildingBlock):
    """`body` for each row of the tile, a thread for each: `@row`, number `@x`."""

    node: ClassVar[str] = "rows_of_tile"
    is_dealt: ClassVar[bool] = True

    body: tuple[Node, ...]


# ---- tensor cores ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TensorMemory(BuildingBlock):
    """Shared memory for `@stages` of the operands, or for results, `@tile_of`; the part of a warp in a tile."""

    node: ClassVar[str] = "tensor_memory"

    product: TensorProduct
    accumulator: Accumulator


@dataclass(frozen=True, slots=True)
class StartFragments(BuildingBlock):
    """`@acc`, the fragments of a warp, of points that begin with no reduced point."""

    node: ClassVar[str] = "start_fragments"

    product: TensorProduct
    accumulator: Accumulator


@dataclass(frozen=True, slots=True)
class WholeFragments(BuildingBlock):
    """Whether this thread fetches whole, aligned chunks of each operand, `whole`, whatever the reduced point."""

    node: ClassVar[str] = "whole_fragments"

    operands: tuple[OperandTile, ...]


@dataclass(frozen=True, slots=True)
class ChunksOfFragments(BuildingBlock):
    """Where this thread finds what it fetches behind the first stages, `chunks`, if all of both operands is whole."""

    node: ClassVar[str] = "chunks_of_fragments"

    operands: tuple[OperandTile, ...]


@dataclass(frozen=True, slots=True)
class FetchFragments(BuildingBlock):
    """What is at reduced point `point` and behind it is on its way to stage `stage` of the operands.

    `keeps_places`: where all of it is whole it is found by its `chunks`, which go on to the next stage.
    """

    node: ClassVar[str] = "fetch_fragments"

    operands: tuple[OperandTile, ...]
    stage: Expr
    point: Expr
    keeps_places: bool


@dataclass(frozen=True, slots=True)
class FirstStages(BuildingBlock):
    """`body` fetches stage `@now`, of all but one; what is on its way then counts as one, be it nothing."""

    node: ClassVar[str] = "first_stages"

    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class CommitStage(BuildingBlock):
    """What this thread has fetched since counts as one stage that is on its way, be it nothing."""

    node: ClassVar[str] = "commit_stage"


@dataclass(frozen=True, slots=True)
class WaitForStage(BuildingBlock):
    """What this thread has fetched for `@now` is there; a barrier behind it says so of what all have."""

    node: ClassVar[str] = "wait_for_stage"


@dataclass(frozen=True, slots=True)
class MultiplyFragments(BuildingBlock):
    """The products of stage `@now` are added to the fragments of each warp."""

    node: ClassVar[str] = "multiply_fragments"

    product: TensorProduct
    accumulator: Accumulator


# What decides about a tile, about tensor cores, about all that is on the chip, about points, about results.
OfTile: TypeAlias = TileOfBlock | RowsOfTiles | LeaveEmpty | RangeOfPoints | ShareOfPoints | FromArch
OfTensorCores: TypeAlias = (
    TensorMemory
    | WholeFragments
    | ChunksOfFragments
    | FetchFragments
    | FirstStages
    | CommitStage
    | WaitForStage
    | MultiplyFragments
)
TileOperands: TypeAlias = (
    OperandAddress | TileMemory | PartsOfOperands | FetchTile | EvenStages | FetchNext | CopyRead | StoreTile
    | EachStage | StagesAhead | NextOfTiles | UseTile | OfTensorCores
)  # fmt: skip
TilePoints: TypeAlias = (
    ElementOfTile | StartTile | BlankTile | StartFragments | BeginPoints | BeginTile | FoldedPlaces
    | FoldOfPoint | FoldPoints
)  # fmt: skip
TileResults: TypeAlias = (
    EachLine | TileAgain | LinePlace | ResultsOfTile | HandOver | PointsOfLines | SlotsOfTile | LeaveTile | TotalOfTile
    | EmptyTotal | CombineFolded | RowsOfTile
)  # fmt: skip
