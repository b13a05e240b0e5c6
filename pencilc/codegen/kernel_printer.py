"""The dump of the stage `kernels`: each function with its parts, a node on a line, building blocks by their names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass

from pencilc.codegen.cexpr import expression, parameter, type_text
from pencilc.codegen.cstmt import Text, TextBlock, TextIf, TextLine, texts
from pencilc.codegen.cstmt import definition as definition_lines
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.accumulators import Accumulator
from pencilc.ir.build import ONE
from pencilc.ir.definitions import DeviceFunction
from pencilc.ir.host import Entry, Fallback, HostFor, HostIf, HostLet, HostNode, KernelFile
from pencilc.ir.kernel import (
    Arrive,
    Block,
    ByOne,
    Columns,
    Combine,
    CombineGrid,
    EachRow,
    KernelFunction,
    LoadVector,
    Node,
    OfRow,
    RunLengths,
    Scattered,
    Segment,
    ShortRows,
    StageCode,
    Start,
    StitchedRows,
    Sync,
    Teams,
    Tile,
    TiledPoints,
    ValuesOfRow,
    Workers,
    accumulators_in,
)
from pencilc.ir.launches import KernelLaunch, LaunchComposed, LaunchPacked, StartedFunction
from pencilc.ir.mapping import LongRows
from pencilc.ir.source import CType, Expr

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


def _block(found: Block) -> Iterator[str]:
    """A building block: who does what, and what stands in it."""
    match found:
        case Segment():
            yield from _segment(found)
        case ShortRows():
            yield from _short_rows(found)
        case Columns():
            yield from _columns(found)
        case TiledPoints():
            yield from _tiled_points(found)
        case StitchedRows():
            yield from _stages(found)
        case Scattered():
            yield from _scatter(found)
        case OfRow() | ByOne() | EachRow() | Workers() | RunLengths():
            yield _head(found)
            yield from _indented(_nodes(found.body))
        case _:
            yield _head(found)


def _head(found: Block) -> str:  # noqa: C901  (one case a kind)
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
            return f"rows {expression(found.count)}, each to {found.level}"
        case ByOne():
            return f"one thread of {found.scope}"
        case Teams():
            return f"teams of {found.scope}"
        case Sync():
            return f"sync {found.scope}"
        case Tile():
            return f"threads in rows of {found.across}"
        case RunLengths():
            return f"lengths of {expression(found.runs)} runs"
        case OfRow():
            return "where there is a row"
        case Workers():
            return "workers, each to a warp"
        case ValuesOfRow():
            return "values of the row"
    raise CompilerBug(f"no line says what {type(found).__name__} does")


def _ticket(found: CombineGrid | Arrive) -> str:
    return f"ticket {expression(found.ticket)}, others {found.leave}"


def _part(name: str, nodes: Iterable[Node]) -> Iterator[str]:
    """A part of a building block, if there is anything in it."""
    lines = list(_nodes(nodes))
    if lines:
        yield f"{_INDENT}{name}"
        yield from _indented(_indented(lines))


def _short_rows(found: ShortRows) -> Iterator[str]:
    yield f"{found.node.replace('_', ' ')} {expression(found.rows)}, {found.sets} loaded together"
    yield from _part("recover", [node for each in found.recover for node in each])
    yield from _part("element", (*found.element, found.segment))
    yield from _part("post", (*((Sync("warp"),) if found.waits else ()), *found.behind, *found.post))


def _columns(found: Columns) -> Iterator[str]:
    outers = f", {expression(found.outers)} layers" if found.outers is not None else ""
    yield f"{found.node.replace('_', ' ')} {expression(found.columns)} of {expression(found.rows)} rows{outers}"
    yield from _part("layer", found.kept)
    yield from _part("prologue", found.prologue)
    yield from _part("recover", [node for each in found.recover for node in each])
    yield from _part("element", (found.segment,))
    yield from _part("post", (*((found.axis,) if found.axis else ()), *found.post))


def _tiled_points(found: TiledPoints) -> Iterator[str]:
    outers = f", {expression(found.outers)} layers" if found.outers is not None else ""
    sides = f"{expression(found.rows)} x {expression(found.columns)}"
    yield f"points in tiles, {sides} of {expression(found.points)} each{outers}"
    for size in found.sizes:
        yield f"{_INDENT}{size.items} x {size.items} of a thread, {size.depth} deep"
    if found.tensor is not None:
        cores = found.tensor
        yield f"{_INDENT}on tensor cores from sm_80 on: {cores.element}, {cores.depth} deep, {cores.unrolled} unrolled"
    yield from _part("layer", found.kept)
    if found.occupied is not None:
        yield f"{_INDENT}tiles where {expression(found.occupied)}"
    for each in found.operands:
        side = "down" if each.down else "across"
        along = "depth" if each.deep else "side"
        yield f"{_INDENT}fetch {type_text(each.type)} {each.register}, {side}, chunks of {each.width} along the {along}"
        yield from _indented(_indented((*_nodes(each.recover), f"from {expression(each.address)}")))
    if found.begins is not None:
        yield from _part("start", found.start)
        where = f" where {expression(found.loops)}" if found.loops is not None else ""
        yield f"{_INDENT}begins with {expression(found.begins)}{where}"
    yield from _part("element", found.body)
    yield from _part("post", found.post)


def _segment(found: Segment) -> Iterator[str]:
    chunks = f"chunks of {found.width}, {found.in_flight} in flight, {found.sets} accumulators"
    dealt = f"of {expression(found.count)}, number {expression(found.rank)} of {expression(found.size)}"
    yield f"segment {dealt}, {chunks}"
    if found.point is not None:
        yield f"{_INDENT}point {expression(found.point)}"
    yield from _indented(_loads(found.loads))
    yield from _indented(_nodes(found.body))


def _loads(loads: Iterable[LoadVector]) -> Iterator[str]:
    return (f"load {type_text(each.type)} {each.register} from {expression(each.first)}" for each in loads)


def _scatter(block: Scattered) -> Iterator[str]:
    found = block.scatter
    yield block.node.replace("_", " ")
    yield from _part("prologue", block.prologue)
    for bins in found.bins:
        how = bins.atomic or "in order"
        of = f"{expression(bins.count)} of {type_text(bins.type)} at {expression(bins.at)}"
        yield f"{_INDENT}bins {bins.name}: {of}, {how}"
    if found.runs is not None:
        yield f"{_INDENT}runs {expression(found.runs.count)} of {expression(found.runs.inner or ONE)} for each place"
    elif found.inner is not None:
        runs = f"runs {expression(found.outers or ONE)} of {expression(found.inner)}"
        yield f"{_INDENT}rows {expression(found.rows or ONE)}, {runs}"
    yield f"{_INDENT}chunks of {found.width}, {found.in_flight} in flight"
    yield from _indented(_loads(found.loads))
    yield from _indented(_nodes((*found.kept, *found.address)))
    yield from _part("element", (*found.recover, *block.body))


def _stages(block: StitchedRows) -> Iterator[str]:
    found = block.code
    chunks = f"chunks of {found.width}, up to {', '.join(map(str, found.items))} each"
    yield f"{block.node.replace('_', ' ')}: {expression(block.rows)} rows of {expression(found.count)}, {chunks}"
    yield from _indented(_nodes((*block.kept, *found.row_lines)))
    for stage in found.stages:
        yield f"{_INDENT}stage {stage.comment}"
        yield from _indented(_indented(_stage(stage)))


def _stage(stage: StageCode) -> Iterator[str]:
    if stage.accumulator is not None:
        yield f"start 1 of {stage.accumulator.name}"
    moved = [("load", each) for each in (*stage.loads, *stage.fetches)] + [("store", each) for each in stage.stores]
    for what, each in moved:
        if each.first is not None:
            yield f"{what} {each.register} at {expression(each.first)}"
    if stage.quotients is not None:
        yield f"while {expression(stage.quotients.exact)}"
        yield from _indented(_nodes((*stage.quotients.divisors, *stage.quotients.element)))
    if stage.ahead:
        yield "beyond the row too"
        yield from _indented(_nodes(stage.ahead))
    yield from _nodes((*stage.gathers, *stage.point, *stage.body))
    if stage.exchange is not None:
        yield f"exchange {stage.exchange.accumulator.name} among {stage.exchange.among}"
    yield from _nodes(stage.post)
    if stage.by_one_thread:
        yield "one thread"
        yield from _indented(_nodes(stage.by_one_thread))


# ---- the host --------------------------------------------------------------------------------------


def _entry(entry: Entry) -> Iterator[str]:
    yield f"entry {entry.symbol}({', '.join(parameter(each) for each in entry.host_parameters)})"
    for array in entry.arrays:
        ways = [way for way, used in (("in", array.copy_in), ("out", array.copy_out)) if used]
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
                bounds = f"{expression(item.lower)} to {expression(item.upper)}, by {item.step}"
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


# What stands in the first line of a launch.
_IN_HEAD = ("name", "block", "arguments", "launch")


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
