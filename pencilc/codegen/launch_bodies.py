"""The pass that settles what the entry point does for each launch: values, choices, memory and the launch itself.

    launch f_row0 (row)     {
                                const long long rows = n, length = m, chunks = …;
                                if (few || length >= 2048) { … f_row0_blocks … }
                                else if (rows > 0) { … f_row0_warps … }
                            }

The tree is that of `ir/nodes.py` with the building blocks of `ir/launching.py`; templates print it and choose nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from pencilc.codegen import launch_bins, launch_fused, launch_loops, launch_packed, launch_points, launch_reductions
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.host import Entry, HostNode
from pencilc.ir.launches import (
    KernelLaunch,
    LaunchAll,
    LaunchBins,
    LaunchColumn,
    LaunchComposed,
    LaunchHalo,
    LaunchLeave,
    LaunchLoop,
    LaunchPacked,
    LaunchParallel,
    LaunchRow,
    LaunchSingle,
    LaunchStitched,
    LaunchStitchedAcross,
    LaunchStitchedWhole,
    LaunchTiled,
)
from pencilc.ir.nodes import Node

SomeLaunch = TypeVar("SomeLaunch", bound=KernelLaunch)


def with_bodies(entry: Entry) -> Entry:
    """The entry point with what it does for each launch."""
    return replace(entry, items=_items(entry.items))


def _items(items: Iterable[HostNode]) -> tuple[HostNode, ...]:
    return tuple(
        with_body(item) if isinstance(item, KernelLaunch) else replace(item, inner=_items(item.inner)) for item in items
    )


def with_body(launch: SomeLaunch) -> SomeLaunch:
    """The launch with what the entry point does for it."""
    return replace(launch, body=body(launch))


def body(launch: KernelLaunch) -> tuple[Node, ...]:  # noqa: C901  (one case a shape)
    """What the entry point does for a launch."""
    match launch:
        case LaunchLeave():
            return launch_points.leave(launch)
        case LaunchSingle():
            return launch_points.single(launch)
        case LaunchParallel():
            return launch_points.parallel(launch)
        case LaunchHalo():
            return launch_points.halo(launch)
        case LaunchAll():
            return launch_reductions.whole(launch)
        case LaunchRow():
            return launch_reductions.rows(launch)
        case LaunchColumn():
            return launch_reductions.columns(launch)
        case LaunchTiled():
            return launch_reductions.tiles(launch)
        case LaunchStitchedAcross():
            return launch_fused.across(launch)
        case LaunchStitchedWhole():
            return launch_fused.of_grid(launch)
        case LaunchStitched():
            return launch_fused.stitched(launch)
        case LaunchComposed():
            return launch_fused.composed(launch)
        case LaunchLoop():
            return launch_loops.loop(launch)
        case LaunchBins():
            return launch_bins.bins(launch)
        case LaunchPacked():
            return launch_packed.packed(launch)
    raise CompilerBug(f"{launch.name} is launched in no known way")
