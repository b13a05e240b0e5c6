"""How whole loops are launched: all iterations by blocks that are resident together, or several by each launch."""

from __future__ import annotations

from pencilc.codegen.launch_nodes import (
    BLOCKS,
    MULTIPROCESSORS,
    TRUE,
    above,
    assigned,
    at_least,
    at_most,
    below,
    blocks_for,
    both,
    dim3,
    fits,
    flag,
    per_sm,
    remarks,
    scaled,
    size_of,
    total,
    values,
)
from pencilc.ir.build import (
    SIZE,
    UNSIGNED,
    ZERO,
    binary,
    call,
    cast,
    choice,
    declare,
    negation,
    number,
    variable,
)
from pencilc.ir.launches import KernelInLoop, LaunchesInTime, LaunchLoop
from pencilc.ir.launching import (
    AskResident,
    Configure,
    EachLaunch,
    ReserveBarrier,
    ReserveBytes,
    StartKernel,
    TwoPlaces,
)
from pencilc.ir.nodes import Braces, If, Node, WhileLoop
from pencilc.ir.source import BOOL, CHAR, INT, LLONG, PointerType
from pencilc.target import WARP

_POINTS = variable("@points", LLONG)
_THREADS, _RESIDENT = variable("@threads", UNSIGNED), variable("@resident", INT)
_ITERATIONS, _LAUNCHES, _LAUNCH = (variable(f"@{name}", LLONG) for name in ("iterations", "launches", "launch"))
_STEPS, _IS_LAST = variable("@steps", INT), variable("@is_last", BOOL)


def loop(launch: LaunchLoop) -> tuple[Node, ...]:
    """One block where no iteration has many points; all that are resident, where it has more; else the loop itself."""
    fit, first, *others = fits(launch.name), *launch.inside
    sizes = launch.launch
    resident = choice(below(_RESIDENT, sizes.blocks_per_sm), _RESIDENT, number(sizes.blocks_per_sm))
    most = binary("*", cast(LLONG, resident), MULTIPROCESSORS)
    grow = both(below(_THREADS, launch.block), below(_THREADS, _POINTS))
    of_grid = both(negation(fit), at_most(_POINTS, per_sm(sizes.grid_points_per_sm)))
    found: list[Node] = [
        *remarks(
            "All iterations in one launch: by one block if each has few points, by all that are resident if it has "
            "more."
        ),
        values(LLONG, (_POINTS, first.points), varies=bool(others)),
        *(assigned(_POINTS, call("pencilc_max", _POINTS, each.points, returns=LLONG)) for each in others),
        values(UNSIGNED, (BLOCKS, number(1)), (_THREADS, number(WARP)), varies=True),
        WhileLoop(grow, (assigned(_THREADS, number(2), "*"),), do_first=False),
        assigned(fit, at_most(_POINTS, sizes.block_points)),
        If(
            of_grid,
            (
                AskResident(launch.whole, (), ZERO),
                assigned(fit, above(_RESIDENT, 0)),
                assigned(_THREADS, number(launch.block)),
                assigned(BLOCKS, blocks_for(_POINTS, launch.block, most)),
            ),
        ),
        If(
            fit,
            (
                *(node for each in launch.inside if each.given for node in _placed(each)),
                ReserveBarrier(scaled(size_of(UNSIGNED), above(BLOCKS, 1))),
                Configure(dim3(BLOCKS), dim3(_THREADS), together=above(BLOCKS, 1)),
                StartKernel(launch.whole),
            ),
        ),
    ]
    if launch.in_time is not None:
        found += _in_time(launch, launch.in_time)
    return (*flag(launch.name, launch.is_declared), Braces(tuple(found)))


def _placed(kernel: KernelInLoop) -> tuple[Node, ...]:
    """How the blocks and threads of the launch stand in the rows of one of its kernels."""
    k, (first, second, *_) = kernel.number, kernel.extents
    across, broad, high = (variable(f"@{name}{k}", UNSIGNED) for name in ("across", "wide", "high"))
    asked = call("pencilc_across", first, second, number(WARP), _THREADS, returns=UNSIGNED)
    found: list[Node] = [
        values(UNSIGNED, (across, asked)), values(UNSIGNED, (broad, blocks_for(first, across, BLOCKS))),
    ]  # fmt: skip
    if kernel.given[2:]:
        down = blocks_for(second, binary("/", _THREADS, across), binary("/", BLOCKS, broad))
        found.append(values(UNSIGNED, (high, down)))
    return tuple(found)


def _in_time(launch: LaunchLoop, time: LaunchesInTime) -> tuple[Node, ...]:
    """Launches of a loop that do several iterations each, where these are not few.

    An even number of them leaves all arrays where they were.
    """
    fit = fits(launch.name)
    sides = [at_least(extent, time.launch.time_side) for extent in time.extents]
    return (
        values(LLONG, (_ITERATIONS, time.iterations)),
        If(both(negation(fit), at_least(_ITERATIONS, 2), *sides), _launches(launch, time)),
    )


def _launches(launch: LaunchLoop, time: LaunchesInTime) -> tuple[Node, ...]:
    count = 2 * time.count
    rounds = scaled(binary("/", binary("+", _ITERATIONS, number(count - 1)), number(count)), 2)
    places = [variable(f"@bytes{number_}", SIZE) for number_ in range(len(time.arrays))]
    tiles = [variable(f"@tiles{number_}", LLONG) for number_ in range(len(time.extents))]
    others = variable("@others", PointerType(CHAR))
    found: list[Node] = [
        *remarks(
            f"As many launches as do {time.count * time.period} iterations each, made even: what one stores the next "
            "one finds, in the array or in another one."
        ),
        assigned(fits(launch.name), TRUE),
        values(LLONG, (_LAUNCHES, rounds)),
    ]
    for place, array in zip(places, time.arrays, strict=True):
        padded = binary("/", cast(SIZE, binary("+", array.bytes, number(255))), number(256))
        found.append(values(SIZE, (place, scaled(padded, 256))))
    found.append(ReserveBytes("@others", total(places)))
    for position, array in enumerate(time.arrays):
        behind = total([*places[:position], others])
        found.append(TwoPlaces(array.type, array.taken, array.array, array.left, behind))
    if time.asks_first:
        found.append(declare("@first_iteration", time.type, time.first))
    for tile, extent, side in zip(tiles, time.extents, time.sides, strict=True):
        count_ = binary("/", binary("+", extent, number(side - 1)), number(side))
        found.append(values(LLONG, (tile, count_)))
    grid = dim3(cast(UNSIGNED, scaled(*tiles)))
    return (*found, Configure(grid, dim3(time.tiles.block)), EachLaunch(_each_launch(time)))


def _each_launch(time: LaunchesInTime) -> tuple[Node, ...]:
    """Some iterations; what was stored is what the next launch takes."""
    more = below(_LAUNCH, binary("%", _ITERATIONS, _LAUNCHES))
    steps = cast(INT, binary("+", binary("/", _ITERATIONS, _LAUNCHES), more))
    found: list[Node] = [values(INT, (_STEPS, steps))]
    if time.asks_last:
        found.append(values(BOOL, (_IS_LAST, binary("==", _LAUNCH, binary("-", _LAUNCHES, number(1))))))
    found.append(StartKernel(time.tiles))
    if time.asks_first:
        found.append(assigned(variable("@first_iteration", time.type), scaled(_STEPS, time.period), "+"))
    for position, array in enumerate(time.arrays):
        pointer = PointerType(array.type)
        taken, left, swapped = (
            variable(name, pointer) for name in (array.taken, array.left, f"@swapped{position}")
        )  # fmt: skip
        found += [
            declare(swapped.symbol.name, pointer, taken, is_const=True), assigned(taken, left),
            assigned(left, swapped),
        ]  # fmt: skip
    return tuple(found)
