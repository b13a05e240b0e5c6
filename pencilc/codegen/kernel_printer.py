"""The dump of the stage `kernels`: each function with its parts, a node on a line, building blocks by their names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass

from pencilc.codegen.cexpr import expression, parameter, type_text
from pencilc.codegen.cstmt import TextBlock, TextIf, TextLine, texts
from pencilc.codegen.cstmt import definition as definition_lines
from pencilc.ir.host import Entry, Fallback, HostFor, HostIf, HostLet, HostNode, KernelFile
from pencilc.ir.kernel import (
    Accumulator,
    DeviceFunction,
    KernelFunction,
    LoadVector,
    Node,
    Scatter,
    Segment,
    StitchCode,
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
    yield f"{function.name}: {what}, {function.shape}, {function.block} threads, {function.resident} blocks resident"
    for declared, argument in zip(function.parameters, function.arguments, strict=True):
        yield f"{_INDENT}parameter {parameter(declared)} = {expression(argument)}"
    if function.accumulator is not None:
        yield from _indented(_accumulator(function.accumulator, function.sets))
    parts: list[tuple[str, Iterable[str]]] = [
        ("uniform", _nodes(function.uniform)), ("prologue", _nodes(function.prologue)), ("row", _nodes(function.kept)),
        ("body", _nodes(function.body)), ("element", _segment_of(function)), ("scatter", _scatter(function.scatter)),
        ("stages", _stages(function.stitch)), ("post", _nodes(function.post)), ("launch", _details(function.launch)),
    ]  # fmt: skip
    for name, found in parts:
        inside = list(found)
        if inside:
            yield f"{_INDENT}{name}"
            yield from _indented(_indented(inside))


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"{_INDENT}{line}" for line in lines)


def _accumulator(found: Accumulator, sets: int) -> Iterator[str]:
    carried = f", carried as {type_text(found.carried)}" if found.is_cascade else ""
    yield f"accumulator {found.name}: {sets} of {type_text(found.type)}{carried}"
    for each in found.members:
        start = expression(each.identity) if each.identity is not None else f"{each.init_function}()"
        yield f"{_INDENT}{type_text(each.type)} {each.name}: {each.operator} from {start}"


def _segment_of(function: KernelFunction) -> Iterator[str]:
    return _nodes((function.segment,)) if function.segment is not None else iter(())


def _nodes(nodes: Iterable[Node]) -> Iterator[str]:
    return _texts(texts(nodes))


def _texts(found: Iterable[object]) -> Iterator[str]:
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
            case Segment():
                yield from _segment(text)


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


def _scatter(found: Scatter | None) -> Iterator[str]:
    if found is None:
        return
    for bins in found.bins:
        how = bins.atomic or "in order"
        yield f"bins {bins.name}: {expression(bins.count)} of {type_text(bins.type)} at {expression(bins.at)}, {how}"
    if found.runs is not None:
        yield f"runs {expression(found.runs.count)} of {expression(found.runs.inner)} for each place"
    elif found.inner is not None:
        yield f"rows {expression(found.rows)}, runs {expression(found.outers)} of {expression(found.inner)}"
    yield f"chunks of {found.width}, {found.in_flight} in flight"
    yield from _loads(found.loads)
    yield from _nodes((*found.kept, *found.address, *found.recover))


def _stages(found: StitchCode | None) -> Iterator[str]:
    if found is None:
        return
    yield f"row of {expression(found.count)}, chunks of {found.width}, up to {', '.join(map(str, found.items))} each"
    yield from _nodes(found.row_lines)
    for stage in found.stages:
        yield f"stage {stage.comment}"
        if stage.accumulator is not None:
            yield from _indented(_accumulator(stage.accumulator, 1))
        moved = [("load", each) for each in (*stage.loads, *stage.fetches)] + [("store", each) for each in stage.stores]
        for what, each in moved:
            if each.first is not None:
                yield f"{_INDENT}{what} {each.register} at {expression(each.first)}"
        yield from _indented(_nodes((*stage.gathers, *stage.point, *stage.body, *stage.post)))
        if stage.by_one_thread:
            yield f"{_INDENT}one thread"
            yield from _indented(_indented(_nodes(stage.by_one_thread)))


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
                    yield f"{each.name} {getattr(item, 'name', '')}".rstrip()
                    yield from _indented(inside)


def _details(details: dict[str, object]) -> Iterator[str]:
    """What a launch depends on, as far as it is computed."""
    for name, value in details.items():
        if isinstance(value, Expr):
            yield f"{name} {expression(value)}"
        elif isinstance(value, list | tuple) and value and all(isinstance(each, Expr) for each in value):
            yield f"{name} {', '.join(expression(each) for each in value)}"
