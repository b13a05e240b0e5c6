"""What a block does with its tile: fetch, use, hand over; gpu/shapes/tiles.py says how large tiles are."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.codegen.bodies import set_to
from pencilc.ir.accumulators import Accumulator
from pencilc.ir.build import (
    BLOCKS,
    ONE,
    ZERO,
    binary,
    choice,
    declare,
    element,
    minus,
    negation,
    number,
    plus,
    times,
    variable,
)
from pencilc.ir.nodes import Braces, If, Node, Parameter, Sync
from pencilc.ir.shapes import TileSize
from pencilc.ir.source import BOOL, INT, CType, Expr, PointerType
from pencilc.ir.tiles import (
    BeginPoints,
    BeginTile,
    BlankTile,
    ChunksOfFragments,
    CombineFolded,
    CommitStage,
    CopyRead,
    EachLine,
    EachStage,
    ElementOfTile,
    EvenStages,
    FetchFragments,
    FetchNext,
    FetchTile,
    FirstStages,
    FoldedPlaces,
    FoldOfPoint,
    FoldPoints,
    HandOver,
    LeaveEmpty,
    LeaveTile,
    LinePlace,
    MultiplyFragments,
    NextOfTiles,
    OperandAddress,
    OperandTile,
    PartsOfOperands,
    PointsOfLines,
    RangeOfPoints,
    ResultsOfTile,
    RowsOfTile,
    RowsOfTiles,
    ShareOfPoints,
    SlotsOfTile,
    StagesAhead,
    StartFragments,
    StartTile,
    StoreTile,
    TensorMemory,
    TensorProduct,
    TileAgain,
    TileMemory,
    TileOfBlock,
    TotalOfTile,
    UseTile,
    WaitForStage,
    WholeFragments,
)
from pencilc.records import dataclass

DOWN, ACROSS, DEPTH = (variable(name) for name in ("DOWN", "ACROSS", "DEPTH"))
AT, NEXT, LAST, POINTS = (variable(name) for name in ("@at", "@next", "@last", "@points"))
COLUMN, NEXT_COLUMN, LAST_COLUMN = (variable(name) for name in ("@first_column", "@next_column", "@last_column"))
_IS_WHOLE = variable("@is_whole", BOOL, True)
_ALONE = binary("==", BLOCKS["y"], ONE)


@dataclass(frozen=True, slots=True)
class TileElement:
    """What happens to one point with one element of each operand: `function`, with `parameters` and `body`.

    `row`, `column` and `uses_point` as in `UseTile`.
    """

    function: str
    parameters: tuple[Parameter, ...]
    body: tuple[Node, ...]
    row: Expr | None
    column: Expr | None
    uses_point: bool


@dataclass(frozen=True, slots=True)
class Begin:
    """The value that a point begins with, behind `start` and if it `loops`; all of them do so `alike`, or not."""

    start: tuple[Node, ...]
    value: Expr
    loops: Expr | None
    alike: bool


@dataclass(frozen=True, slots=True)
class Folded:
    """What the points of each row of tiles are folded into, behind their loop, tile by tile.

    `body` is what is done with `@total`, the value of a point, and with `@acc`, the accumulator of its row; of the
    places of the point it `takes` these.  `post` follows each row.
    """

    accumulator: Accumulator
    takes: tuple[str, ...]
    body: tuple[Node, ...]
    post: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class PartialTiles:
    """Tiles of which points have different reduced ones: none before `first`, none from `last` on.

    `here` and `ahead` tell whether all points have the whole stage at `@at`, or at `@next`; `element` is what happens
    then, without conditions.
    """

    first: Expr | None
    last: Expr | None
    here: Expr
    ahead: Expr
    element: TileElement


@dataclass(frozen=True, slots=True)
class TileParts:
    """What tiles of all forms are made of.

    There are `rows` x `columns` points, each with `points` reduced ones, in each of `outers` layers; `kept` finds the
    iterators of a layer, and `occupied` tells whether a tile has points, where it may have none.  A thread has groups
    of so many `neighbours` on each side at most; for so many depths the loop over what is fetched is `unrolled`, 0 for
    all.  `begin` is None where points begin with no reduced point, which blocks share then.  `is_stepwise`: threads
    find the places of what they fetch once.  `partial` is None where all points have the same reduced ones;
    `with_elements` tells whether a tile has any element, where one that has points may have none.
    `by_rows`: threads with so many points down go through them row by row; 0: there are no such.
    """

    accumulator: Accumulator
    rows: Expr
    columns: Expr
    points: Expr
    outers: Expr | None
    kept: tuple[Node, ...]
    occupied: Expr | None
    operands: tuple[OperandTile, ...]
    element: TileElement
    begin: Begin | None
    post: tuple[Node, ...]
    sizes: tuple[TileSize, ...]
    neighbours: tuple[int, int]
    unrolled: int
    is_stepwise: bool = False
    partial: PartialTiles | None = None
    by_rows: int = 0
    with_elements: Expr | None = None

    @property
    def is_ranged(self) -> bool:
        """Whether tiles begin or end with reduced points of their own, or have none."""
        has_ends = self.partial is not None and (self.partial.first is not None or self.partial.last is not None)
        return has_ends or self.with_elements is not None


def tile_of_points(parts: TileParts, unit: int) -> tuple[Node, ...]:
    """Which tile a block has, and which of its reduced points; the share of a block is a multiple of `unit`."""
    tile, partial = TileOfBlock(parts.rows, parts.columns, parts.points, parts.outers), parts.partial
    ranged: tuple[Node, ...] = ()
    if parts.is_ranged:
        first, last = (None, None) if partial is None else (partial.first, partial.last)
        ranged = (RangeOfPoints(unit, first, last, parts.with_elements),)
    if parts.begin is None:
        return (tile, *parts.kept, *_occupied(parts), *ranged, ShareOfPoints(unit, parts.is_ranged))
    first, last = (variable("@begin"), variable("@end")) if parts.is_ranged else (ZERO, POINTS)
    all_points = (declare("@at", INT, first), declare("@last", INT, last, is_const=True))
    return (tile, *parts.kept, *_occupied(parts), *ranged, *all_points)


def _occupied(parts: TileParts) -> tuple[Node, ...]:
    """A block whose tile has no points leaves; the others find their operands."""
    from_addresses = tuple(map(OperandAddress, parts.operands))
    return from_addresses if parts.occupied is None else (LeaveEmpty(parts.occupied), *from_addresses)


# ---- in the registers of threads ---------------------------------------------------------------------


def in_registers(parts: TileParts) -> tuple[Node, ...]:
    """A tile by ordinary instructions: a thread has its points in registers."""
    if parts.partial is not None:
        stages = _in_part(parts, parts.partial)
    else:
        stages = _by_steps(parts) if parts.is_stepwise else _by_addresses(parts)
    return (_memory(parts), *_start(parts), *_element(parts), *stages, *_again(parts), LinePlace(), *_results(parts))


def _again(parts: TileParts) -> tuple[Node, ...]:
    """Blocks that share a tile keep more than others while stages come and go."""
    return (TileAgain(),) if parts.begin is None else ()


def _by_steps(parts: TileParts) -> tuple[Node, ...]:
    """Stages of which each fetch begins a step behind the last one."""
    most = declare("@most", INT, minus(LAST, choice(_IS_WHOLE, DEPTH, ONE)), is_const=True)
    stages = _even_stages(parts, binary("<=", NEXT, variable("@most", INT, True)), parts.element)
    return (EvenStages(parts.operands, True, (most, stages)),)


def _even_stages(parts: TileParts, is_next: Expr, made: TileElement) -> Node:
    """Stages of operands that lie evenly, while there `is_next` one, with `made` for each element."""
    use = replace(_use(parts, ONE, None, made), in_forms=True)
    return _stages_ahead(parts, is_next, FetchNext(parts.operands, minus(LAST, NEXT)), use)


def _stages_ahead(parts: TileParts, is_next: Expr, fetch: Node, use: Node) -> Node:
    """Stages, of which each is fetched while the one before it is used, and stored behind that."""
    return StagesAhead(is_next, (fetch,), (use,), (StoreTile(parts.operands), Sync("block")))


def _in_part(parts: TileParts, partial: PartialTiles) -> tuple[Node, ...]:
    """Stages that all points of the tile have, one behind the other; those before and behind by single elements."""
    operands, is_left = parts.operands, binary("<", AT, LAST)
    is_next = binary("&&", binary("<=", plus(NEXT, DEPTH), LAST), partial.ahead)
    if parts.is_stepwise:
        even = _even_stages(parts, is_next, partial.element)
        stages: tuple[Node, ...] = (EvenStages(operands, False, (even,)),)
    else:
        fetch = FetchTile(operands, NEXT, LAST, COLUMN)
        whole = _stages_ahead(parts, is_next, fetch, _use(parts, ONE, None, partial.element))
        stages = (Braces((PartsOfOperands(operands), whole)),)
    behind = If(is_left, (Sync("block"), *_others(parts, is_left)))
    if partial.first is None:
        return (*stages, behind)
    here = binary("&&", binary("<=", plus(AT, DEPTH), LAST), partial.here)
    is_before = binary("&&", is_left, negation(here))
    return (Braces(_others(parts, is_before)), Sync("block"), *stages, behind)


def _others(parts: TileParts, condition: Expr) -> tuple[Node, ...]:
    """Stages, while `condition` holds, of which each element is asked for."""
    operands = tuple(each.one_by_one for each in parts.operands)
    fetched = tuple(each for each in operands if each.read is None)
    copied = tuple(each for each in operands if each.read is not None)
    use = _use(parts, None, LAST)
    stage = (
        *((FetchTile(fetched, AT, LAST, COLUMN),) if fetched else ()),
        CopyRead(copied, AT, LAST),
        *((StoreTile(fetched),) if fetched else ()),
        Sync("block"),
        use,
        set_to(AT, plus(AT, DEPTH)),
    )
    stages = EachStage(condition, stage)
    return (PartsOfOperands(fetched), stages) if fetched else (stages,)


def _by_addresses(parts: TileParts) -> tuple[Node, ...]:
    """Stages of which each fetch asks where its elements are, and which there are."""
    fetch = FetchTile(parts.operands, NEXT, LAST, COLUMN)
    use = _use(parts, binary("<=", NEXT, LAST), LAST)
    return (PartsOfOperands(parts.operands), _stages_ahead(parts, binary("<", NEXT, LAST), fetch, use))


def _memory(parts: TileParts, folds: bool = False) -> TileMemory:
    down = _group(parts.neighbours[0], DOWN, [size.down for size in parts.sizes])
    across = _group(parts.neighbours[1], ACROSS, [size.across for size in parts.sizes])
    return TileMemory(parts.operands, parts.sizes, down, across, folds)


def _group(count: int, own: Expr, sides: Seq[int]) -> Expr:
    """At most `count` neighbours, as many as a thread has: `own`, one of `sides`."""
    most = number(count)
    return choice(binary("<", own, most), own, most) if min(sides) < count else most


def _start(parts: TileParts) -> tuple[Node, ...]:
    """What points begin with."""
    if parts.begin is None:
        return (StartTile(parts.accumulator),)
    return (BlankTile(parts.accumulator), _begun(parts.accumulator, parts.begin))


def _begun(accumulator: Accumulator, begin: Begin) -> Node:
    """The values that points begin with."""
    kind = accumulator.carried
    line = element(variable("@acc"), variable("@r"), PointerType(kind))
    begins: Node = set_to(element(line, variable("@c"), kind), begin.value)
    if begin.loops is not None:
        begins = If(begin.loops, (begins,))
    body = (*begin.start, begins)
    return BeginPoints("items" if begin.alike else "points", accumulator, body)


def _element(parts: TileParts) -> tuple[Node, ...]:
    """The function of an element."""
    elements = (parts.element, *((parts.partial.element,) if parts.partial is not None else ()))
    return tuple(ElementOfTile(made.function, made.parameters, made.body) for made in elements)


def _use(parts: TileParts, whole: Expr | None, last: Expr | None, element: TileElement | None = None) -> UseTile:
    """The reduced points that are in shared memory, with the `element` of the tile or with this one."""
    made = element or parts.element
    return UseTile(
        parts.accumulator, made.function, parts.operands, made.row, made.column, made.uses_point, whole, last,
        parts.unrolled, parts.by_rows,
    )  # fmt: skip


def _results(parts: TileParts) -> tuple[Node, ...]:
    """Results go to neighbouring threads, a line at a time, and what follows each point with them."""
    found, place = parts.accumulator, variable("@x")
    here = element(variable("@results"), place, found.type)
    handed: tuple[Node, ...] = (Sync("block"), HandOver("items", DOWN, found), Sync("block"))
    if parts.begin is not None:
        total: Node = declare("@total", found.type, here)
        lines = EachLine(DOWN, (*handed, PointsOfLines("items", (total, *parts.post))))
        return ResultsOfTile(found), lines
    line = times(times(variable("@r"), number(16)), variable("@tile_columns"))
    total = TotalOfTile(found, here, plus(line, place))
    lines = EachLine(DOWN, (If(_ALONE, handed), PointsOfLines("items", (total, *parts.post))))
    return SlotsOfTile("tile", found), LeaveTile("items", found), ResultsOfTile(found), lines


# ---- folded into rows --------------------------------------------------------------------------------


def rows_of_tiles(parts: TileParts, folded: Folded, in_shared: int) -> tuple[Node, ...]:
    """A block goes through the tiles of its rows, and keeps what their points are folded into.

    `in_shared`: so many points of a thread leave no register for that, 0 where none of its sizes do.
    """
    found, fold = folded.accumulator, "@fold"
    assert parts.begin is not None
    value: CType = parts.accumulator.type
    takes_column = "@column" in folded.takes
    is_tile = binary("<", COLUMN, LAST_COLUMN)
    ends = variable("@ends", BOOL)
    stage = (
        StoreTile(parts.operands),
        Sync("block"),
        NextOfTiles(),
        If(binary("<", NEXT_COLUMN, LAST_COLUMN), (FetchTile(parts.operands, NEXT, POINTS, NEXT_COLUMN),)),
        BeginTile((_begun(parts.accumulator, parts.begin),)),
        _use(parts, binary("<=", plus(AT, DEPTH), POINTS), POINTS),
        If(ends, (FoldPoints(fold, folded.takes, takes_column, parts.accumulator, found),)),
        set_to(AT, NEXT),
        set_to(COLUMN, NEXT_COLUMN),
    )
    place = variable("@x")
    total = TotalOfTile(found, element(variable("@results"), place, found.type), place)
    return (
        RowsOfTiles(parts.rows, parts.columns, parts.points, parts.outers), *parts.kept, *_occupied(parts),
        _memory(parts, folds=True), FoldedPlaces(found, in_shared),
        FoldOfPoint(fold, folded.takes, value, found, folded.body),
        BlankTile(parts.accumulator), *_element(parts), PartsOfOperands(parts.operands), declare("@at", INT, ZERO),
        If(is_tile, (FetchTile(parts.operands, AT, POINTS, COLUMN),)), EachStage(is_tile, stage),
        CombineFolded(found), Sync("block"), SlotsOfTile("rows", found), LeaveTile("rows", found),
        RowsOfTile((total, *folded.post)),
    )  # fmt: skip


# ---- in fragments of warps ---------------------------------------------------------------------------


def in_fragments(parts: TileParts, product: TensorProduct) -> tuple[Node, ...]:
    """A tile by tensor cores: a warp has its points in fragments."""
    found, now = parts.accumulator, variable("@now")
    depth, before = variable("@tensor_depth"), minus(variable("@stages"), ONE)
    free = choice(binary("==", now, ZERO), before, minus(now, ONE))
    first = (
        declare("@next", INT, plus(AT, times(now, depth)), is_const=True),
        If(binary("<", NEXT, LAST), (FetchFragments(parts.operands, now, NEXT, False),)),
    )
    stage = (
        WaitForStage(),
        Sync("block"),
        # What comes later is on its way while this is used.
        declare("@free", INT, free, is_const=True),
        declare("@next", INT, plus(AT, times(before, depth)), is_const=True),
        If(binary("<", NEXT, LAST), (FetchFragments(parts.operands, variable("@free"), NEXT, product.keeps_places),)),
        CommitStage(),
        MultiplyFragments(product, found),
        set_to(AT, plus(AT, depth)),
    )
    high = variable("@high_fragments")
    handed = (Sync("block"), HandOver("fragments", high, found), Sync("block"))
    line = element(variable("@tile_of.results"), variable("@line"), PointerType(found.type))
    slot = plus(times(variable("@own_row"), variable("@tile_columns")), variable("@place"))
    total = TotalOfTile(found, element(line, variable("@place"), found.type), slot)
    why = "Results go to threads by way of shared memory, 32 rows at a time."
    lines = (If(_ALONE, handed), PointsOfLines("fragments", (total, *parts.post)))
    return (
        TensorMemory(product, found), StartFragments(product, found),
        WholeFragments(parts.operands), FirstStages(first),
        # Behind the first stages: in front of them nvcc has less registers for fragments in the loop.
        *((ChunksOfFragments(parts.operands),) if product.keeps_places else ()),
        EachStage(binary("<", AT, LAST), stage, product.stages), *_again(parts),
        SlotsOfTile("tile", found), LeaveTile("fragments", found), EachLine(high, lines, why),
    )  # fmt: skip
