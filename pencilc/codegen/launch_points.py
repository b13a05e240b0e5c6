"""How kernels are launched whose points need not wait for each other: PARALLEL, tiles with a halo, one thread."""

from __future__ import annotations

from pencilc.codegen.launch_nodes import (
    BLOCKS,
    ROWS,
    above,
    assigned,
    at_least,
    below,
    blocks_for,
    both,
    dim3,
    once,
    per_sm,
    persistent,
    quotient,
    remarks,
    scaled,
    unless_counted,
    values,
)
from pencilc.diagnostics.source import UNKNOWN_SPAN
from pencilc.ir.build import (
    UNSIGNED,
    ZERO,
    binary,
    call,
    cast,
    declare,
    member,
    number,
    variable,
)
from pencilc.ir.kernel import BLOCK_ROWS
from pencilc.ir.launches import LaunchHalo, LaunchLeave, LaunchParallel, LaunchSingle
from pencilc.ir.launching import BlockSides, CopyBack, GridSides
from pencilc.ir.nodes import Braces, If, Node, WhileLoop
from pencilc.ir.source import INT, LLONG, Expr, Jump
from pencilc.target import MAX_GRID, MAX_WIDE

_ROWS = variable(BLOCK_ROWS, LLONG)
_ACROSS, _BLOCK, _GRID = variable("@across", UNSIGNED), variable("@block"), variable("@grid")
_LARGE = 2**30  # rows and columns of tiles are counted in `int`


def single(launch: LaunchSingle | LaunchLeave) -> tuple[Node, ...]:
    """One block of one thread."""
    return (Braces(once(launch.whole, dim3(1), dim3(1))),)


def leave(launch: LaunchLeave) -> tuple[Node, ...]:
    """One thread, which the host asks whether the loop ends; not where it only counts how much memory there is."""
    ends = If(variable("@ends", INT), (Jump("break", UNKNOWN_SPAN),))
    return (
        *single(launch),
        *remarks("Whether the loop ends is data, which the host has to wait for."),
        unless_counted((declare("@ends", INT, ZERO), CopyBack("@ends", launch.told), ends)),
    )


def parallel(launch: LaunchParallel) -> tuple[Node, ...]:
    """As many blocks as the points need, in as many directions as rows are dealt out, along x for all of them."""
    most = launch.launch
    first = launch.extents[0]
    if launch.second is None:
        blocks = blocks_for(first, launch.block, per_sm(most.blocks_per_sm))
        return (Braces((values(UNSIGNED, (BLOCKS, blocks)), *persistent(launch.whole, BLOCKS))),)
    across = call(
        "pencilc_across", first, launch.second, number(most.across), number(launch.block), returns=UNSIGNED
    )  # fmt: skip
    wide = blocks_for(first, member(_BLOCK, "x", UNSIGNED), MAX_WIDE)
    grid = [wide, blocks_for(launch.second, _ROWS, MAX_GRID)]
    grid += [blocks_for(launch.third, 1, MAX_GRID)] if launch.third is not None else []
    return (
        Braces(
            (
                values(UNSIGNED, (_ACROSS, across)),
                BlockSides((_ACROSS, binary("/", number(launch.block), _ACROSS))),
                values(LLONG, (_ROWS, block_rows(launch, wide, member(_BLOCK, "y", UNSIGNED)))),
                GridSides(tuple(grid)),
                *once(launch.whole, _GRID, _BLOCK),
            )
        ),
    )


def block_rows(launch: LaunchParallel, wide: Expr, at_once: Expr) -> Expr:
    """How many rows a block has below each other, `at_once` at a time, where `wide` blocks stand beside each other."""
    assert launch.second is not None
    most = launch.launch
    beside = cast(LLONG, wide) if launch.third is None else binary("*", cast(LLONG, wide), launch.third)
    full = per_sm(most.full_blocks_per_sm)
    return call("pencilc_block_rows", beside, launch.second, at_once, number(most.rows), full, returns=LLONG)


def halo(launch: LaunchHalo) -> tuple[Node, ...]:
    """Tiles, a block for each, unless a side is narrow: then a thread for each point."""
    sizes = launch.launch
    columns, outers, planes = (variable(name, LLONG) for name in ("@columns", "@outers", "@planes"))
    blocks, depth = variable("@blocks", LLONG), variable("@depth", INT)
    of_tiles = scaled(quotient(ROWS, sizes.halo_down), quotient(columns, sizes.halo_across))
    found: list[Node] = [
        *remarks(
            "A block has a tile of points and fetches what they read; where a side is narrow, tiles would be empty for "
            "the most part."
        ),
        values(LLONG, (ROWS, launch.rows), (columns, launch.columns), (outers, launch.outers)),
        values(LLONG, (blocks, of_tiles), varies=True),
    ]
    if launch.planes is not None:
        layers = binary("/", binary("-", binary("+", planes, depth), number(1)), depth)
        few = below(scaled(blocks, outers, layers), per_sm(sizes.halo_blocks_per_sm))
        found += [
            *remarks("Fewer planes for each block where there are too few blocks."),
            values(LLONG, (planes, launch.planes)),
            values(INT, (depth, number(sizes.halo_depth)), varies=True),
            WhileLoop(both(above(depth, 4), few), (assigned(depth, number(2), "/"),), do_first=False),
            assigned(blocks, layers, "*"),
        ]
    in_planes = () if launch.planes is None else (above(planes, 0), below(planes, _LARGE))
    are_wide = both(
        at_least(ROWS, sizes.halo_side), at_least(columns, sizes.halo_side), below(ROWS, _LARGE),
        below(columns, _LARGE), *in_planes, below(blocks, _LARGE), above(outers, 0),
        below(outers, binary("/", number(2**31), blocks)),
    )  # fmt: skip
    tiles = once(launch.tiles, dim3(cast(UNSIGNED, scaled(blocks, outers))), dim3(launch.block))
    return (Braces((*found, If(are_wide, tiles, parallel(launch.narrow)))),)
