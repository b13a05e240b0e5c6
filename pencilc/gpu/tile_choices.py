"""Tiles that the user asks for (`--tile`): each kernel that is named has those it was given, or nothing is made."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Seq

from pencilc.gpu.shapes.tiles import SHAPES, points_of
from pencilc.ir.mapping import HostLoop, MappedProgram
from pencilc.ir.shapes import Kernel, TileSize
from pencilc.options import TileChoice


class TilesRefused(Exception):
    """What is asked for is no tile of the kernel, or there is no such kernel; the message says what there is."""


def check_tiles(programs: Seq[MappedProgram], choices: Seq[TileChoice]) -> None:
    """Raise TilesRefused for the first choice that the kernels of `programs`, which were made by it, do not follow."""
    kernels = {kernel.name: kernel for program in programs for kernel in (*program.kernels(), *program.tunable())}
    in_time = {name: loop.tiling for program in programs for name, loop in program.loops().items() if loop.tiling}
    for choice in choices:
        if choice.kernel in in_time and choice.points == in_time[choice.kernel].sides:
            continue
        if choice.kernel not in kernels:
            tiled = [f"`{name}`" for name, kernel in kernels.items() if kernel.tiling or kernel.halo or name in in_time]
            there = f"those with tiles are {', '.join(tiled)}" if tiled else "no kernel has tiles that could be chosen"
            raise TilesRefused(f"there is no kernel `{choice.kernel}`; {there}")
        kernel = kernels[choice.kernel]
        if choice.points not in _tiles_of(kernel):
            loop = _loop_of(programs, kernel.name)
            why = _why_in_time(loop) if loop is not None else _why(kernel)
            raise TilesRefused(f"`{kernel.name}` cannot have tiles of {_points(choice.points)} points: {why}")


def _loop_of(programs: Seq[MappedProgram], name: str) -> HostLoop | None:
    """The loop on the host all of whose iterations the kernel does, if it does."""
    return next((program.loops()[name] for program in programs if name in program.loops()), None)


def _why_in_time(loop: HostLoop) -> str:
    """What tiles of several iterations a loop may have."""
    if loop.not_tiled:
        return f"its launches do no tiles of several iterations ({loop.not_tiled}), or none of that size"
    return (
        "they have a side for each dimension of the arrays, and what several iterations reach around fits on the chip"
    )


def _tiles_of(kernel: Kernel) -> Iterator[tuple[int, ...]]:
    """The tiles of a kernel as they may be asked for, where it has one size alone."""
    if kernel.tiling is not None and len(kernel.tiling.sizes) == 1:
        yield points_of(kernel.tiling.sizes[0])
    if kernel.halo is not None:
        launch = kernel.halo.launch
        yield (launch.halo_down, launch.halo_across)
        if kernel.halo.along is not None:
            yield (launch.halo_depth, launch.halo_down, launch.halo_across)


def _why(kernel: Kernel) -> str:
    """What tiles a kernel may have."""
    if kernel.halo is not None:
        launch = kernel.halo.launch
        nearest = _points((launch.halo_down, launch.halo_across))
        planes = ", with any number of planes before them" if kernel.halo.along is not None else ""
        return f"both sides are powers of two, and what they read fits on the chip; near that are {nearest}{planes}"
    sides = ", ".join(_points(points_of(TileSize(down, across, 0, 0))) for down, across in SHAPES)
    return (
        f"where its points share what they read in tiles at all, which `pencilc report` tells, these have {sides} "
        "points, as far as registers and shared memory allow and not under --determinism=fixed-tree"
    )


def _points(points: Seq[int]) -> str:
    return " x ".join(map(str, points))
