"""How reductions are launched: ALL, ROW and COLUMN, and the tiles of points that share what they read."""

from __future__ import annotations

from pencilc.codegen.launch_nodes import (
    BLOCKS,
    CHUNKS,
    FALSE,
    HELD,
    LENGTH,
    MULTIPROCESSORS,
    ROWS,
    SPLITS,
    TRUE,
    above,
    assigned,
    at_least,
    at_most,
    below,
    blocks_for,
    both,
    configured,
    dim3,
    held_per_sm,
    left,
    once,
    per_sm,
    persistent,
    quotient,
    remarks,
    scaled,
    split_among,
    values,
    where,
    wide,
)
from pencilc.codegen.launch_points import parallel
from pencilc.ir.build import (
    UNSIGNED,
    WARP_SIZE,
    binary,
    call,
    cast,
    choice,
    disjunction,
    member,
    number,
    variable,
)
from pencilc.ir.launches import LaunchAll, LaunchColumn, LaunchParallel, LaunchRow, LaunchTiled
from pencilc.ir.launching import (
    AskHeld,
    BlockSides,
    ChooseTiles,
    Configure,
    StartCase,
    StartedFunction,
    StartKernel,
    StartOneOf,
)
from pencilc.ir.nodes import Braces, If, Node, WhileLoop, uses
from pencilc.ir.source import BOOL, INT, LLONG, Expr
from pencilc.target import MAX_GRID, MAX_WIDE, WARP

_RUNS, _RUN, _COUNT = (variable(name, LLONG) for name in ("@runs", "@run", "@count"))
_WORKERS, _LANES, _ACROSS = (variable(name, UNSIGNED) for name in ("@workers", "@lanes", "@across"))
_FEW = variable("@few", BOOL)
_TILES, _COLUMNS, _OUTERS, _POINTS = (variable(f"@{name}", LLONG) for name in ("tiles", "columns", "outers", "points"))
_SIZE, _DOWN, _ACROSS_TILE = (variable(name, INT) for name in ("@size", "@down", "@across"))
_LARGE = 2**30  # rows and columns of tiles are counted in `int`


# ---- ALL ---------------------------------------------------------------------------------------------


def whole(launch: LaunchAll) -> tuple[Node, ...]:
    """A chunk for every thread; what several blocks have, the last of them brings together."""
    most = per_sm(launch.launch.blocks_per_sm)
    runs = launch.runs
    found = _blocks_of_points(launch, most) if runs is None else _blocks_of_runs(launch, runs, most)
    assert launch.accumulator is not None
    several = above(BLOCKS, 1)
    results = _WORKERS if launch.workers else where(several, BLOCKS)
    reserved = left(launch.accumulator, several, [results], several)
    return (Braces((*found, reserved, *persistent(launch.whole, BLOCKS))),)


def _blocks_of_runs(launch: LaunchAll, runs: Expr, most: Expr) -> tuple[Node, ...]:
    found: list[Node] = [
        *remarks("Runs of `length` points: teams of threads take them, whole warps if they are long."),
        values(LLONG, (LENGTH, launch.length), (_RUNS, runs)),
        values(LLONG, (CHUNKS, scaled(_RUNS, quotient(LENGTH, launch.width)))),
    ]
    if launch.workers:
        found.append(values(UNSIGNED, (_WORKERS, blocks_for(CHUNKS, WARP_SIZE, launch.workers))))
        return (*found, values(UNSIGNED, (BLOCKS, blocks_for(_WORKERS, launch.block // WARP, most))))
    return (*found, values(UNSIGNED, (BLOCKS, blocks_for(CHUNKS, launch.block, most))))


def _blocks_of_points(launch: LaunchAll, most: Expr) -> tuple[Node, ...]:
    alone = at_most(_COUNT, launch.launch.alone_chunks * launch.width)
    count = values(LLONG, (_COUNT, launch.length))
    if launch.workers:
        workers = blocks_for(_COUNT, WARP * launch.width, launch.workers)
        several = blocks_for(_WORKERS, launch.block // WARP, most)
        return (
            *remarks(
                "How many warps the points go to follows from their number; how many blocks do the work, from the "
                "device."
            ),
            count,
            values(UNSIGNED, (_WORKERS, workers)),
            values(UNSIGNED, (BLOCKS, choice(alone, number(1), several))),
        )
    several = blocks_for(_COUNT, launch.block * launch.width, most)
    return (
        *remarks(
            "A chunk for every thread before a second one for any; a few blocks for each multiprocessor at most, and "
            "one that",
            "waits for no other where there are few points.",
        ),
        count,
        values(UNSIGNED, (BLOCKS, choice(alone, number(1), several))),
    )


# ---- ROW ---------------------------------------------------------------------------------------------


def rows(launch: LaunchRow) -> tuple[Node, ...]:
    """Blocks for long rows, several where these are few; else warps or parts of them."""
    narrow = _narrow(launch)
    chosen: tuple[Node, ...]
    if launch.blocks is None:
        chosen = narrow
    elif not launch.narrow:
        chosen = (_few_long_rows(launch), *_blocks(launch, launch.blocks))
    else:
        chosen = (_few_long_rows(launch), If(_is_long(launch), _blocks(launch, launch.blocks), narrow))
    return (Braces((*_sizes(launch), *chosen)),)


def _sizes(launch: LaunchRow) -> tuple[Node, ...]:
    found: list[Node] = [values(LLONG, (ROWS, launch.rows))]
    if launch.runs is not None:
        found += remarks("The points of a row are in runs: teams of threads take them.")
        found.append(values(LLONG, (_RUN, launch.length), (_RUNS, launch.runs)))
        found += [values(LLONG, (LENGTH, scaled(_RUNS, _RUN)))] if launch.narrow else []
        found.append(values(LLONG, (CHUNKS, scaled(_RUNS, quotient(_RUN, launch.width))), remark="of one row"))
    elif launch.blocks or launch.short or launch.lanes or _tells_workers(launch):
        found.append(values(LLONG, (LENGTH, launch.length)))
        found.append(values(LLONG, (CHUNKS, quotient(LENGTH, launch.width)), remark="of one row"))
    if _tells_workers(launch):
        found += remarks(
            "How many warps a row goes to follows from its length; how many blocks do the work, from the device."
        )
        found.append(values(UNSIGNED, (_WORKERS, blocks_for(CHUNKS, WARP * launch.in_flight, launch.workers))))
    if launch.blocks is not None:
        others = "" if launch.narrow else "  Shorter rows are not left to this kernel."
        found.append(AskHeld(launch.blocks))
        found += remarks(
            f"A block for each row; of few long rows several, of which the last to arrive finishes it.{others}"
        )
    return tuple(found)


def _tells_workers(launch: LaunchRow) -> bool:
    """Whether a function takes the number of workers: of a fixed tree, where rows are not too short for them."""
    arguments = [each.arguments for each in (launch.blocks, *launch.narrow) if each is not None]
    return bool(launch.workers) and uses(arguments, _WORKERS.symbol.name)


def _few_long_rows(launch: LaunchRow) -> Node:
    return values(BOOL, (_FEW, are_split(launch, ROWS, CHUNKS)))


def are_split(launch: LaunchRow, count: Expr, chunks: Expr) -> Expr:
    """Whether rows of so many chunks are so few and long that several blocks share each."""
    few = below(count, per_sm(launch.launch.split_rows_per_sm))
    long = at_least(chunks, launch.launch.split_shares * launch.block * launch.in_flight)
    if launch.workers:
        return both(above(count, 0), few, long)
    leave_idle = both(at_most(scaled(2, count), MULTIPROCESSORS), above(chunks, launch.block))
    either = disjunction((both(few, long), leave_idle))
    return both(above(count, 0), either)


def blocks_of_split(launch: LaunchRow, count: Expr, chunks: Expr) -> Expr:
    """Blocks for each of such rows: a chunk for each thread while multiprocessors are idle, then all that it has in
    flight; as many as leave the fewest idle where the device holds `rows_of_split` at once.
    """
    sets = quotient(chunks, launch.block * launch.in_flight)
    most = call("pencilc_shares", count, sets, _blocks_of_all_split(launch), returns=UNSIGNED)
    if launch.workers:
        return blocks_for(_WORKERS, launch.block // WARP, most)
    idle = binary("/", MULTIPROCESSORS, count)
    shared = split_among(chunks, launch.block, idle, launch.block * launch.in_flight, most)
    # The threads of the last block have what two others have left at most: one waits for the other.
    return blocks_for(shared, 1, 2 * launch.block)


def rows_of_split(launch: LaunchRow, count: Expr, splits: Expr) -> Expr:
    """How many such rows are gone through at once, each by `splits` blocks, so that the device holds all of these."""
    return blocks_for(count, 1, binary("/", _blocks_of_all_split(launch), splits))


def _blocks_of_all_split(launch: LaunchRow) -> Expr:
    return held_per_sm(launch.launch.split_blocks_per_sm, launch.block)


def blocks_of_short(launch: LaunchRow, count: Expr, lanes: Expr, most: Expr) -> Expr:
    """Blocks for rows that have `lanes` each: one set of them for a block while multiprocessors are idle."""
    once_each, several = (binary("/", number(each), lanes) for each in (launch.block, launch.sets * launch.block))
    return split_among(count, once_each, MULTIPROCESSORS, several, most)


def blocks_of_columns(launch: LaunchColumn, tiles: Expr, of_rows: Expr, down: Expr) -> Expr:
    """Blocks that share the rows of a tile of columns, which `down` threads of each take: a row for each thread while
    multiprocessors are idle, several afterwards, no more than the device holds at once.
    """
    sizes = launch.launch
    if launch.workers:
        share = binary("*", wide(sizes.rows_per_thread), binary("/", number(launch.lanes), _ACROSS))
        return blocks_for(number(launch.workers), tiles, blocks_for(of_rows, share, MAX_GRID))
    alone = at_most(binary("*", tiles, of_rows), binary("*", wide(sizes.alone_rows), down))
    idle = blocks_for(MULTIPROCESSORS, tiles, MAX_GRID)
    held = blocks_for(binary("/", binary("*", HELD, MULTIPROCESSORS), tiles), 1, MAX_GRID)
    most = blocks_for(per_sm(sizes.blocks_per_sm), tiles, held)
    shared = split_among(of_rows, down, idle, binary("*", wide(sizes.rows_per_thread), down), most)
    return choice(alone, number(1), shared)


def _is_long(launch: LaunchRow) -> Expr:
    """Where a row has a block, or several: how many, the points alone decide of a fixed tree."""
    found: list[Expr] = [_FEW, at_least(LENGTH, launch.launch.block_length)]
    if not launch.workers:
        scarce = below(ROWS, per_sm(launch.launch.scarce_rows_per_sm))
        found.append(both(above(LENGTH, launch.launch.scarce_length), scarce))
    joined = disjunction(found)
    assert joined is not None
    return joined


def _blocks(launch: LaunchRow, function: StartedFunction) -> tuple[Node, ...]:
    """A block for each row, or several for each of few."""
    assert launch.accumulator is not None
    several = above(SPLITS, 1)
    shared = where(several, ROWS)
    persistent_blocks = held_per_sm(launch.launch.blocks_per_sm, launch.block)
    limit = choice(below(persistent_blocks, MAX_GRID), persistent_blocks, number(MAX_GRID))
    return (
        values(UNSIGNED, (SPLITS, choice(_FEW, blocks_of_split(launch, ROWS, CHUNKS), number(1)))),
        left(launch.accumulator, several, [_WORKERS if launch.workers else SPLITS, shared], shared),
        values(UNSIGNED, (BLOCKS, choice(several, rows_of_split(launch, ROWS, SPLITS), blocks_for(ROWS, 1, limit)))),
        *once(function, dim3(SPLITS, BLOCKS), dim3(launch.block)),
    )


def _narrow(launch: LaunchRow) -> tuple[Node, ...]:
    """Where a row has a warp or a part of one; nothing where there are no rows."""
    there = above(ROWS, 0)
    most = per_sm(launch.launch.warp_blocks_per_sm)
    found: tuple[Node, ...] = ()
    if launch.warps is not None:
        blocks = blocks_for(ROWS, launch.block // WARP, most)
        of_warps = (
            *remarks("A warp for each row."),
            values(UNSIGNED, (BLOCKS, blocks)),
            *persistent(launch.warps, BLOCKS),
        )
        found = (If(there, of_warps),)
    elif launch.lanes is not None:
        found = (If(there, _lanes(launch, launch.lanes, most)),)
    if launch.short is not None:
        condition = both(there, at_most(CHUNKS, WARP_SIZE) if launch.warps else None)
        found = (If(condition, _short(launch, launch.short, most), found),)
    return found


def _short(launch: LaunchRow, function: StartedFunction, most: Expr) -> tuple[Node, ...]:
    return (
        *remarks("As many lanes for each row as it has chunks."),
        values(UNSIGNED, (_LANES, number(1)), varies=True),
        WhileLoop(below(_LANES, CHUNKS), (assigned(_LANES, number(2), "*"),), do_first=False),
        values(UNSIGNED, (BLOCKS, blocks_of_short(launch, ROWS, _LANES, most))),
        *persistent(function, BLOCKS),
    )


def _lanes(launch: LaunchRow, function: StartedFunction, most: Expr) -> tuple[Node, ...]:
    given = launch.launch
    some = choice(at_most(CHUNKS, given.some_chunks), number(given.some_lanes), WARP_SIZE)
    lanes = choice(at_most(CHUNKS, given.few_chunks), number(given.few_lanes), some)
    numbers = dict.fromkeys((given.few_lanes, given.some_lanes, WARP))
    cases = tuple(StartCase(each, StartKernel(function, (each,), is_resident=True)) for each in numbers)
    return (
        *remarks("Some lanes of a warp for each row, about two chunks for each lane."),
        values(UNSIGNED, (_LANES, lanes)),
        values(UNSIGNED, (BLOCKS, blocks_for(ROWS, binary("/", number(launch.block), _LANES), most))),
        configured(function, BLOCKS),
        StartOneOf(_LANES, cases),
    )


# ---- COLUMN ------------------------------------------------------------------------------------------


def columns(launch: LaunchColumn) -> tuple[Node, ...]:
    """Tiles of columns, whose rows are split over blocks until the device is full; nothing where there are none."""
    assert launch.accumulator is not None
    sizes = launch.launch
    places, shared, tiles = variable("@places", LLONG), variable("@shared", LLONG), variable("@tiles", UNSIGNED)
    block = variable("@block")
    full = f"there are {launch.workers} of them" if launch.workers else "the device is full"
    several = above(SPLITS, 1)
    outers = () if launch.is_layered else (above(_OUTERS, 0),)
    of_places = (
        values(UNSIGNED, (_ACROSS, across(launch, places, ROWS))),
        BlockSides((_ACROSS, binary("/", number(launch.block), _ACROSS))),
        values(UNSIGNED, (tiles, blocks_for(places, _ACROSS, MAX_WIDE))),
        *remarks(
            f"Rows are split over blocks until {full}, with at least {sizes.rows_per_thread} for each thread"
            f"{'' if launch.workers else ' once no multiprocessor is idle'}."
        ),
        values(UNSIGNED, (SPLITS, blocks_of_columns(launch, tiles, ROWS, _y(block)))),
        values(LLONG, (shared, where(several, _OUTERS)), remark="nothing is left for others without a split"),
        left(launch.accumulator, several, [SPLITS, _COLUMNS, shared], where(several, tiles)),
        *once(launch.whole, dim3(tiles, SPLITS), block),
    )
    return (
        Braces(
            (
                *remarks(
                    f"A block is as many columns wide as there are, up to {sizes.across} threads; its other threads "
                    "take rows, or more columns."
                ),
                values(LLONG, (_COLUMNS, launch.columns), (ROWS, launch.rows), (_OUTERS, launch.outers)),
                values(LLONG, (places, _places(launch))),
                *(() if launch.workers else (AskHeld(launch.whole),)),
                If(both(above(places, 0), *outers), of_places),
            )
        ),
    )


def across(launch: LaunchColumn, places: Expr, of_rows: Expr) -> Expr:
    """Threads along the columns of a launch; a fixed tree has lanes of its own, which follow from the sizes alone."""
    sizes = launch.launch
    loads: Expr
    most: Expr
    if launch.workers:
        loads, threads, most = binary("<<", wide(1), number(62)), sizes.across, number(1)
    else:
        loads, threads = quotient(of_rows, launch.in_flight), launch.block
        most = held_per_sm(sizes.blocks_per_sm, launch.block)
    asked = (places, loads, number(sizes.across), number(threads), most)
    return call("pencilc_columns_across", *asked, returns=UNSIGNED)


def _places(launch: LaunchColumn) -> Expr:
    places = quotient(_COLUMNS, launch.width)
    return binary("*", places, _OUTERS) if launch.is_layered else places


def _y(block: Expr) -> Expr:
    return member(block, "y", UNSIGNED)


# ---- tiles -------------------------------------------------------------------------------------------


def tiles(launch: LaunchTiled) -> tuple[Node, ...]:
    """Tiles, of the size that takes the least time; where one side is narrow, what has no tiles."""
    of_points = above(_POINTS, 0) if launch.folds or not launch.may_split else None
    are_wide = both(
        above(_OUTERS, 0), _sides(launch), below(ROWS, _LARGE), below(_COLUMNS, _LARGE), of_points,
        below(_POINTS, _LARGE),
    )  # fmt: skip
    return (
        Braces(
            (
                *remarks("Points that share what they read go in tiles; where one side is narrow, they share little."),
                values(
                    LLONG, (ROWS, launch.rows), (_COLUMNS, launch.columns), (_POINTS, launch.points),
                    (_OUTERS, launch.outers),
                ),
                If(are_wide, _tiles(launch), _narrow_tiles(launch.narrow)),
            )
        ),
    )  # fmt: skip


def _sides(launch: LaunchTiled) -> Expr | None:
    """Whether neither side is too narrow for tiles, of which one may be narrower where there are narrow ones."""
    side, least = launch.launch.tile_side, launch.least_side
    both_sides = both(at_least(ROWS, least), at_least(_COLUMNS, least))
    if least == side:
        return both_sides
    return both(both_sides, disjunction((at_least(ROWS, side), at_least(_COLUMNS, side))))


def _narrow_tiles(launch: LaunchRow | LaunchColumn | LaunchParallel) -> tuple[Node, ...]:
    match launch:
        case LaunchRow():
            return rows(launch)
        case LaunchColumn():
            return columns(launch)
        case LaunchParallel():
            return parallel(launch)


def _tiles(launch: LaunchTiled) -> tuple[Node, ...]:
    """Tiles of the size that takes the least time, where they are few shared by several blocks each."""
    sizes = [cost.size for cost in launch.costs]
    several = launch.may_split or len(sizes) > 1
    found: tuple[Node, ...] = ()
    if several:
        found = _chosen(launch)
    else:
        found = (values(INT, (_DOWN, number(sizes[0].down)), (_ACROSS_TILE, number(sizes[0].across))),)
    found = (*found, values(LLONG, (_TILES, _tiles_of(launch, working=False))))
    grid: tuple[Expr, ...] = (cast(UNSIGNED, _TILES),)
    if launch.may_split:
        found = (*found, _left_by_tiles(launch))
        grid = (*grid, SPLITS)
    starts = tuple(StartKernel(launch.tiles, size.numbers) for size in sizes)
    started: Node = starts[0]
    if len(starts) > 1:
        started = StartOneOf(_SIZE, tuple(StartCase(place, start) for place, start in enumerate(starts)))
    return (*found, Configure(dim3(*grid), dim3(launch.block)), started)


def _tiles_of(launch: LaunchTiled, working: bool = True) -> Expr:
    """How many tiles of `@down` x `@across` points of a thread there are; where they fold, how many rows of tiles.

    `working`: those that have elements, where not all do.
    """
    sides = [binary("*", number(launch.side), each) for each in (_DOWN, _ACROSS_TILE)]
    across = number(1) if launch.folds else _COLUMNS
    if working and launch.triangle is not None:
        which = (number(launch.triangle.offset), TRUE if launch.triangle.below else FALSE)
        return call("pencilc_tiles_with_points", ROWS, across, _OUTERS, *sides, *which, returns=LLONG)
    return call("pencilc_tiles", ROWS, across, _OUTERS, *sides, returns=LLONG)


def _chosen(launch: LaunchTiled) -> tuple[Node, ...]:
    """`@size`, with its `@down` and `@across`, and `@splits` where blocks may share a tile."""
    rounds: Expr | None = None
    if launch.folds:
        across = binary("*", number(launch.side), _ACROSS_TILE)
        rounds = call("pencilc_tiles", _COLUMNS, number(1), number(1), across, number(1), returns=LLONG)
    if not launch.may_split:
        return (ChooseTiles(launch.costs, _tiles_of(launch), _POINTS, rounds, None, None),)
    shared = _COLUMNS if launch.folds else _POINTS
    shares = binary("+", binary("/", shared, number(launch.launch.tile_share)), number(1))
    splits: Expr | None = None
    if launch.fixed_tiles:
        smallest = launch.costs[-1].size
        sides = (number(launch.side * smallest.down), number(launch.side * smallest.across))
        tiles = call("pencilc_tiles", ROWS, number(1) if launch.folds else _COLUMNS, _OUTERS, *sides, returns=LLONG)
        splits = blocks_for(number(launch.fixed_tiles), tiles, shares)
    return (ChooseTiles(launch.costs, _tiles_of(launch), _POINTS, rounds, shares, splits),)


def _left_by_tiles(launch: LaunchTiled) -> Node:
    """Memory for what blocks that share a tile leave for each other."""
    assert launch.accumulator is not None
    results = (launch.side, _DOWN) if launch.folds else (launch.side**2, _DOWN, _ACROSS_TILE)
    is_shared = above(SPLITS, 1)
    return left(
        launch.accumulator, is_shared, [where(is_shared, scaled(SPLITS, _TILES, *results))], where(is_shared, _TILES)
    )
