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

import islpy as isl

from pencilc import islx
from pencilc.ir.shapes import BoxDimension
from pencilc.ir.time_tiles import HeldArray, Reach, TimeTiling, added, scaled
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
    least = inf if changes.keys() & _SIZES else untiled_bytes(tiling) + _own_bytes(tiling) / ON_CHIP
    around = {count: _Around(replace(tiling, count=count)) for count in _counts(launch, tiling.period, changes)}
    best: TimeTiling | None = None
    for sides in product(*_sides(len(tiling.box), launch, changes)):
        for count, each in around.items():
            if each.tile_bytes(sides) > STATIC_SHARED:
                break  # more iterations take more
            cost = each.moved_bytes(sides) + each.chip_bytes(sides) / ON_CHIP
            if cost < least:
                best, least = replace(tiling, sides=sides, count=count), cost
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


def _counts(launch: TimeLaunch, period: int, changes: Mapping[str, int]) -> Seq[int]:
    """The numbers of iterations that a launch may do, or of rounds of several."""
    if launch.time_steps < 2:
        return range(0)
    # Each of an even number of launches does one at least.
    most = max(2, launch.time_steps // period)
    return range(most if "time_steps" in changes else 2, most + 1)


def _range(name: str, most: int, unit: int, changes: Mapping[str, int]) -> tuple[int, ...]:
    """The lengths that a side may have: the one that is asked for, or multiples of a unit."""
    if name in changes:
        return (max(1, most),)
    return tuple(range(min(unit, most), most + 1, unit))


def _as_chosen(launch: TimeLaunch, tiling: TimeTiling) -> TimeLaunch:
    """The parameters with what was chosen."""
    names = _names(len(tiling.sides))
    return launch.changed({**dict(zip(names, tiling.sides, strict=True)), "time_steps": tiling.iterations})


def large_enough(box: Seq[BoxDimension], side: int) -> isl.Set | None:
    """The sizes at which each direction of the box has `side` elements at least, for which alone there are tiles.

    None where an end of it is no one expression of the sizes.
    """
    found: isl.Set | None = None
    for each in box:
        ends = each.lower, each.upper
        if any(end.n_piece() != 1 for end in ends):
            return None
        lower, upper = (isl.PwAff.from_aff(islx.pieces(end)[0][1]) for end in ends)
        own = upper.sub(lower).ge_set(islx.constant(upper.domain(), side - 1)).params()
        found = own if found is None else found.intersect(own)
    return found


def held_elements(tiling: TimeTiling, array: HeldArray) -> int:
    """Elements of shared memory that an array takes."""
    return array.copies * prod(tiling.extents(array))


def size_of(array: HeldArray) -> int:
    """Bytes of an element."""
    return array.index.type.size


class _Around:
    """What a launch of so many iterations holds and does around a tile, whatever the sides of that are."""

    def __init__(self, tiling: TimeTiling) -> None:
        self.count = tiling.count
        self.held = [(tiling.margin(each), size_of(each), each) for each in tiling.arrays]
        # What is done on a border of all tiles alone (`a[0][j] = a[1][j]`) counts for nothing.
        self.steps = [
            (_reach_of_step(tiling, number, left), bytes_, step.chip_bytes)
            for left in range(tiling.count)
            for number, (step, bytes_) in enumerate(zip(tiling.steps, tiling.global_bytes, strict=True))
            if None not in step.rows
        ]

    def tile_bytes(self, sides: Seq[int]) -> int:
        """Bytes of shared memory of a block, with what aligns one array behind another."""
        return sum(-(-each.copies * _points(sides, margin) * size // 16) * 16 for margin, size, each in self.held)

    def moved_bytes(self, sides: Seq[int]) -> float:
        """Bytes of memory for an iteration of an element of a tile, about."""
        points = prod(sides)
        once = sum(
            (each.taken * _points(sides, margin) + each.handed_on * points) * size for margin, size, each in self.held
        )
        others = sum(_points(sides, reach) * bytes_ for reach, bytes_, _ in self.steps if bytes_)
        return (once + others) / (points * self.count)

    def chip_bytes(self, sides: Seq[int]) -> float:
        """Bytes moved on the chip for an iteration of an element, what is done around tiles for them included."""
        return sum(_points(sides, reach) * bytes_ for reach, _, bytes_ in self.steps) / (prod(sides) * self.count)


def _reach_of_step(tiling: TimeTiling, number: int, left: int) -> Reach:
    """How far around its tile a block does a step where `left` iterations are still to come."""
    return added([scaled(tiling.reach, left), tiling.behind(number)], len(tiling.box))


def _points(sides: Seq[int], reach: Reach) -> int:
    """The elements of a tile and of what lies around it."""
    return prod(low + side + high for side, (low, high) in zip(sides, reach, strict=True))


def tile_bytes(tiling: TimeTiling) -> int:
    """Bytes of shared memory of a block, with what aligns one array behind another."""
    return _Around(tiling).tile_bytes(tiling.sides)


def moved_bytes(tiling: TimeTiling) -> float:
    """Bytes of memory for an iteration of an element of a tile, about."""
    return _Around(tiling).moved_bytes(tiling.sides)


def untiled_bytes(tiling: TimeTiling) -> int:
    """Bytes of memory for an iteration of an element where each kernel has a launch for it: each array is read once,
    and written.
    """
    sizes = {each.symbol: size_of(each) for each in tiling.arrays}
    found = 0
    for step, others in zip(tiling.steps, tiling.global_bytes, strict=True):
        if None not in step.rows:
            found += others + sum(sizes[name] for name in (*step.reads, *step.writes))
    return found


def computed(tiling: TimeTiling) -> float:
    """How often the work of an element is done, with what is done around tiles for them."""
    return _Around(tiling).chip_bytes(tiling.sides) / _own_bytes(tiling)


def _own_bytes(tiling: TimeTiling) -> int:
    """Bytes that the points of an element access in an iteration."""
    return sum(step.chip_bytes for step in tiling.steps if None not in step.rows)
