"""What is searched: the launch parameters of each shape and the values that are tried.

Which of them matter for a kernel is found out by compiling: a value that does not change the text changes nothing.
What the target has no room for is not tried: the file asks the device and starts less, or another form, so that it
would be measured twice.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import TypeAlias

from pencilc.ir.shapes import Kernel
from pencilc.options import (
    AllLaunch,
    ColumnLaunch,
    ComposedLaunch,
    IndirectLaunch,
    Launch,
    LoopLaunch,
    ParallelLaunch,
    RowLaunch,
    StitchedLaunch,
    TimeLaunch,
)
from pencilc.records import dataclass
from pencilc.target import Target

Candidate: TypeAlias = "tuple[tuple[str, int], ...]"

_THREADS = (128, 256, 512, 1024)
_LOADS = {"in_flight": (1, 2, 4, 8), "chunk_bytes": (16, 32)}
VALUES: dict[type[Launch], dict[str, tuple[int, ...]]] = {
    AllLaunch: {"threads": _THREADS, "blocks_per_sm": (1, 2, 3, 4, 8), **_LOADS},
    RowLaunch: {
        "threads": (128, 256, 512),
        "blocks_per_sm": (8, 16, 32),
        "in_flight": (2, 4, 8),
        "chunk_bytes": (16, 32),
        "split_rows_per_sm": (1, 4),
        "split_shares": (2, 8, 32),
        "split_blocks_per_sm": (2, 4, 8),
        "block_length": (1024, 2048, 8192),
        "scarce_length": (256, 512, 1024),
        "scarce_rows_per_sm": (4, 16),
        "warp_blocks_per_sm": (16, 32, 64),
        "few_lanes": (2, 4),
        "some_lanes": (8, 16),
    },
    ColumnLaunch: {
        "threads": (128, 256, 512),
        "across": (8, 16, 32),
        "blocks_per_sm": (1, 2, 4, 8),
        "rows_per_thread": (4, 8, 16, 32),
        **_LOADS,
    },
    IndirectLaunch: {
        "threads": (128, 256, 512, 1024),
        "blocks_per_sm": (1, 2, 4),
        "copies_bytes": (4096, 16384, 49152),
        "share_chunks": (512, 2048, 8192),
        "whole_blocks_per_sm": (4, 8, 16),
        "sort_pairs": (4096, 16384),
        "sort_blocks_per_sm": (1, 2, 4),
        "bucket_blocks_per_sm": (8, 16, 32),
        **_LOADS,
    },
    StitchedLaunch: {
        "threads": (128, 256, 512),
        "blocks_per_sm": (8, 16, 32),
        "chunk_bytes": (16, 32),
        "row_elements": (4096, 8192, 16384),
        "row_bytes": (49152, 98304, 196608),
        "warp_lanes": (8, 16, 32),
        "scarce_rows_per_sm": (4, 16),
        "scarce_chunks": (1, 2, 4),
        "across": (16, 32),
        "narrow_across": (4, 8, 16),
        "grid_blocks_per_sm": (1, 2, 4),
        "cluster_blocks": (1, 2, 4, 8),
    },
    ComposedLaunch: {
        "threads": (128, 256, 512),
        "blocks_per_sm": (8, 16, 32),
        "across": (8, 16, 32),
        "row_points": (16, 64, 256),
        "round_points": (1024, 4096, 16384),
        "memory_points": (4096, 16384, 65536),
        **_LOADS,
    },
    LoopLaunch: {
        "threads": (128, 256, 512),
        "blocks_per_sm": (1, 2, 4),
        "block_points": (256, 512, 1024, 4096),
        "grid_points_per_sm": (1024, 4096, 16384),
    },
    ParallelLaunch: {
        "threads": _THREADS,
        "blocks_per_sm": (8, 16, 32, 64),
        "across": (16, 32),
        "rows": (1, 2, 4, 8),
        "full_blocks_per_sm": (4, 8, 16),
    },
}


@dataclass(frozen=True, slots=True)
class Residence:
    """Blocks of a kernel that a multiprocessor is to hold together: the parameter that says how many, and the target.

    `threads` are those of a block where they are no parameter.
    """

    per_sm: str
    threads: int
    target: Target

    def holds(self, candidate: Candidate) -> bool:
        """Whether it does, by their threads alone: registers are known when the candidate is compiled."""
        wanted = dict(candidate)
        blocks = wanted.get(self.per_sm)
        return blocks is None or blocks <= self.target.resident(wanted.get("threads", self.threads))


@dataclass(frozen=True, slots=True)
class Space:
    """The parameters of one kernel that matter, with the values to try; the start values are among them.

    `residence` leaves out what a multiprocessor does not hold.
    """

    kernel: str
    shape: str
    start: Candidate
    values: tuple[tuple[str, tuple[int, ...]], ...]
    residence: Residence | None = None

    @property
    def size(self) -> int:
        """How many candidates there are."""
        if self.residence is None:
            return math.prod(len(values) for _, values in self.values)
        return sum(1 for _ in self.candidates())

    def candidates(self) -> Iterator[Candidate]:
        """All of them, the start values first."""
        yield self.start
        names = [name for name, _ in self.values]
        for row in itertools.product(*(values for _, values in self.values)):
            candidate = tuple(zip(names, row, strict=True))
            if candidate != self.start and (self.residence is None or self.residence.holds(candidate)):
                yield candidate

    def changed(self, candidate: Candidate) -> Candidate:
        """What differs from the start values."""
        return tuple(item for item in candidate if item not in self.start)


TILE_VALUES: dict[str, tuple[int, ...]] = {
    "tile_down": (0, 2, 4, 8, 16),
    "tile_across": (0, 2, 4, 8),
    "tile_side": (8, 16, 32),
    "tile_narrow": (4, 8, 16),
    "tile_share": (128, 256, 1024),
    "tile_points": (2**18, 2**20, 2**22, 2**24),
}


HALO_VALUES: dict[str, tuple[int, ...]] = {
    "halo_across": (32, 64, 128),
    "halo_down": (8, 16, 32),
    "halo_depth": (16, 32, 64),
    "halo_blocks_per_sm": (1, 2, 4),
    "halo_side": (8, 16, 32),
}


TIME_VALUES: dict[str, tuple[int, ...]] = {
    "time_steps": (1, 2, 3, 4, 6, 8),
    "time_line": (512, 1024, 2048),
    "time_across": (32, 64),
    "time_down": (8, 16, 32),
    "time_planes": (4, 8, 16),
    "time_side": (16, 32, 64),
}


# Grids whose blocks are all on the device together, as many as this parameter says of each multiprocessor: the entry
# points start no more than it holds, or, where a grid has a row, another form.
RESIDENT: dict[type[Launch], str] = {
    AllLaunch: "blocks_per_sm",
    StitchedLaunch: "grid_blocks_per_sm",
    LoopLaunch: "blocks_per_sm",
}


def _room(name: str, target: Target) -> float:
    """The largest value of a parameter for which the target has room."""
    return target.shared_per_block if name == "row_bytes" else math.inf


def space_of(
    kernel: Kernel, target: Target, text_with: Callable[[Candidate], str], in_time: TimeLaunch | None = None
) -> Space:
    """The space of a kernel; `text_with(changes)` is the CUDA text with changed parameters of that kernel.

    `in_time`: how a loop whose iterations it does goes in tiles of several iterations, if it does.
    """
    plain, launch = text_with(()), kernel.launch
    values = dict(VALUES.get(type(launch), {}))
    start = {name: getattr(launch, name) for name in values}
    if kernel.tiling is not None:
        start |= {name: getattr(kernel.tiling.launch, name) for name in TILE_VALUES}
        values |= TILE_VALUES
    if kernel.halo is not None:
        start |= {name: getattr(kernel.halo.launch, name) for name in HALO_VALUES}
        values |= HALO_VALUES
    if in_time is not None:
        start |= {name: getattr(in_time, name) for name in TIME_VALUES}
        values |= TIME_VALUES
    relevant: list[tuple[str, tuple[int, ...]]] = []
    for name, tried in values.items():
        others = [value for value in tried if value != start[name] and value <= _room(name, target)]
        effective = [value for value in others if text_with(((name, value),)) != plain]
        if effective:
            relevant.append((name, tuple(sorted((start[name], *effective)))))
    first = tuple((name, start[name]) for name, _ in relevant)
    residence = None
    if RESIDENT.get(type(launch)) in dict(first):
        residence = Residence(RESIDENT[type(launch)], start["threads"], target)
    return Space(kernel.name, kernel.shape.value, first, tuple(relevant), residence)
