"""The text that the CPU executor runs to record launches: what is emitted, and in front of each launch its points.

    cudacpu_points("lu_parallel2", "lu_parallel2", (long long)(n - (j + 1)) * (n - (j + 1)), 1);
    { const unsigned across = ...; PENCILC_RETURN(pencilc_start(&config, lu_parallel2, n, A, j)); }

The numbers are the launch's own expressions, with the values that the entry point has for them where it launches.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.codegen.entry_bodies import with_functions
from pencilc.codegen.render import render
from pencilc.ir.build import cast
from pencilc.ir.host import CountedLaunch, HostNode, KernelFile, PointsOfLaunch
from pencilc.ir.launches import KernelLaunch
from pencilc.ir.source import LLONG


def render_recorded(file: KernelFile) -> str:
    """The CUDA text of a file for the CPU executor, which is told the points of each launch."""
    entries = tuple(with_functions(replace(entry, items=_counted(entry.items))) for entry in file.entries)
    return render(replace(file, entries=entries))


def _counted(items: Seq[HostNode]) -> tuple[HostNode, ...]:
    return tuple(
        CountedLaunch(tuple(_points_of(item)), (item,))
        if isinstance(item, KernelLaunch)
        else replace(item, inner=_counted(item.inner))
        for item in items
    )


def _points_of(launch: KernelLaunch) -> Iterator[PointsOfLaunch]:
    """What is told in front of a launch, for each function that it may start."""
    for function in dict.fromkeys(each.name for each in launch.starts):
        for number, points in enumerate(launch.independent):
            yield PointsOfLaunch(launch.kernel or launch.name, function, cast(LLONG, points), begins=number == 0)
