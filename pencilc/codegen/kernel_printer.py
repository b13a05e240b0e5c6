"""The dump of the stage `kernels`: each function with its parts, a node on a line, building blocks by their names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass

from pencilc.codegen.bin_lines import bin_line, bin_parts
from pencilc.codegen.cexpr import expression, parameter, type_text
from pencilc.codegen.cstmt import Text, TextBlock, TextIf, TextLine, texts
from pencilc.codegen.cstmt import definition as definition_lines
from pencilc.codegen.tile_lines import tile_line, tile_parts
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir import launching
from pencilc.ir.accumulators import Accumulator
from pencilc.ir.bins import OneRun
from pencilc.ir.build import is_number
from pencilc.ir.columns import (
    BlockOfColumns,
    ColumnLanes,
    ColumnPlace,
    ColumnPlaces,
    ColumnSegment,
    ColumnsOfGrid,
    ColumnTeam,
    CombineColumns,
    EachColumn,
    EachLane,
    EachTile,
    KeepLane,
    LeftByBlocks,
    OwnColumns,
    StartColumns,
)
from pencilc.ir.combining import (
    Arrive,
    ByOne,
    Combine,
    CombineGrid,
    EachRow,
    OfRow,
    Start,
    Teams,
    Tile,
    ValuesOfRow,
    Workers,
)
from pencilc.ir.definitions import DeviceFunction
from pencilc.ir.halo import CopyTile, EachPlane, HaloTile, LoadPlane, PlanePlaces, PointsOfTile, StorePlane
from pencilc.ir.host import Entry, Fallback, HostFor, HostIf, HostLet, HostNode, KernelFile
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.launches import KernelLaunch, LaunchComposed, LaunchPacked
from pencilc.ir.launching import StartedFunction
from pencilc.ir.mapping import LongRows
from pencilc.ir.nodes import Braces, BuildingBlock, Node, Sync, accumulators_in
from pencilc.ir.on_chip import (
    ChunkPlace,
    CopiedItems,
    CopyChunk,
    EachItem,
    ElementPlace,
    ElementsOfRow,
    Exchange,
    ExchangeParts,
    Flights,
    Items,
    LoadChunk,
    LoadItems,
    Local,
    OwnPlace,
    RowPlace,
    RowTeam,
    Run,
    StageOfRow,
    StitchedRows,
    StoreChunk,
    Unrolled,
    WhereWhole,
)
from pencilc.ir.segments import (
    ChunksOfPoint,
    CombineRows,
    LoadRows,
    LoadVector,
    RowsInFlight,
    RunOfRow,
    Segment,
    ShortRows,
    ShortSegment,
    ShortTeam,
)
from pencilc.ir.source import CType, Expr
from pencilc.ir.tiles import OfTile, TileOperands, TilePoints, TileResults
from pencilc.ir.time_nodes import EachIteration, PointsOfStep, TimeTile

_INDENT = "  "


def dump_kernels(file: KernelFile) -> str:
    """The functions of the source that the file has, its kernels, its entry points."""
    lines: list[str] = []
    for helper in file.helpers:
        if isinstance(helper, DeviceFunction):
            lines += [*definition_lines(helper), ""]
    for function in file.kernels:
        lines += [*_kernel(function), ""]
    for entry in file.entries:
        lines += [*_entry(entry), ""]
    return "\n".join(lines)


# ---- kernels ---------------------------------------------------------------------------------------


def _kernel(function: KernelFunction) -> Iterator[str]:
    what = f"part of a kernel, its blocks in a {function.layout}" if function.layout else "kernel"
    made_for = f", for numbers of {' and '.join(function.numbers)}" if function.numbers else ""
    threads = f"{function.block} threads, {function.resident} blocks resident"
    yield f"{function.name}: {what}, {function.shape}, {threads}{made_for}"
    for declared, argument in zip(function.parameters, function.arguments, strict=True):
        yield f"{_INDENT}parameter {parameter(declared)} = {expression(argument)}"
    for found in accumulators_in(function.body):
        yield from _indented(_accumulator(found))
    for result in function.scatter.results if function.scatter is not None else ():
        of = f"{expression(result.count)} of {type_text(result.bins.type)} at {expression(result.at)}"
        yield f"{_INDENT}bins {result.bins.name}: {of}, {result.bins.atomic or 'in order'}"
    brought = [f"{helper.macro} of {' and '.join(helper.names)}" for helper in function.helpers]
    if brought:
        yield f"{_INDENT}brings {', '.join(brought)}"
    yield from _indented(_nodes(function.body))


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"{_INDENT}{line}" for line in lines)


def _accumulator(found: Accumulator) -> Iterator[str]:
    carried = f", carried as {type_text(found.carried)}" if found.is_cascade else ""
    yield f"accumulator {found.name}: {type_text(found.type)}{carried}"
    for each in found.members:
        start = expression(each.identity) if each.identity is not None else f"{each.init_function}()"
        yield f"{_INDENT}{type_text(each.type)} {each.name}: {each.operator} from {start}"


def _nodes(nodes: Iterable[Node]) -> Iterator[str]:
    return _texts(texts(nodes))


def _texts(found: Iterable[Text]) -> Iterator[str]:
    for text in found:
        match text:
            case TextLine():
                yield text.text
            case TextBlock():
                yield text.head
                yield from _indented(_texts(text.body))
                if text.tail:
                    yield text.tail.strip()
            case TextIf():
                yield f"if ({text.condition})"
                yield from _indented(_texts(text.then))
                if text.otherwise:
                    yield "else"
                    yield from _indented(_texts(text.otherwise))
            case _:
                yield from _block(text)


def _block(found: BuildingBlock) -> Iterator[str]:  # noqa: C901  (one case a family)
    """A building block: who does what, and what stands in it."""
    match found:
        case Segment():
            yield from _segment(found)
        case ShortSegment():
            yield "where the chunk of this row is there"
            yield from _indented(_segment(found.segment))
        case RunOfRow():
            yield f"run {type_text(found.load.type)} {found.load.run} of @row"
            yield from _indented((*_nodes(found.recover), f"from {expression(found.load.first)}"))
        case ColumnSegment():
            yield f"down the rows, lane {expression(found.lane)} of {expression(found.lanes)}"
            yield from _indented(_nodes(node for each in found.recover for node in each))
            yield from _indented(_segment(found.segment))
        case ColumnsOfGrid():
            yield _head(found)
            yield from _indented(_nodes(found.finish))
        case CopyTile() | PlanePlaces() | LoadPlane() | StorePlane() | EachPlane():
            yield from _of_planes(found)
        case (
            OfRow() | ByOne() | EachRow() | Workers() | Braces() | EachTile() | EachLane() | EachColumn()
            | StitchedRows() | StageOfRow() | EachItem() | Unrolled() | Items() | CopiedItems() | Flights()
            | ElementsOfRow() | PointsOfTile() | ShortRows() | ChunksOfPoint() | RowsInFlight() | EachIteration()
            | PointsOfStep()
        ):  # fmt: skip
            yield _head(found)
            yield from _indented(_nodes(found.body))
        case WhereWhole():
            yield _head(found)
            yield from _indented(_nodes(found.then))
            yield "else"
            yield from _indented(_nodes(found.otherwise))
        case Local() | Run() | LoadChunk() | LoadItems() | StoreChunk() | CopyChunk():
            yield _memory(found)
        case RowTeam() | ExchangeParts() | RowPlace() | ChunkPlace() | OwnPlace() | ElementPlace():
            yield _of_row(found)
        case (
            Sync() | Start() | Combine() | CombineGrid() | Arrive() | Teams() | Tile() | ValuesOfRow() | HaloTile()
            | TimeTile() | ColumnTeam() | ColumnLanes() | ColumnPlaces() | ColumnPlace() | StartColumns() | KeepLane()
            | OwnColumns() | CombineColumns() | LeftByBlocks() | Exchange() | ShortTeam() | LoadRows() | CombineRows()
        ):  # fmt: skip
            yield _head(found)
        case _ if isinstance(found, OfTile | TileOperands | TilePoints | TileResults):
            yield from _of_tile(found)
        case _ if type(found).__module__ == launching.__name__:
            yield from _of_launch(found)
        case _:
            yield from _of_bins(found)


def _head(found: BuildingBlock) -> str:  # noqa: C901  (one case a kind)
    """What a building block does, in a line."""
    match found:
        case Start():
            return f"start {found.sets} of {found.accumulator.name}"
        case Combine():
            values = f", {expression(found.values)}" if found.values is not None else ""
            return f"combine {found.accumulator.name} over {found.scope}{values}"
        case CombineGrid():
            return f"combine {found.accumulator.name} over grid, {_ticket(found)}"
        case Arrive():
            return f"arrive, {_ticket(found)}"
        case EachRow():
            bounds = "".join(f", {each.name} = {expression(each.value)} ahead" for each in found.bounds)
            return f"rows {expression(found.count)}, each to {found.level}{bounds}"
        case ByOne():
            return f"one thread of {found.scope}"
        case Teams():
            return f"teams of {found.scope}"
        case Sync():
            return f"sync {found.scope}"
        case Tile():
            return f"threads in rows of {found.across}"
        case Braces():
            return "apart"
        case OfRow():
            return "where there is a row"
        case Workers():
            return "workers, each to a warp"
        case ValuesOfRow():
            return "values of the row"
        case BlockOfColumns():
            return f"{_columns(found)}, {found.across} threads across at most"
        case ColumnTeam():
            return _columns(found)
        case ColumnLanes():
            return f"{found.lanes} lanes of a fixed tree"
        case ColumnPlaces():
            return f"places of {expression(found.outers)} layers"
        case ColumnPlace():
            return f"@mine columns from @column on, in the {found.within.replace('_', ' ')}"
        case StartColumns():
            return f"start {found.width} of {found.accumulator.name}"
        case KeepLane():
            return f"keep {found.accumulator.name} of @lane"
        case OwnColumns():
            return f"values of {found.accumulator.name}"
        case CombineColumns():
            return f"combine {found.accumulator.name} over block, {', '.join(map(expression, found.values))}"
        case LeftByBlocks():
            blocks = f"from block {expression(found.first)} on, by {expression(found.step)}, {found.ahead} ahead"
            return f"combine {found.accumulator.name} into {expression(found.result)}, {blocks}"
        case ColumnsOfGrid():
            return f"combine {found.accumulator.name} over grid, a ticket for each tile, others return"
        case EachTile():
            return f"tiles @tile of {'@places' if found.layered else '@columns'}"
        case EachLane():
            return "lanes, each @lane to a thread"
        case EachColumn():
            return f"for each column, @total {expression(found.result)}"
        case StitchedRows():
            return f"rows @rows, each to {found.team.replace('_', ' ')}, on the chip from stage to stage"
        case StageOfRow():
            return f"stage {found.comment}"
        case Exchange():
            return f"exchange {found.accumulator.name} among {found.among}"
        case Unrolled():
            return f"unrolled {'@k' if found.over == 'chunk' else '@l'} of {found.count}"
        case EachItem():
            return "unrolled @c of ITEMS"
        case Items():
            return "chunks of the row, @c of @items"
        case CopiedItems():
            return "chunks of the row, @c of @items, all in flight, then wait"
        case Flights():
            return f"chunks of the row, @c of @items, {found.count} in flight"
        case ElementsOfRow():
            return f"elements of the row, @x, of the {found.among}"
        case ShortTeam():
            whose = "rows of the grid" if found.of == "grid" else "points of the block's row"
            sizes = f"{expression(found.rows)} of {expression(found.count)}, {found.sets} at a time"
            return f"{whose}, @lanes lanes each: {sizes}"
        case ShortRows():
            return f"rows from @first on, {found.sets} at a time"
        case ChunksOfPoint():
            return f"chunks of {found.width} of the point, @at"
        case LoadRows():
            return f"load {', '.join(each.registers for each in found.loads)}, {found.sets} rows together"
        case RowsInFlight():
            return f"unrolled @row, @l of {found.sets}"
        case CombineRows():
            return f"combine {found.accumulator.name} over the lanes of {found.sets} rows"
        case HaloTile():
            planes = f", in {expression(found.planes)} planes" if found.planes is not None else ""
            outers = f", {expression(found.outers)} layers" if found.outers is not None else ""
            sides = f"{expression(found.rows)} x {expression(found.columns)}"
            return f"a tile of {found.down} x {found.across} points of {sides}{planes}{outers}"
        case PointsOfTile():
            return f"points of the tile, {found.items} of a thread"
        case TimeTile():
            sides = " x ".join(map(str, found.sides))
            return f"a tile of {sides} elements of {' x '.join(map(expression, found.counts))}"
        case EachIteration():
            return "iterations @step of @steps, @left to come"
        case PointsOfStep():
            around = (f"from {expression(side.least)} to below {expression(side.most)}" for side in found.sides)
            return f"elements around the tile, {', '.join(around)}"
        case WhereWhole():
            return "where the row has all elements of a thread"
    raise CompilerBug(f"no line says what {type(found).__name__} does")


def _columns(found: ColumnTeam) -> str:
    return f"columns {expression(found.columns)} of {expression(found.rows)} rows, {found.width} of a thread"


def _ticket(found: CombineGrid | Arrive) -> str:
    return f"ticket {expression(found.ticket)}, others {found.leave}"


def _part(name: str, nodes: Iterable[Node]) -> Iterator[str]:
    """A part of a building block, if there is anything in it."""
    lines = list(_nodes(nodes))
    if lines:
        yield f"{_INDENT}{name}"
        yield from _indented(_indented(lines))


def _of_tile(found: BuildingBlock) -> Iterator[str]:
    """A node of a tile, with what stands in it."""
    yield tile_line(found)
    for name, nodes in tile_parts(found):
        yield from _part(name, nodes) if name else _indented(_nodes(nodes))


def _of_planes(found: CopyTile | PlanePlaces | LoadPlane | StorePlane | EachPlane) -> Iterator[str]:
    match found:
        case CopyTile():
            yield from _copy(found)
        case EachPlane():
            yield f"planes @step of @ours, @plane is {found.lag} behind"
            yield from _part("fetch", found.fetch)
            yield from _part("points", found.body)
        case PlanePlaces():
            yield f"places of {found.items} {type_text(found.type)} of a plane, {found.places}, for {found.ahead}"
            yield from _indented((*_nodes(found.subscripts), f"{found.places}[@e] {expression(found.place)}"))
        case LoadPlane():
            where = f" if {expression(found.condition)}" if found.condition is not None else ""
            yield f"load plane {expression(found.step)} to {found.ahead}{where}"
            yield from _indented((*_nodes((found.first,)), f"{found.ahead}[@e] from {expression(found.address)}"))
        case StorePlane():
            where = f" if {expression(found.condition)}" if found.condition is not None else ""
            yield f"store {found.ahead} to {found.tile}, {expression(found.offset)}{where}"


def _copy(found: CopyTile) -> Iterator[str]:
    yield f"copy {found.count} {type_text(found.type)} to {found.tile}"
    plane = (found.plane,) if found.plane is not None else ()
    where = f" if {expression(found.condition)}" if found.condition is not None else ""
    copy = f"to {expression(found.offset)} from {expression(found.address)}{where}"
    yield from _indented((*_nodes((*plane, *found.places)), copy))


def _segment(found: Segment) -> Iterator[str]:
    chunks = f"chunks of {found.width}, {found.in_flight} in flight, {found.sets} accumulators"
    chunks += ", bytes added by fours" * bool(found.byte_sums)
    dealt = f"of {expression(found.count)}, number {expression(found.rank)} of {expression(found.size)}"
    yield f"segment {dealt}, {chunks}"
    if found.point is not None:
        yield f"{_INDENT}point {expression(found.point)}"
    yield from _indented(_loads(found.loads))
    yield from _indented(_nodes(found.body))


def _loads(loads: Iterable[LoadVector]) -> Iterator[str]:
    return (f"load {type_text(each.type)} {each.register} from {expression(each.first)}" for each in loads)


def _of_bins(found: BuildingBlock) -> Iterator[str]:
    """A node of bins, with what stands in it."""
    yield bin_line(found)
    if isinstance(found, OneRun):
        yield from _indented(_loads(found.loads))
    for name, nodes in bin_parts(found):
        yield from _part(name, nodes) if name else _indented(_nodes(nodes))


def _memory(found: Local | Run | LoadChunk | LoadItems | StoreChunk | CopyChunk) -> str:
    """What a thread keeps, and what moves."""
    match found:
        case Local():
            extents = "".join(f"[{expression(each)}]" for each in found.extents)
            return f"local {type_text(found.type)} {found.name}{extents}"
        case Run():
            kind = f"{'const ' if found.is_const else ''}{type_text(found.type)}"
            return f"run {kind} {found.name} at {expression(found.first)}"
        case LoadChunk():
            return f"load {expression(found.chunk)} from {_moved(found)}"
        case LoadItems():
            return f"load {expression(found.registers)} from {expression(found.run)}, wide {expression(found.wide)}"
        case StoreChunk():
            return f"store {expression(found.chunk)} to {_moved(found)}"
        case CopyChunk():
            return f"copy {found.width} to {expression(found.place)} from {_moved(found)}"


def _moved(found: LoadChunk | StoreChunk | CopyChunk) -> str:
    at = "" if is_number(found.offset, 0) else f" + {expression(found.offset)}"
    return f"{expression(found.run)}{at}, {expression(found.left)} left, wide {expression(found.wide)}"


def _of_row(found: RowTeam | ExchangeParts | RowPlace | ChunkPlace | OwnPlace | ElementPlace) -> str:
    """Who has a row, and where in it a thread is."""
    match found:
        case RowTeam():
            few = f", some lanes if {expression(found.few)}" if found.few is not None else ""
            return f"team {found.team.replace('_', ' ')} of {found.size} threads, {found.items}{few}"
        case ExchangeParts():
            members = ", ".join(f"{each.name} as {part}" for each, part in found.members)
            return f"{found.node.replace('_', ' ')} of {found.places}: {members}"
        case RowPlace():
            rows = f", rows {expression(found.rows)}" if found.rows is not None else ""
            return f"place in the row{rows}" + (f" of {expression(found.count)}" if found.count is not None else "")
        case ChunkPlace():
            bounded = ", and what is @left there" if found.is_bounded else ""
            return f"@at of {_chunk(found)}{bounded}"
        case OwnPlace():
            return f"@own of {_chunk(found)}"
        case ElementPlace():
            return "@x of element @c"


def _chunk(found: ChunkPlace | OwnPlace) -> str:
    return f"chunk {'@c + @l' if found.in_flight else '@c'} of {found.width}"


# ---- the host --------------------------------------------------------------------------------------


def _entry(entry: Entry) -> Iterator[str]:
    yield f"entry {entry.symbol}({', '.join(parameter(each) for each in entry.host_parameters)})"
    for array in entry.arrays:
        ways = [
            way for way, used in (("in", array.copy_in), ("cleared", array.cleared), ("out", array.copy_out)) if used
        ]
        yield f"{_INDENT}copy {array.name} {' and '.join(ways) or 'nowhere'}, {expression(array.count)} elements"
        for part in array.parts:
            where = f" if {expression(part.condition)}" if part.condition is not None else ""
            yield f"{_INDENT * 2}{expression(part.first)} .. {expression(part.last)}{where}"
    yield from _indented(_nodes(entry.workspace))
    yield from _indented(_items(entry.items))


def _items(items: Iterable[HostNode]) -> Iterator[str]:
    for item in items:
        match item:
            case KernelLaunch():
                yield from _launch(item)
                continue
            case HostFor():
                by = item.step if item.factor is None else f"factor {item.factor.times} / {item.factor.by}"
                bounds = f"{expression(item.lower)} to {expression(item.upper)}, by {by}"
                yield f"for {type_text(item.type)} {item.name} from {bounds}"
            case HostIf():
                yield f"if {expression(item.condition)}"
            case HostLet():
                yield f"let {type_text(item.type)} {item.name} = {expression(item.lower)}"
            case Fallback():
                yield f"unless {item.name} ran"
                yield from _indented(_nodes(item.workspace))
        yield from _indented(_items(item.inner))


def _launch(launch: KernelLaunch) -> Iterator[str]:
    arguments = ", ".join(expression(argument) for argument in launch.arguments)
    yield f"launch {launch.name} ({launch.launched_by}, {launch.block} threads): {arguments}"
    if isinstance(launch, LaunchPacked):
        for part in launch.parts:
            where = f" if {expression(part.condition)}" if part.condition is not None else ""
            yield f"{_INDENT}part {part.number}{where}"
            yield from _indented(_indented(_launch(part.work)))
            if part.overflow is not None:
                yield f"{_INDENT}instead, beyond {part.room} bytes"
                yield from _indented(_indented(_launch(part.overflow)))
    else:
        yield from _indented(_computed(launch))
    if launch.body:
        yield f"{_INDENT}does"
        yield from _indented(_indented(_nodes(launch.body)))


def _chosen(found: launching.ChooseTiles) -> Iterator[str]:
    """What is known of the tiles to choose from, and what each size takes."""
    points, tiles = expression(found.points), expression(found.tiles)
    if found.rounds is not None:
        points += f", {expression(found.rounds)} times"
    shared = ""
    if found.shares is not None:
        most = f"up to {expression(found.shares)}" if found.splits is None else expression(found.splits)
        shared = f", each for {most} blocks"
    yield f"choose of {tiles} tiles with {points} points{shared}"
    for cost in found.costs:
        takes = f"{cost.cycles:.4g} cycles for a point, {cost.wait:.4g} of waiting, {cost.left:.4g} for what is left"
        yield f"{_INDENT}{cost.size.down} x {cost.size.across} of a thread: {takes}"


def _started(found: BuildingBlock) -> Iterator[str]:
    """Which of several forms is started, or under which condition."""
    match found:
        case launching.StartOneOf():
            yield f"start by {expression(found.value)}"
            yield from (f"{_INDENT}{case.number}: {case.start.instance}" for case in found.cases)
        case launching.HeldForms():
            yield f"forms {', '.join(each.instance for each in found.forms)}"
        case launching.StartHeld():
            several = f", of {found.shared} for several rows of a warp" if found.shared else ""
            form = f"start the form of {expression(found.threads)} threads"
            yield f"{form} for {expression(found.chunks)} chunks{several}"
        case launching.StartLong():
            yield f"start {found.function.name} if {expression(found.bytes)} bytes fit, {found.fits}"
        case launching.StartClusters():
            share = f"{expression(found.rounds)} rounds of {found.share} bytes"
            yield f"start {found.function.name} in clusters if {share} fit, {found.fits}"


def _of_launch(found: BuildingBlock) -> Iterator[str]:
    """What the entry point does: values, memory, and which function is started with how many blocks."""
    match found:
        case launching.Remark():
            return
        case launching.HostValues():
            values = ", ".join(f"{each.name} = {expression(each.value)}" for each in found.values)
            yield f"{'var' if found.varies else 'let'} {type_text(found.type)} {values}"
        case launching.Configure():
            more = (("shared", found.shared), ("together", found.together))
            parts = [f", {word} {expression(value)}" for word, value in more if value is not None]
            yield f"configure {expression(found.grid)}, {expression(found.block)}{''.join(parts)}"
        case launching.StartKernel():
            yield f"start {found.instance}{', no more blocks than are resident' if found.is_resident else ''}"
        case launching.ChooseTiles():
            yield from _chosen(found)
        case launching.EachLaunch():
            yield "@launches times"
            yield from _indented(_nodes(found.body))
        case launching.SortInBuckets():
            yield f"sort, {found.sort.pairs.name} before and {found.sort.buckets.name} behind"
        case launching.StartOneOf() | launching.HeldForms() | launching.StartHeld() | launching.StartLong():
            yield from _started(found)
        case launching.StartClusters():
            yield from _started(found)
        case _:
            named = ((each.name, getattr(found, each.name)) for each in fields(found))  # type: ignore[arg-type]
            parts = [f"{name} {expression(value)}" for name, value in named if isinstance(value, Expr)]
            yield f"{found.node.replace('_', ' ')} {', '.join(parts)}".rstrip()  # type: ignore[attr-defined]


# What stands in the first line of a launch.
_IN_HEAD = ("name", "block", "arguments", "launch", "body")


def _computed(record: object) -> Iterator[str]:
    """What a launch computes, a field of its record on a line; the functions that it starts."""
    for each in fields(record):  # type: ignore[arg-type]
        value = getattr(record, each.name)
        if each.name in _IN_HEAD:
            continue
        if isinstance(value, StartedFunction):
            arguments = ", ".join(map(expression, value.arguments))
            yield f"{each.name} {value.name} ({value.block} threads): {arguments}"
        elif isinstance(value, Expr):
            yield f"{each.name} {expression(value)}"
        elif isinstance(value, CType):
            yield f"{each.name} {type_text(value)}"
        elif isinstance(value, tuple) and value and all(isinstance(item, Expr) for item in value):
            yield f"{each.name} {', '.join(map(expression, value))}"
        elif isinstance(value, LongRows):
            yield f"{value.size} bytes for each element of a row"
        elif isinstance(record, LaunchComposed) and each.name == "regions":
            yield from _nodes(value)
        else:
            for item in value if isinstance(value, tuple) else (value,):
                inside = list(_computed(item)) if is_dataclass(item) else []
                if inside:
                    yield f"{getattr(item, 'node', each.name)} {getattr(item, 'name', '')}".rstrip()
                    yield from _indented(inside)
