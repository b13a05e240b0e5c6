"""Sizes of tiles with a halo: how many points a tile has, and how what it holds lies in shared memory.

None of the figures was measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import prod

from pencilc.ir.shapes import Halo, Held, HeldDimension
from pencilc.options import HaloLaunch
from pencilc.target import SECTOR

# The threads of a block.
THREADS = 256
# What a block has in shared memory, at most: six blocks are on a multiprocessor that has 228 KB (sm_90), each of which
# takes 1 KB more, and four where it has 164 KB (sm_80).
HALO_BYTES = 37 * 1024
# The sides, down and across, that tiles may have where none are asked for.
SIDES = ((16, 64), (16, 32), (32, 64), (32, 32))
# What a thread reads of its tile, at most: it has all of its points at once in registers.
MOST_READS = 48
# The points of a plane that a thread has, at most: what it loads of the next plane is in registers, with its places.
MOST_OF_PLANE = 4
# The sides of a tile where rows become columns: whole sectors of single bytes.
TRANSPOSED_SIDE = 32
# Bytes of a bank of shared memory.
WORD = 4
# A tile is made no smaller than this.
LEAST_SIDE = 16


def tile_points(halo: Halo, launch: HaloLaunch) -> tuple[int, ...]:
    """The points of a tile along each kept row; along the planes, as many as a block goes through at most."""
    sides = {halo.down: launch.halo_down, halo.across: launch.halo_across, halo.along: launch.halo_depth}
    return tuple(sides.get(position, 1) for position in range(len(halo.kept_box)))


def with_points(halo: Halo, changes: Mapping[str, int]) -> Halo | None:
    """The tile with the sides that move the fewest sectors for a point; None where none fits.

    `changes`: launch parameters that a search has found, or the user asks for.  Sides among them are taken as they are,
    or the largest that fit; so are those of tiles in which rows become columns.
    """
    launch = _dealt(halo.launch.changed(changes))
    if changes.keys().isdisjoint(("halo_across", "halo_down")) and not any(each.transposed for each in halo.held):
        fitting = [made for sides in SIDES if (made := _with_sides(halo, launch, *sides)) is not None]
        if fitting:
            return min(fitting, key=sectors_of_point)
    while True:
        points = tile_points(halo, launch)
        made = replace(halo, points=points, launch=launch)
        if halo_bytes(made) <= HALO_BYTES:
            return made
        if launch.halo_across > TRANSPOSED_SIDE:
            launch = replace(launch, halo_across=launch.halo_across // 2)
        elif launch.halo_down > LEAST_SIDE:
            launch = replace(launch, halo_down=launch.halo_down // 2)
        elif launch.halo_across > LEAST_SIDE:
            launch = replace(launch, halo_across=launch.halo_across // 2)
        else:
            return None
        launch = _dealt(launch)


def _with_sides(halo: Halo, launch: HaloLaunch, down: int, across: int) -> Halo | None:
    """The tile with these sides, if they fit."""
    launch = replace(launch, halo_down=down, halo_across=across)
    made = replace(halo, points=tile_points(halo, launch), launch=launch)
    points = down * across // THREADS
    reads = points * sum(each.uses for each in halo.held)
    is_light = down == LEAST_SIDE or (reads <= MOST_READS and (halo.along is None or points <= MOST_OF_PLANE))
    return made if is_light and halo_bytes(made) <= HALO_BYTES else None


def sectors_of_point(halo: Halo) -> float:
    """Sectors that are fetched for each point of a tile, or of one of its planes; its first column begins a sector."""
    found = 0
    for held in halo.held:
        (*outer, last), size = held.dimensions, held.index.type.size
        runs = prod(1 if _moves_along(halo, each) else each.extent(halo.points) for each in outer)
        begin = last.low * size // SECTOR
        end = (last.low + last.extent(halo.points)) * size
        found += runs * (-(-end // SECTOR) - begin)
    return found / (halo.points[halo.down] * halo.points[halo.across])


def _moves_along(halo: Halo, dimension: HeldDimension) -> bool:
    return dimension.row is not None and dimension.row == halo.along


def _dealt(launch: HaloLaunch) -> HaloLaunch:
    """The parameters with sides that are dealt out to the threads of a block, each as many points: powers of two."""
    across = min(THREADS, max(LEAST_SIDE, 1 << (max(1, launch.halo_across).bit_length() - 1)))
    down = max(THREADS // across, 1 << (max(1, launch.halo_down).bit_length() - 1))
    return replace(launch, halo_across=across, halo_down=down, halo_depth=max(1, launch.halo_depth))


def ring(halo: Halo) -> int:
    """How many planes a block holds: a power of two, and one more at least than a point needs.

    While the points of a plane are done the next plane is fetched into the place of one that nobody needs any more, so
    that one barrier for each plane is enough.
    """
    low, high = reach_along(halo)
    planes = 2
    while planes < high - low + 2:
        planes *= 2
    return planes


def reach_along(halo: Halo) -> tuple[int, int]:
    """The first and the last plane that a point needs, from its own."""
    moving = [d for each in halo.held for d in each.dimensions if _moves_along(halo, d)]
    return (min(d.low for d in moving), max(d.high for d in moving)) if moving else (0, 0)


def extents(halo: Halo, held: Held) -> tuple[int, ...]:
    """How many values each subscript has in what a tile holds of an array: of the planes, those of the ring."""
    return tuple(
        ring(halo) if _moves_along(halo, dimension) else dimension.extent(halo.points) for dimension in held.dimensions
    )


def pitches(halo: Halo, held: Held) -> tuple[int, ...]:
    """How far apart neighbours along each subscript lie in shared memory, in elements.

    Where a tile is read across its rows, these have an odd number of words (of elements, if these are larger), so that
    no two threads of a warp share a bank.
    """
    sizes = list(extents(halo, held))
    if held.transposed:
        in_word = max(1, WORD // held.index.type.size)
        sizes[-1] = (-(-sizes[-1] // in_word) | 1) * in_word
    found = [1]
    for size in reversed(sizes[1:]):
        found.insert(0, found[0] * size)
    return tuple(found)


def held_elements(halo: Halo, held: Held) -> int:
    """Elements of shared memory that an array takes."""
    return extents(halo, held)[0] * pitches(halo, held)[0]


def halo_bytes(halo: Halo) -> int:
    """Bytes of shared memory of a block, with what aligns one array behind another."""
    return sum(-(-held_elements(halo, each) * each.index.type.size // 16) * 16 for each in halo.held)
