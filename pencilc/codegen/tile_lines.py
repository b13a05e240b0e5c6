"""The dump of points that share what they read: a line for each building block of their tiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pencilc.codegen.cexpr import expression, parameter, type_text
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.nodes import BuildingBlock, Node
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
    EmptyTotal,
    EvenStages,
    FetchFragments,
    FetchNext,
    FetchTile,
    FirstStages,
    FoldedPlaces,
    FoldOfPoint,
    FoldPoints,
    FromArch,
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
    TileAgain,
    TileMemory,
    TileOfBlock,
    TotalOfTile,
    UseTile,
    WaitForStage,
    WholeFragments,
)


def tile_line(found: BuildingBlock) -> str:  # noqa: C901  (one case a kind)
    """What a building block does, in a line."""
    match found:
        case TileOfBlock() | RowsOfTiles():
            outers = f", {expression(found.outers)} layers" if found.outers is not None else ""
            sides = f"{expression(found.rows)} x {expression(found.columns)} of {expression(found.points)} each{outers}"
            return f"{'a tile' if isinstance(found, TileOfBlock) else 'rows of tiles'} of points, {sides}"
        case LeaveEmpty():
            return f"leave unless {expression(found.occupied)}"
        case RangeOfPoints():
            ends = ((" from ", found.first), (" before ", found.last))
            known = "".join(f"{word}{expression(each)}" for word, each in ends if each is not None)
            some = f", none unless {expression(found.with_elements)}" if found.with_elements is not None else ""
            return f"@begin to @end, the reduced points of the tile{known}, by {found.unit}{some}"
        case ShareOfPoints():
            of = " from @begin to @end" if found.ranged else ""
            return f"@at to @last, a share of the reduced points{of}, by {found.unit}"
        case FromArch():
            return f"from {found.arch} on"
        case OperandAddress(operand=each):
            side, along = "down" if each.down else "across", "depth" if each.deep else "side"
            what = f"{type_text(each.type)} {each.register}, {side}, chunks of {each.width} along the {along}"
            read = f", {each.is_read} where {expression(each.read)}" if each.read is not None else ""
            return f"{each.fetch} of {what}, {expression(each.address)}{read}"
        case TileMemory():
            sizes = ", ".join(f"{size.down} x {size.across} of a thread {size.depth} deep" for size in found.sizes)
            groups = f"groups of {expression(found.down)} x {expression(found.across)}"
            return f"two sets of {_all(each.tiles for each in found.operands)}: {sizes}, {groups}"
        case PartsOfOperands():
            return f"parts {_all(each.part for each in found.operands)} of a thread"
        case FetchTile():
            return f"fetch {_parts(found.operands)} from {expression(found.point)}, of {expression(found.last)}"
        case CopyRead():
            tiles = _all(each.tiles for each in found.operands)
            return f"copy what is read to {tiles}, from {expression(found.point)}, of {expression(found.last)}"
        case EvenStages():
            rest = "then by elements what is left" if found.takes_rest else "or by elements"
            return f"even stages of {_parts(found.operands)}, by chunks, {rest}"
        case FetchNext():
            return f"fetch {_parts(found.operands)} of the next stage, of {expression(found.left)} points"
        case StoreTile():
            return f"store {_parts(found.operands)} to set @now"
        case EachStage():
            return f"stages @now of {found.sets} while {expression(found.condition)}"
        case StagesAhead():
            return f"stages @now of 2, one ahead, while {expression(found.is_next)}"
        case NextOfTiles():
            return "@next of the points, or of the next tile"
        case UseTile():
            unrolled = f", {found.unrolled} unrolled" if found.unrolled else ""
            own = f"{found.element} for each point and depth of set @now"
            if found.in_forms:
                return f"{own}, all where @is_whole, else to @last"
            if found.last is None:
                return f"{own}, all{unrolled}"
            whole = "" if found.whole is None else f"all where {expression(found.whole)}, else "
            return f"{own}, {whole}to {expression(found.last)}{unrolled}"
        case ElementOfTile():
            return f"{found.element}({', '.join(map(parameter, found.parameters))})"
        case StartTile() | StartFragments():
            where = "fragments" if isinstance(found, StartFragments) else "points"
            return f"start {found.accumulator.name} of the {where}"
        case BlankTile():
            return f"{found.accumulator.name} of the points"
        case BeginPoints():
            return f"for each of the {'points' if found.of == 'points' else 'places'} of a thread"
        case BeginTile():
            return "where a tile begins"
        case EachLine():
            return f"lines @r of {expression(found.count)}"
        case TileAgain():
            return "find the tile again"
        case LinePlace():
            return "@own_row in the results"
        case ResultsOfTile():
            return f"results of {found.accumulator.name}, 16 lines"
        case HandOver():
            return f"hand over line @r of {found.of}"
        case PointsOfLines():
            return f"points of the lines, of {found.of}"
        case SlotsOfTile():
            return f"slots of the blocks of a {'tile' if found.of == 'tile' else 'row of tiles'}"
        case LeaveTile():
            return f"where blocks share a tile, leave {found.of}; the last one goes on with all"
        case TotalOfTile():
            return f"@total of {found.accumulator.name}: {expression(found.here)}, or of all blocks"
        case EmptyTotal():
            return f"@total of {found.accumulator.name} without elements"
        case FoldedPlaces():
            return f"start {found.accumulator.name} of the rows{', in shared memory' if found.in_shared else ''}"
        case FoldOfPoint():
            return f"{found.fold}({', '.join((*found.takes, '@total', '@acc'))})"
        case FoldPoints():
            return f"{found.fold} for each point"
        case CombineFolded():
            return f"combine {found.accumulator.name} over the threads of a row"
        case RowsOfTile():
            return "rows of the tile"
        case TensorMemory(product=product):
            return f"{product.stages} stages of {product.element}, {product.depth} deep, for tensor cores"
        case WholeFragments():
            told = (f"{each.whole}{'' if each.is_even else ', never'}" for each in found.operands)
            return f"whether a thread fetches whole chunks: {_all(told)}"
        case ChunksOfFragments():
            return f"where a thread finds whole chunks: {_all(each.chunks for each in found.operands)}"
        case FirstStages():
            return "stages @now but the last, each counted as one that is on its way"
        case CommitStage():
            return "what is fetched counts as a stage"
        case FetchFragments():
            return f"fetch {_parts(found.operands)} from {expression(found.point)} to stage {expression(found.stage)}"
        case WaitForStage():
            return "wait for stage @now"
        case MultiplyFragments(product=product):
            return f"multiply {_parts((product.down, product.across))} of stage @now, {product.unrolled} unrolled"
    raise CompilerBug(f"no line says what {type(found).__name__} does")


def tile_parts(found: BuildingBlock) -> Iterator[tuple[str, tuple[Node, ...]]]:
    """What stands in a building block, each part with its name."""
    match found:
        case OperandAddress(operand=each):
            yield "", each.recover
            if each.recover_read:
                yield "whether it is read", each.recover_read
        case FromArch():
            yield "", found.then
            yield "on older ones", found.otherwise
        case (
            EvenStages() | EachStage() | FirstStages() | ElementOfTile() | BeginPoints() | BeginTile() | EachLine()
            | PointsOfLines()
        ):  # fmt: skip
            yield "", found.body
        case StagesAhead():
            yield "fetched", found.fetch
            yield "used", found.use
            yield "shown", found.show
        case FoldOfPoint() | RowsOfTile():
            yield "", found.body


def _all(names: Iterable[str]) -> str:
    return ", ".join(names)


def _parts(operands: Iterable[OperandTile]) -> str:
    return _all(each.part for each in operands)
