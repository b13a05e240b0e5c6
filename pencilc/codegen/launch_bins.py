"""How values are put in bins that the data choose: in copies of these if they fit, else in the bins themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pencilc.codegen.launch_nodes import (
    BLOCKS,
    MULTIPROCESSORS,
    ROWS,
    SPLITS,
    above,
    assigned,
    at_most,
    below,
    blocks_for,
    dim3,
    once,
    per_sm,
    persistent,
    quotient,
    remarks,
    total,
    unless_counted,
    values,
    where,
)
from pencilc.ir.build import UNSIGNED, WARP_SIZE, binary, call, cast, choice, declare, evaluate, number, variable
from pencilc.ir.launches import (
    ChoiceOfBins,
    FinishingFunction,
    LaunchBins,
    OrderedBins,
    PointsOfBins,
    PrivateBins,
    RoomOfBins,
    SortedBins,
    StepOfBins,
    WholeBins,
)
from pencilc.ir.launching import (
    AllowShared,
    AskShared,
    BinMemory,
    Configure,
    CopyBack,
    ReserveBytes,
    SortInBuckets,
    SortOfBins,
    StartedFunction,
    StartKernel,
)
from pencilc.ir.nodes import Braces, If, Node
from pencilc.ir.source import CHAR, INT, LLONG, Expr, Name, PointerType
from pencilc.target import MAX_GRID, RESERVED_SHARED, WARP

_POINTS, _INNER, _BYTES, _BINS, _RUNS, _ITEMS = (
    variable(f"@{name}", LLONG) for name in ("points", "inner", "bytes", "bins", "runs", "items")
)
_USED, _SMALL, _LEFT = (variable(f"@{name}", LLONG) for name in ("used", "small", "left"))
_SOME_BLOCKS = variable("@blocks", LLONG)
_COPIES, _WHOLE, _LIMIT = (variable(f"@{name}", INT) for name in ("copies", "whole", "limit"))
_LAYERS = variable("@layers", UNSIGNED)


def bins(launch: LaunchBins) -> tuple[Node, ...]:
    """Where points of ragged rows begin; then points, room, and the form that is taken."""
    steps = (node for step in launch.steps for node in _step(launch, step))
    return (*_lengths(launch), Braces(tuple(steps)))


def _lengths(launch: LaunchBins) -> tuple[Node, ...]:
    """Where the points of each row begin, whose lengths are data."""
    if launch.lengths is None:
        return ()
    runs = launch.form.points.runs
    assert runs is not None
    blocks = blocks_for(_RUNS, 256, per_sm(launch.launch.bucket_blocks_per_sm))
    starts, stream = variable(runs.starts, PointerType(LLONG)), variable("@stream")
    return (
        Braces(
            (
                *remarks("How many points each row has; then where those of each begin, and how many there are."),
                values(LLONG, (_RUNS, runs.count)),
                values(UNSIGNED, (BLOCKS, blocks)),
                *once(launch.lengths, dim3(BLOCKS), dim3(256)),
                evaluate("PENCILC_RETURN", call("pencilc_scan", starts, _RUNS, stream)),
            )
        ),
    )


def _step(launch: LaunchBins, step: StepOfBins) -> tuple[Node, ...]:
    match step:
        case PointsOfBins():
            return _points(step)
        case RoomOfBins():
            return _room(step)
        case OrderedBins():
            return _ordered(launch, step)
        case PrivateBins():
            return _private(launch, step)
        case WholeBins():
            return _whole(launch, step)
        case SortedBins():
            return tuple(_sorted(launch, step, sort) for sort in step.sorts)
        case ChoiceOfBins():
            return (If(step.fits, _step(launch, step.private), _step(launch, step.whole)),)


# ---- points and bins ---------------------------------------------------------------------------------


def _points(step: PointsOfBins) -> tuple[Node, ...]:
    if step.runs is not None:
        points = values(LLONG, (_POINTS, step.runs.points), remark="about")
        return values(LLONG, (ROWS, number(1))), points
    assert step.inner is not None
    return (
        values(LLONG, (ROWS, step.rows or number(1))),
        values(LLONG, (_INNER, step.inner)),
        values(LLONG, (_POINTS, of_runs(_INNER, step.outers)), remark="of one row"),
    )


def of_runs(inner: Expr, outers: Expr | None) -> Expr:
    """The points of all runs."""
    return inner if outers is None else binary("*", inner, outers)


def _room(step: RoomOfBins) -> tuple[Node, ...]:
    return (
        *(values(LLONG, (bins_of(each), each.count)) for each in step.bins),
        values(LLONG, (_BYTES, total(padded(bins_of(each), each.size) for each in step.bins)), remark="of one copy"),
        values(LLONG, (_BINS, total(bins_of(each) for each in step.bins))),
        AskShared("@limit", "@whole"),
    )


def bins_of(memory: BinMemory, suffix: str = "") -> Name:
    """How many bins a reduction has."""
    return variable(f"@{memory.name}_bins{suffix}", LLONG)


def padded(count: Expr, size: int) -> Expr:
    """The bytes of so many bins, up to where anything may begin."""
    return call("pencilc_padded", binary("*", count, number(size)), returns=LLONG)


# ---- copies in shared memory -------------------------------------------------------------------------


def small_copies(launch: LaunchBins, copies: Name, small: Name, bytes_: Expr) -> tuple[Node, ...]:
    """As many copies as there are warps while they are small."""
    warps = launch.block // WARP
    least = choice(below(bytes_, 16), number(16), bytes_)
    some = choice(above(small, warps), number(warps), cast(INT, small))
    return (
        values(LLONG, (small, binary("/", number(launch.launch.copies_bytes), least))),
        values(INT, (copies, choice(below(small, 1), number(1), some))),
    )


def shares(launch: LaunchBins, form: PrivateBins, bins_: Expr) -> Expr:
    """How many points a block has at least: as many as it has bins to write."""
    least = number(launch.block * form.width)
    return choice(binary("<", bins_, least), least, bins_)


def of_rows(blocks: Expr, rows: Expr) -> Expr:
    """The blocks that share a row, where all rows have so many."""
    return blocks_for(blocks, choice(below(rows, 1), number(1), rows), blocks)


def _blocks_of_copies(launch: LaunchBins) -> Node:
    """Two blocks or more of a multiprocessor, if their copies have room."""
    have_room = at_most(binary("*", number(2), binary("+", _USED, number(RESERVED_SHARED))), _WHOLE)
    return values(LLONG, (_SOME_BLOCKS, choice(have_room, per_sm(launch.launch.blocks_per_sm), MULTIPROCESSORS)))


def _private(launch: LaunchBins, form: PrivateBins) -> tuple[Node, ...]:
    return (
        *remarks(
            "Copies of the bins in shared memory, as many as there are warps while they are small; each block has at "
            "least as",
            "many points as bins to write.",
        ),
        *small_copies(launch, _COPIES, _SMALL, _BYTES),
        values(LLONG, (_USED, binary("*", _COPIES, _BYTES))),
        _blocks_of_copies(launch),
        values(UNSIGNED, (SPLITS, blocks_for(_POINTS, shares(launch, form, _BINS), of_rows(_SOME_BLOCKS, ROWS)))),
        values(UNSIGNED, (_LAYERS, blocks_for(ROWS, 1, MAX_GRID))),
        *_in_shared(form.function, dim3(launch.block)),
    )


def _in_shared(function: StartedFunction, block: Expr) -> tuple[Node, ...]:
    return (
        Configure(dim3(SPLITS, _LAYERS), block, _USED),
        AllowShared(function, _LIMIT),
        StartKernel(function),
    )


def _ordered(launch: LaunchBins, form: OrderedBins) -> tuple[Node, ...]:
    """The same in order: each warp has a copy, and what several blocks leave is brought together by others."""
    warps, room = launch.block // WARP, variable("@room", LLONG)
    all_warps = at_most(binary("*", _BYTES, number(warps)), room)
    share, least = variable("@share", LLONG), number(launch.launch.share_chunks * form.width)
    written = binary("*", _BINS, _COPIES)
    several = above(SPLITS, 1)
    if form.fixed_blocks:
        blocks: tuple[Node, ...] = (
            *remarks("The number of blocks depends on the points alone, so that every device combines in one order."),
            values(LLONG, (_SOME_BLOCKS, number(form.fixed_blocks))),
        )
    else:
        blocks = (_blocks_of_copies(launch),)
    return (
        *remarks(f"A copy of the bins for each warp, up to {warps} warps in a block."),
        values(LLONG, (room, form.room)),
        values(INT, (_COPIES, choice(all_warps, number(warps), cast(INT, binary("/", room, _BYTES))))),
        values(LLONG, (_USED, binary("*", _COPIES, _BYTES))),
        *blocks,
        values(LLONG, (share, choice(binary("<", written, least), least, written))),
        values(UNSIGNED, (SPLITS, blocks_for(_POINTS, share, of_rows(_SOME_BLOCKS, ROWS)))),
        values(UNSIGNED, (_LAYERS, blocks_for(ROWS, 1, MAX_GRID))),
        *remarks("What the blocks leave for each other; one block of a row needs nobody."),
        values(LLONG, (_LEFT, where(several, binary("*", SPLITS, ROWS)))),
        ReserveBytes("@memory", total(map(_left_of, form.bins)), several),
        *_partials(form.bins),
        Braces(_in_shared(form.function, dim3(binary("*", WARP_SIZE, _COPIES)))),
        *(If(several, _finish(each, form.bins)) for each in form.finishing),
    )


def _left_of(memory: BinMemory) -> Expr:
    return padded(binary("*", _LEFT, bins_of(memory)), memory.size)


def _partials(bins_: Sequence[BinMemory]) -> tuple[Node, ...]:
    """Where the copies of each reduction begin that blocks leave."""
    found: list[Node] = []
    place: Expr = variable("@memory", PointerType(CHAR))
    for each in bins_:
        pointer = PointerType(each.type)
        name = f"@{each.name}_partials"
        found.append(declare(name, pointer, cast(pointer, place), is_const=True))
        place = binary("+", cast(PointerType(CHAR), variable(name, pointer)), _left_of(each))
    return tuple(found)


def _finish(finishing: FinishingFunction, bins_: Iterable[BinMemory]) -> tuple[Node, ...]:
    count = next(bins_of(each) for each in bins_ if each.name == finishing.bins)
    tiles = variable("@tiles", UNSIGNED)
    return (
        values(UNSIGNED, (tiles, blocks_for(count, WARP_SIZE, MAX_GRID))),
        *once(finishing.function, dim3(tiles, _LAYERS), dim3(WARP_SIZE, finishing.groups)),
    )


# ---- the whole array ---------------------------------------------------------------------------------


def _whole(launch: LaunchBins, form: WholeBins) -> tuple[Node, ...]:
    points, all_ = form.points, variable("@all", LLONG)
    if points.runs is not None:
        count = values(LLONG, (all_, points.runs.points), remark="about")
    else:
        assert points.inner is not None
        count = values(LLONG, (all_, of_runs(points.inner, points.outers)))
    blocks = blocks_for(all_, launch.block * form.width, per_sm(launch.launch.whole_blocks_per_sm))
    return (
        *remarks("Atomics on the bins themselves."),
        count,
        values(UNSIGNED, (BLOCKS, blocks)),
        *persistent(form.function, BLOCKS),
    )


def _sorted(launch: LaunchBins, form: SortedBins, sort: SortOfBins) -> Node:
    """Pairs of bin and value are sorted; how many these are, ragged rows tell the device alone."""
    memory, points = sort.bins, form.points
    at_once = memory.pairs // (sort.width * sort.sites)
    found: list[Node] = [
        *remarks(
            f"Pairs of bin and value, sorted by buckets of {2**memory.shift} bins, at most {memory.pairs} pairs at a "
            "time."
        ),
        values(LLONG, (variable("@all_bins", LLONG), memory.count)),
    ]
    if points.runs is not None:
        last = binary("+", variable(points.runs.starts, PointerType(LLONG)), _RUNS)
        found += [
            *remarks(
                "How many there are is data, which the host has to wait for; there is memory for so many at a time."
            ),
            values(LLONG, (_ITEMS, number(at_once)), varies=True),
            values(LLONG, (_RUNS, points.runs.count)),
            unless_counted((CopyBack("@items", last),)),
        ]
        found += [assigned(_ITEMS, points.runs.inner, "*")] if points.runs.inner is not None else []
    else:
        assert points.inner is not None
        found += [
            values(LLONG, (_INNER, points.inner)),
            values(LLONG, (_ITEMS, of_runs(quotient(_INNER, sort.width), points.outers))),
        ]
    return Braces((*found, SortInBuckets(sort, at_once, launch.block, launch.launch)))
