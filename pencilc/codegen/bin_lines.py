"""What nodes of bins do, in a line each, for the dump of the stage `kernels`."""

from __future__ import annotations

from collections.abc import Iterator

from pencilc.codegen.cexpr import expression, parameter, type_text
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.bins import (
    AddInOrder,
    Atomic,
    BinCopies,
    BinsOfBucket,
    BinsOfWarps,
    BlocksOfThread,
    BucketCopies,
    ChunkOrPoints,
    ClearCopies,
    CountOfPoints,
    EachBin,
    EachBucket,
    EachItemOfGrid,
    EndRun,
    HotBins,
    HotTotals,
    ItemPlace,
    ItemsInTurn,
    KeepOfChunk,
    KeepPair,
    KeptValue,
    LeavePart,
    LoadPart,
    OfElement,
    OneRun,
    PairsOfWarp,
    PointElement,
    PointPlace,
    PointsOfRuns,
    PointsThere,
    PutAtOnce,
    PutChunk,
    PutHot,
    PutInBin,
    RunLengths,
    TotalOfBlocks,
    TotalOfCopies,
    TotalOfGroups,
    ValueRun,
)
from pencilc.ir.build import ONE
from pencilc.ir.nodes import BuildingBlock, Node

_WAITS = {"warp": "the lanes of its warp", "chunk": "the points of its chunk", "sort": "a sort"}
_COPIES = {"block": "a warp takes one of @copies", "warp": "each warp has one"}


def bin_line(found: BuildingBlock) -> str:  # noqa: C901  (one case a kind)
    """What the node does; raises CompilerBug for one of another family."""
    match found:
        case Atomic(bins=bins):
            how = "a loop of atomicCAS" if bins.atomic == "swap" else bins.atomic
            return f"{how} of {expression(found.value)} at {expression(found.to)}"
        case AddInOrder():
            return f"lanes add {expression(found.value)} to bin {expression(found.bin)} of {expression(found.copy)}"
        case BinCopies():
            kinds = ", ".join(f"{type_text(each.type)} {each.name}" for each in found.bins)
            return f"copies of {kinds} in @shared, {_COPIES[found.among]}"
        case ClearCopies():
            return f"clear the copies of {', '.join(each.name for each in found.bins)}"
        case HotBins():
            return f"table of {found.slots} bins of {found.bins.name} that are met often"
        case PutHot():
            return f"{expression(found.value)} to the slot of {expression(found.to)}, else"
        case HotTotals():
            return f"slots of {found.bins.name} that a bin has taken, a thread of the block each"
        case EachBin():
            return f"bins @bin of {found.bins.name}, a thread of the block each"
        case TotalOfCopies():
            return f"@total of the copies of {found.bins.name}, by {found.bins.operator}"
        case PutAtOnce():
            return f"put in bins of {found.bins.name}"
        case ValueRun():
            behind = ", put behind it" if found.put else ""
            return f"run of values of {found.name} for one bin{behind}"
        case EndRun():
            return f"end of the run of {found.name}"
        case KeptValue():
            return f"keep a value of {found.update.name} for {_WAITS[found.waits]}"
        case KeepOfChunk():
            return f"keep that of {found.update.name} as point @k"
        case PutChunk():
            return f"put the chunk of {found.update.name} in the copy of {found.update.bins.name}"
        case KeepPair():
            return f"keep that of {found.update.name} as pair {expression(found.place)}"
        case PutInBin():
            return f"put {expression(found.value)} in bin {expression(found.bin)} of {found.to}"
        case PointElement():
            return f"element of {', '.join(map(parameter, found.parameters)) or 'a point'}"
        case OfElement():
            return f"element of {', '.join(map(expression, found.arguments)) or 'the point'}"
        case CountOfPoints():
            inner = expression(found.inner) if found.inner is not None else "a run"
            return f"points, {expression(found.outers or ONE)} runs of {inner}, in chunks of {found.width}"
        case ItemsInTurn():
            first = f"{expression(found.first)} .. " if found.first is not None else ".. "
            return f"items {first}{expression(found.end)} of the grid, {found.in_flight} in flight"
        case EachItemOfGrid():
            return "items @item of the grid"
        case ItemPlace():
            return f"@item of this thread{', number @l' if found.in_flight else ''}"
        case PointPlace():
            names = [name for name, used in (("@outer", found.in_runs), ("@x", found.has_point)) if used]
            return f"{' and '.join(names)} of @item"
        case PointsThere():
            return f"{expression(found.left)} of {found.width} points are before {expression(found.end)}"
        case LoadPart():
            return f"load {expression(found.chunk)} from {expression(found.first)}, {expression(found.left)} left"
        case ChunkOrPoints():
            return f"chunk of {found.width}, {expression(found.left)} left"
        case OneRun():
            return f"run of {expression(found.inner)}, chunks of {found.width}, {found.in_flight} in flight"
        case PointsOfRuns():
            return f"points of {expression(found.runs)} runs of {expression(found.inner or ONE)} for each place"
        case RunLengths():
            return f"lengths of {expression(found.runs)} runs"
        case BlocksOfThread():
            return f"blocks @begin to @end of @splits, {found.groups} groups of threads"
        case BinsOfWarps():
            return f"bins @bin of {found.bins.name}, a warp of them for each block"
        case TotalOfBlocks():
            return f"@total of {expression(found.left)}, by {found.bins.operator}"
        case LeavePart():
            return "leave @total to the first group"
        case TotalOfGroups():
            return f"@total of {found.groups} groups, by {found.bins.operator}"
        case BucketCopies():
            return f"copies of {1 << found.bins.shift} bins of {found.bins.name} for {found.bins.warps} warps"
        case EachBucket():
            return f"buckets @bucket of {1 << found.bins.shift} bins, a block each"
        case PairsOfWarp():
            return f"pairs of {found.bins.name}, a share for each warp"
        case BinsOfBucket():
            return f"bins @bin of the bucket that have something, @total by {found.bins.operator}"
    raise CompilerBug(f"no line says what {type(found).__name__} does")


def bin_parts(found: BuildingBlock) -> Iterator[tuple[str, tuple[Node, ...]]]:
    """What stands in the node, each part with what it is called; nothing for the only part."""
    match found:
        case (
            EachBin() | PointElement() | ItemsInTurn() | EachItemOfGrid() | RunLengths() | BinsOfWarps() | EachBucket()
            | BinsOfBucket() | HotTotals()
        ):  # fmt: skip
            yield "", found.body
        case PutAtOnce() | ValueRun() | EndRun():
            yield "", found.put
        case PairsOfWarp():
            yield "", found.add
        case PutHot():
            yield "", found.away
        case ChunkOrPoints():
            yield "whole", found.whole
            yield "each", found.each
        case OneRun():
            yield "address", found.address
            yield "whole", found.whole
            yield "last", found.last
        case PointsOfRuns():
            yield "before", found.before
            yield "point", found.body
            yield "after", found.after
