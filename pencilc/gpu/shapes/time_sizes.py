"""Sizes of tiles that do several iterations: how many, and how large a tile is.

Chosen is what takes the least time for an iteration among what fits on the chip, by the bytes that are moved to and
from memory, and on the chip, where what lies around tiles is computed more than once.  No figure was measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace
from itertools import product
from math import inf, prod

from pencilc.ir.time_tiles import HeldArray, TimeTiling, added, scaled
from pencilc.options import TimeLaunch
from pencilc.target import STATIC_SHARED, WARP

# The threads of a block, and how many of them lie along the contiguous dimension.
THREADS = 256
ACROSS = WARP
# A byte of memory takes a multiprocessor as long as so many of its shared memory.
ON_CHIP = 8
# Tiles have sides of a multiple of this; across, of a warp.
UNIT = 4


def with_sizes(tiling: TimeTiling, changes: Mapping[str, int]) -> TimeTiling | None:
    """The tiles that take the least time; None where launches for each iteration take as little.

    `changes`: launch parameters that a search has found, or the user asks for; they are kept to as they are.
    """
    launch = tiling.launch.changed(changes)
    least = inf if changes.keys() & _SIZES else untiled_bytes(tiling)
    best: TimeTiling | None = None
    for sides in product(*_sides(len(tiling.box), launch, changes)):
        for count in _counts(launch, changes):
            made = replace(tiling, sides=sides, count=count)
            if tile_bytes(made) > STATIC_SHARED:
                break  # more iterations take more
            cost = moved_bytes(made) + chip_bytes(made) / ON_CHIP
            if cost < least:
                best, least = made, cost
    return replace(best, launch=_as_chosen(launch, best)) if best is not None else None


# Who says how large tiles are wants them, whether they move fewer bytes or not.
_SIZES = frozenset(("time_steps", "time_line", "time_across", "time_down", "time_planes"))


def _sides(dimensions: int, launch: TimeLaunch, changes: Mapping[str, int]) -> list[tuple[int, ...]]:
    """The lengths that each side of a tile may have."""
    if dimensions == 1:
        return [_range("time_line", launch.time_line, ACROSS * 8, changes)]
    names = _names(dimensions)
    sides = [_range(name, getattr(launch, name), UNIT, changes) for name in names[:-1]]
    return [*sides, _range(names[-1], launch.time_across, ACROSS, changes)]


def _names(dimensions: int) -> tuple[str, ...]:
    """The parameters for the sides of a tile."""
    return ("time_line",) if dimensions == 1 else ("time_planes", "time_down", "time_across")[-dimensions:]


def _counts(launch: TimeLaunch, changes: Mapping[str, int]) -> Seq[int]:
    """The numbers of iterations that a launch may do."""
    least = launch.time_steps if "time_steps" in changes else 2
    return range(max(2, least), launch.time_steps + 1)


def _range(name: str, most: int, unit: int, changes: Mapping[str, int]) -> tuple[int, ...]:
    """The lengths that a side may have: the one that is asked for, or multiples of a unit."""
    if name in changes:
        return (max(1, most),)
    return tuple(range(min(unit, most), most + 1, unit))


def _as_chosen(launch: TimeLaunch, tiling: TimeTiling) -> TimeLaunch:
    """The parameters with what was chosen."""
    names = _names(len(tiling.sides))
    return launch.changed({**dict(zip(names, tiling.sides, strict=True)), "time_steps": tiling.count})


def held_elements(tiling: TimeTiling, array: HeldArray) -> int:
    """Elements of shared memory that an array takes."""
    return prod(tiling.extents(array))


def size_of(array: HeldArray) -> int:
    """Bytes of an element."""
    return array.index.type.size


def tile_bytes(tiling: TimeTiling) -> int:
    """Bytes of shared memory of a block, with what aligns one array behind another."""
    return sum(-(-held_elements(tiling, each) * size_of(each) // 16) * 16 for each in tiling.arrays)


def moved_bytes(tiling: TimeTiling) -> float:
    """Bytes of memory for an iteration of an element of a tile, about."""
    points = prod(tiling.sides)
    once = sum((held_elements(tiling, each) + points) * size_of(each) for each in tiling.carried())
    others = sum(
        points_of_step(tiling, number, left) * size
        for left in range(tiling.count)
        for number, size in enumerate(tiling.global_bytes)
    )
    return (once + others) / (points * tiling.count)


def chip_bytes(tiling: TimeTiling) -> float:
    """Bytes that are moved on the chip for an iteration of an element, what is done around tiles for them included."""
    done = sum(
        points_of_step(tiling, number, left) * step.chip_bytes
        for left in range(tiling.count)
        for number, step in enumerate(tiling.steps)
    )
    return done / (prod(tiling.sides) * tiling.count)


def untiled_bytes(tiling: TimeTiling) -> float:
    """What takes the time of an iteration of an element where each kernel has a launch for it: each array is read once,
    and written, and on the chip what a point accesses.
    """
    sizes = {each.symbol: size_of(each) for each in tiling.arrays}
    touched = (name for step in tiling.steps for name in (*step.reads, *step.writes))
    on_chip = sum(step.chip_bytes for step in tiling.steps)
    return sum(sizes[name] for name in touched) + sum(tiling.global_bytes) + on_chip / ON_CHIP


def points_of_step(tiling: TimeTiling, number: int, left: int) -> int:
    """The points of a step where `left` iterations are still to come."""
    around = added([scaled(tiling.reach, left), tiling.behind(number)], len(tiling.sides))
    return prod(low + side + high for side, (low, high) in zip(tiling.sides, around, strict=True))
