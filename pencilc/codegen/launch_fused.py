"""How fused kernels are launched: where they fit, in which form; and where they leave the work to those behind them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pencilc.codegen.launch_nodes import (
    BLOCKS,
    CHUNKS,
    FALSE,
    LENGTH,
    MULTIPROCESSORS,
    ROWS,
    above,
    assigned,
    at_least,
    at_most,
    below,
    blocks_for,
    both,
    by_count,
    configured,
    dim3,
    fits,
    flag,
    once,
    per_sm,
    quotient,
    remarks,
    scaled,
    size_of,
    values,
    wide,
)
from pencilc.ir.build import (
    UNSIGNED,
    WARP_SIZE,
    ZERO,
    binary,
    cast,
    choice,
    conjunction,
    disjunction,
    generated_type,
    negation,
    number,
    variable,
)
from pencilc.ir.launches import (
    LaunchComposed,
    LaunchStitched,
    LaunchStitchedAcross,
    LaunchStitchedWhole,
    TiledInstead,
)
from pencilc.ir.launching import (
    AllowShared,
    AskResident,
    AskShared,
    Configure,
    HeldForm,
    HeldForms,
    ReserveBarrier,
    ReserveParts,
    StartClusters,
    StartedFunction,
    StartHeld,
    StartKernel,
    StartLong,
    instance,
)
from pencilc.ir.nodes import Braces, If, Node
from pencilc.ir.source import BOOL, INT, LLONG, Expr, IntLiteral
from pencilc.target import MAX_THREADS, RESERVED_SHARED, WARP

_FEW, _WIDE, _IN_TILES = (variable(f"@{name}", BOOL) for name in ("few", "wide", "in_tiles"))
_THREADS, _ITEMS, _LIMIT, _RESIDENT = (variable(f"@{name}", INT) for name in ("threads", "items", "limit", "resident"))
_USED = variable("@used", LLONG)
_COUNTED = 2**30  # elements of a row that the stages of a long form count in `int`


# ---- rows in registers -------------------------------------------------------------------------------


def stitched(launch: LaunchStitched) -> tuple[Node, ...]:
    """A warp or a block for each row that fits into its registers; a longer row in shared memory, if it has a form."""
    fit = fits(launch.name)
    has_wide = launch.has_wide and not launch.is_held
    start = StartHeld(
        launch.whole, _THREADS, launch.forms.shared, ROWS, quotient(LENGTH, launch.width),
        per_sm(launch.launch.blocks_per_sm),
    )  # fmt: skip
    found: list[Node] = [
        *remarks(_rows_that_fit(launch, has_wide)), values(LLONG, (ROWS, launch.rows)),
        values(LLONG, (LENGTH, launch.length)),
    ]  # fmt: skip
    forms = HeldForms(tuple(HeldForm(each, instance(launch.whole, (each,))) for each in launch.held_forms))
    if launch.is_held:
        return (Braces((*found, values(INT, (_THREADS, _threads_of_row(launch))), forms, start)),)
    found += [values(BOOL, (_FEW, below(ROWS, MULTIPROCESSORS))), *in_tiles(launch.instead)]
    found += [
        values(INT, (_THREADS, _threads(launch, has_wide))), assigned(fit, above(_THREADS, 0)), forms,
        If(above(_THREADS, 0), (start,)),
    ]  # fmt: skip
    if launch.long is not None:
        rows = launch.long.rows
        share = rows.threads * launch.width
        rounds, others = quotient(LENGTH, share), both(negation(fit), _not_in_tiles(launch.instead))
        if rows.clusters > 1:
            found.append(If(others, _in_clusters(launch, rounds, share)))
        else:
            found.append(If(both(others, negation(_FEW)), _long(launch, scaled(rounds, share * rows.size), 1)))
    return (*flag(launch.name, launch.is_declared), Braces(tuple(found)))


def _rows_that_fit(launch: LaunchStitched, has_wide: bool) -> str:
    if launch.is_held:
        return "One kernel, in whose registers every row fits."
    of_few = f"; of {MAX_THREADS} threads where rows are few" if has_wide else ""
    of_block = "of a block where rows fill the device or are short"
    return f"One kernel if a row fits into registers: of a warp; {of_block}{of_few}."


def _threads(launch: LaunchStitched, has_wide: bool) -> Expr:
    """The threads that have a row, none where it does not fit or is read in tiles."""
    longest = launch.block * launch.width * launch.chunks[-1]
    held = both(at_most(LENGTH, longest), disjunction((negation(_FEW), at_most(LENGTH, launch.scarce))))
    none: Expr = ZERO
    if has_wide:
        of_largest = at_most(LENGTH, launch.wide[-1] * MAX_THREADS * launch.width)
        none = choice(both(_FEW, above(ROWS, 0), of_largest), number(MAX_THREADS), ZERO)
    threads = choice(held, _threads_of_row(launch), none)
    return choice(_IN_TILES, ZERO, threads) if launch.instead else threads


def _threads_of_row(launch: LaunchStitched) -> Expr:
    """The threads that have a row which fits: a warp or a block, whichever there are."""
    if not (launch.forms.of_warps and launch.forms.of_blocks):
        return number(WARP if launch.forms.of_warps else launch.block)
    chunk = launch.width * launch.chunks[-1]
    many = at_least(ROWS, per_sm(launch.launch.scarce_rows_per_sm))
    short = disjunction(
        (at_most(LENGTH, launch.launch.warp_lanes * chunk), both(at_most(LENGTH, WARP * chunk), many))
    )  # fmt: skip
    assert short is not None
    return choice(short, WARP_SIZE, number(launch.block))


def _long(launch: LaunchStitched, bytes_: Expr, across: int) -> tuple[Node, ...]:
    """Longer rows in shared memory, or of any length where nothing of them is kept."""
    assert launch.long is not None
    fit, function, rows = fits(launch.name), launch.long.function, launch.long.rows
    blocks = blocks_for(ROWS, across, per_sm(launch.launch.blocks_per_sm))
    if not rows.size:
        start = once(function, dim3(blocks), dim3(rows.threads))
        return (
            *remarks("Nothing of a row is kept between the stages, so that it may have any length."),
            assigned(fit, at_most(LENGTH, _COUNTED)),
            If(fit, start),
        )
    which = f"Longer rows if {across} neighbours fit" if across > 1 else "A longer row if it fits"
    return (
        *remarks(f"{which} into the shared memory that a block may have."),
        StartLong(function, blocks, rows.threads, bytes_, _parts(launch), fit.symbol.name),
    )


def _in_clusters(launch: LaunchStitched, rounds: Expr, share: int) -> tuple[Node, ...]:
    """Longer rows in the shared memory of a block, or of several: `rounds` of `share` elements for one block."""
    assert launch.long is not None
    function, rows = launch.long.function, launch.long.rows
    most = per_sm(launch.launch.blocks_per_sm)
    return (
        *remarks("A longer row if a block's shared memory has place for it, or that of a cluster's blocks."),
        StartClusters(
            function, ROWS, most, rows.threads, rounds, share * rows.size, _parts(launch), fits(launch.name).symbol.name
        ),
    )  # fmt: skip


def _parts(launch: LaunchStitched) -> Expr:
    """The shared memory that blocks have besides what the launch provides."""
    return scaled(_size_of_parts(launch), 2) if launch.exchanges else ZERO


def _size_of_parts(launch: LaunchStitched) -> Expr:
    return size_of(generated_type(f"{launch.parts}_parts"))


def across(launch: LaunchStitchedAcross) -> tuple[Node, ...]:
    """A block for neighbouring rows that fit into its registers; else into shared memory, if there is such a form."""
    fit, few, many = fits(launch.name), launch.launch.narrow_across, launch.launch.across
    of_few, of_many = launch.block // few, launch.block // many
    short = disjunction(
        (at_least(ROWS, binary("*", wide(few), MULTIPROCESSORS)), at_most(LENGTH, of_few * launch.chunks[0]))
    )  # fmt: skip
    fill = at_least(ROWS, binary("*", wide(many), MULTIPROCESSORS))
    held: list[Node] = [values(BOOL, (_WIDE, both(at_most(LENGTH, of_many * launch.chunks[-1]), fill)))]
    if launch.are_several:
        rounded = binary("+", LENGTH, choice(_WIDE, number(of_many - 1), number(of_few - 1)))
        held.append(
            values(INT, (_ITEMS, binary("/", cast(INT, rounded), choice(_WIDE, number(of_many), number(of_few)))))
        )
    blocks = blocks_for(ROWS, choice(_WIDE, number(many), number(few)), per_sm(launch.launch.blocks_per_sm))
    held += [
        values(UNSIGNED, (BLOCKS, blocks)),
        configured(launch.whole, BLOCKS),
        If(_WIDE, *(_by_items(launch.whole, launch.chunks, (each,), is_resident=True) for each in (many, few))),
    ]
    found: list[Node] = [
        *remarks(
            f"One kernel if the elements of {few} neighbouring rows fit into the registers of a block, of {many} where "
            "those fill the device."
        ),
        values(LLONG, (ROWS, launch.rows)),
        values(LLONG, (LENGTH, launch.length)),
        *in_tiles(launch.instead),
        assigned(
            fit, both(_not_in_tiles(launch.instead), at_most(LENGTH, of_few * launch.chunks[-1]), short)
        ),
        If(both(fit, above(ROWS, 0)), tuple(held)),
    ]  # fmt: skip
    if launch.long is not None:
        rows = launch.long.rows
        enough = at_least(ROWS, binary("*", wide(rows.across), MULTIPROCESSORS))
        others = both(negation(fit), enough, _not_in_tiles(launch.instead))
        found.append(If(others, _long(launch, scaled(LENGTH, rows.across * rows.size), rows.across)))
    return (*flag(launch.name, launch.is_declared), Braces(tuple(found)))


def _by_items(
    function: StartedFunction, chunks: Sequence[int], before: tuple[int, ...], is_resident: bool = False
) -> tuple[Node, ...]:
    """The form for the chunks that a thread has: `@items` of them, where there are several forms."""
    starts = [(each, StartKernel(function, (*before, each), is_resident)) for each in chunks]
    return by_count(_ITEMS, starts)


# ---- a row of the whole grid -------------------------------------------------------------------------


def of_grid(launch: LaunchStitchedWhole) -> tuple[Node, ...]:
    """One row by a warp, by a block, or by a grid whose blocks are resident together and meet at barriers."""
    assert launch.grid is not None
    fit, most = fits(launch.name), launch.chunks[-1]
    per_device = launch.launch.grid_blocks_per_sm
    in_warp, in_block = WARP * most, launch.block * most
    of_warp = _items_of(launch, CHUNKS, WARP_SIZE)
    of_block = _items_of(launch, CHUNKS, number(launch.block))
    grid: list[Node] = [
        values(UNSIGNED, (BLOCKS, blocks_for(CHUNKS, launch.block, per_sm(per_device)))),
    ]
    if launch.are_several:
        all_threads = binary("*", BLOCKS, wide(launch.block))
        rounded = binary("-", binary("+", CHUNKS, all_threads), number(1))
        grid.append(values(INT, (_ITEMS, cast(INT, binary("/", rounded, all_threads)))))
    grid += [*_together(launch, launch.block), *_by_items(launch.grid, launch.chunks, ())]
    found: list[Node] = [
        *remarks("One kernel if all elements fit on the device: a warp, a block, or a grid that meets at barriers."),
        values(LLONG, (LENGTH, launch.length)),
        values(LLONG, (CHUNKS, quotient(LENGTH, launch.width))),
        assigned(fit, at_most(CHUNKS, per_sm(per_device * in_block))),
        If(both(fit, above(CHUNKS, in_block)), _resident(launch, launch.grid, (most,), launch.block, ZERO)),
        If(
            at_most(CHUNKS, in_warp),
            (*of_warp, Configure(dim3(1), dim3(WARP)), *_by_items(launch.whole, launch.chunks, ())),
            (
                If(
                    at_most(CHUNKS, in_block),
                    (*of_block, Configure(dim3(1), dim3(launch.block)), *_by_items(launch.whole, launch.chunks, ())),
                    (If(fit, tuple(grid)),),
                ),
            ),
        ),
    ]
    if launch.long is not None:
        found.append(If(negation(fit), _long_of_grid(launch, launch.long.function)))
    return (*flag(launch.name, launch.is_declared), Braces(tuple(found)))


def _items_of(launch: LaunchStitchedWhole, chunks: Expr, threads: Expr) -> tuple[Node, ...]:
    """How many chunks a thread has, where forms differ by that."""
    if not launch.are_several:
        return ()
    if threads is WARP_SIZE:
        rounded = binary("-", binary("+", chunks, WARP_SIZE), number(1))
    else:
        rounded = binary("+", chunks, number(launch.block - 1))
    return (values(INT, (_ITEMS, binary("/", cast(INT, rounded), threads))),)


def _resident(
    launch: LaunchStitchedWhole, function: StartedFunction, numbers: tuple[int, ...], threads: int, shared: Expr
) -> tuple[Node, ...]:
    """The kernel fits if all of its blocks are resident."""
    asked = StartedFunction(function.name, threads, ())
    enough = at_least(_RESIDENT, launch.launch.grid_blocks_per_sm)
    return AskResident(asked, numbers, shared), assigned(fits(launch.name), enough)


def _together(launch: LaunchStitchedWhole, threads: int, shared: Expr | None = None) -> tuple[Node, ...]:
    """A launch whose blocks wait for each other, with memory for what they exchange."""
    parts: tuple[Node, ...] = ()
    if launch.exchanges:
        kind = generated_type(f"{launch.name}_partial")
        reserved = ReserveParts(kind, scaled(size_of(kind), BLOCKS, launch.exchanges))
        parts = (reserved, ReserveBarrier(size_of(UNSIGNED)))
    return (*parts, Configure(dim3(BLOCKS), dim3(threads), shared, together=number(1)))


def _long_of_grid(launch: LaunchStitchedWhole, function: StartedFunction) -> tuple[Node, ...]:
    """More elements in shared memory, or any number where nothing of them is kept."""
    assert launch.long is not None
    fit, rows, per_device = fits(launch.name), launch.long.rows, launch.launch.grid_blocks_per_sm
    blocks = values(UNSIGNED, (BLOCKS, binary("*", number(per_device), MULTIPROCESSORS)))
    if not rows.size:
        return (
            *remarks("Nothing of an element is kept between the stages, so that there may be any number of them."),
            blocks,
            assigned(fit, at_most(LENGTH, _COUNTED)),
            If(fit, _resident(launch, function, (), rows.threads, ZERO)),
            If(fit, (*_together(launch, launch.block), StartKernel(function))),
        )
    memory = variable("@memory", INT)
    of_each = binary("-", binary("/", memory, number(per_device)), number(RESERVED_SHARED))
    threads = binary("*", BLOCKS, wide(rows.threads))
    share = rows.threads * launch.width * rows.size
    rounded = binary("-", binary("+", CHUNKS, threads), number(1))
    found: list[Node] = [
        *remarks(f"A longer one if it fits into the shared memory of the {per_device} blocks of each multiprocessor."),
        AskShared("@limit", "@memory"),
        If(above(_LIMIT, of_each), (assigned(_LIMIT, of_each),)),
    ]
    if launch.exchanges:
        found.append(assigned(_LIMIT, scaled(cast(INT, _size_of_parts(launch)), 2), "-"))
    return (
        *found,
        blocks,
        values(LLONG, (_USED, binary("*", binary("/", rounded, threads), number(share)))),
        assigned(fit, at_most(_USED, _LIMIT)),
        If(fit, (AllowShared(function, _LIMIT), *_resident(launch, function, (), rows.threads, _LIMIT))),
        If(fit, (*_together(launch, launch.block, _USED), StartKernel(function))),
    )


# ---- composed kernels --------------------------------------------------------------------------------


def composed(launch: LaunchComposed) -> tuple[Node, ...]:
    """A block for each row, if rows fill the device, have points enough for one, and fit into its shared memory."""
    fit, most = fits(launch.name), per_sm(launch.launch.blocks_per_sm)
    function, kept = launch.whole, bool(launch.regions)
    holds = " and shared memory holds what a row keeps" if kept else ""
    few_too = " or have few points each" if launch.in_rounds is not None else ""
    found: list[Node] = [
        *remarks(f"One kernel, a block for each row, if rows fill the device{few_too}{holds}."),
        values(LLONG, (ROWS, launch.rows)),
        *launch.regions,
    ]
    if kept:
        found.append(AskShared("@limit", "@whole"))
        found += [assigned(_LIMIT, number(launch.static), "-")] if launch.static else []
    room = at_most(_USED, _LIMIT) if kept else None
    found += in_tiles(launch.instead)
    rounds = _in_memory(launch)
    found.append(
        assigned(fit, both(_not_in_tiles(launch.instead), _enough_rows(launch), room, rounds))
    )  # fmt: skip
    if launch.counts:
        counted = [at_most(count, launch.most) for count in launch.counts]
        found += [*remarks("Points of a row are counted in `int`."), assigned(fit, both(fit, *counted))]
    if launch.few is not None:
        found += remarks(
            "Rows that do not go on all at once, with few points each, are left to kernels that give several to a "
            "block."
        )
        found.append(If(both(above(ROWS, most), launch.few), (assigned(fit, FALSE),)))
    grid, block = dim3(blocks_for(ROWS, 1, most)), dim3(launch.block)
    if kept:
        start: tuple[Node, ...] = (
            Configure(grid, block, _USED), AllowShared(function, _LIMIT), StartKernel(function, is_resident=True),
        )  # fmt: skip
    else:
        start = (Configure(grid, block, is_adapted=True), StartKernel(function, is_resident=True))
    return (*flag(launch.name, launch.is_declared), Braces((*found, If(fit, start))))


def _enough_rows(launch: LaunchComposed) -> Expr:
    """Rows fill the device, or go in rounds with few points each."""
    filled = at_least(ROWS, MULTIPROCESSORS)
    if launch.in_rounds is None:
        return filled
    few = _at_most_points(launch.in_rounds, launch.launch.round_points)
    return above(ROWS, 0) if few is None else both(disjunction((filled, few)))


def _in_memory(launch: LaunchComposed) -> Expr | None:
    """Rounds that meet in memory have no more points than the caches keep; None where they never have."""
    if not launch.in_memory or launch.in_rounds is None:
        return None
    return _at_most_points(launch.in_rounds, launch.launch.memory_points)


def _at_most_points(counts: Iterable[Expr], most: int) -> Expr | None:
    """The condition that none of the numbers is more than `most`; None where that is known."""
    return conjunction(at_most(c, most) for c in counts if not (isinstance(c, IntLiteral) and c.value <= most))


# ---- what is read once for many rows instead ---------------------------------------------------------


def in_tiles(instead: Iterable[TiledInstead]) -> tuple[Node, ...]:
    """Whether what the threads of each row would read for themselves is read once for many rows instead."""
    conditions = [condition for each in instead for condition in _shared_by_rows(each)]
    if not conditions:
        return ()
    return (
        *remarks(
            "What the threads of each row would read for themselves, tiles read once for many rows, where there are "
            "many points."
        ),
        values(BOOL, (_IN_TILES, both(*conditions))),
    )


def _shared_by_rows(tiles: TiledInstead) -> tuple[Expr, ...]:
    """Where neither side of the tiles is narrow, and they have many points."""
    points = scaled(wide(1), tiles.rows, tiles.columns, tiles.points, tiles.outers)
    return (
        at_least(tiles.rows, tiles.launch.tile_side), at_least(tiles.columns, tiles.launch.tile_side),
        at_least(points, tiles.launch.tile_points),
    )  # fmt: skip


def _not_in_tiles(instead: Sequence[TiledInstead]) -> Expr | None:
    return negation(_IN_TILES) if instead else None
