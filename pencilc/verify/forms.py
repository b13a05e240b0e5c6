"""What the entry point chooses by sizes, each as a text of the program that always has it.

For a loop on the host that is one block, all resident blocks, launches that do several iterations of tiles, or
launches for each iteration; for an array that only order needs, one for each iteration or one for all; for rows
that share what they read, a block for each or tiles; for long rows, a cluster of blocks or none; for the points of a
plain kernel, one row of them for each thread or several.  A comparison at a few sizes would leave some of them out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pencilc.driver import Compilation, compile_source, with_tuning
from pencilc.ir.mapping import kernels_of
from pencilc.options import ParallelLaunch, Tuning
from pencilc.records import dataclass

BY_LAUNCHES = "by launches"
ONE_ARRAY = "with one array of all iterations"
IN_TIME = "in time tiles"
IN_TILES = "in tiles, not by rows"
NO_CLUSTERS = "of rows without clusters"
SEVERAL_ROWS = "of several rows a thread"
# Launch parameters of LOOP kernels with which a form is always taken; small blocks, so that few points take several.
FORMS: dict[str, tuple[tuple[str, int], ...]] = {
    "in one block": (("block_points", 2**30),),
    "in a grid": (("block_points", 0), ("grid_points_per_sm", 2**30), ("threads", 32)),
    BY_LAUNCHES: (("block_points", 0), ("grid_points_per_sm", 0), ("time_steps", 0)),
    # Small tiles, none of which has a side of whole warps, so that few elements take several.
    IN_TIME: (
        ("block_points", 0),
        ("grid_points_per_sm", 0),
        ("time_side", 3),
        ("time_steps", 3),
        ("time_line", 7),
        ("time_planes", 2),
        ("time_down", 3),
        ("time_across", 5),
    ),
}


@dataclass(frozen=True, slots=True)
class LoopForm:
    """A program in which all that is chosen has the form `name`."""

    name: str
    cuda: str


def forms_of(done: Compilation) -> tuple[LoopForm, ...]:
    """All forms of a program that differ from what it is; none where nothing is chosen."""
    found = (*_forms(done), *_shared(done), *_in_tiles(done), *_without_clusters(done), *_several_rows(done))
    return tuple(form for form in found if form.cuda != done.cuda)


def _without_clusters(done: Compilation) -> Iterator[LoopForm]:
    """The program whose rows one block has, as on GPUs without clusters, or several kernels."""
    stitched = [each for program in done.programs for each in program.stitched()]
    kernels = [each.kernel.name for each in stitched if each.long_rows is not None and each.long_rows.clusters > 1]
    if kernels:
        tuning = done.options.tuning.with_values({kernel: {"cluster_blocks": 1} for kernel in kernels})
        yield LoopForm(NO_CLUSTERS, with_tuning(done, tuning))


def _several_rows(done: Compilation) -> Iterator[LoopForm]:
    """The program whose plain kernels have blocks of several rows below each other, however few there are."""
    mapped = [kernel for program in done.programs for kernel in program.kernels()]
    kernels = [kernel.name for kernel in mapped if isinstance(kernel.launch, ParallelLaunch) and len(kernel.kept) > 1]
    if kernels:
        values = {kernel: {"full_blocks_per_sm": 0} for kernel in kernels}
        yield LoopForm(SEVERAL_ROWS, with_tuning(done, done.options.tuning.with_values(values)))


def _in_tiles(done: Compilation) -> Iterator[LoopForm]:
    """The program whose fused kernels leave what rows share to tiles, however few points there are."""
    fused = [kernels_of((*program.composed(), *program.stitched())) for program in done.programs]
    kernels = [kernel.name for several in fused for kernel in several if kernel.tiling is not None]
    if kernels:
        tuning = done.options.tuning.with_values({kernel: {"tile_points": 1, "tile_side": 1} for kernel in kernels})
        yield LoopForm(IN_TILES, with_tuning(done, tuning))


def _shared(done: Compilation) -> Iterator[LoopForm]:
    """The program whose iterations never have an array for themselves that takes more than the caller's."""
    if any(each.most for region in done.parsed.regions for each in region.private):
        yield LoopForm(ONE_ARRAY, compile_source(done.file, replace(done.options, private_bytes=0)).cuda)


def _forms(done: Compilation) -> Iterator[LoopForm]:
    loops = [loop for program in done.programs for loop in program.loops().values()]
    kernels = [loop.kernel.name for loop in loops if loop.kernel is not None]
    if not kernels:
        return
    others = tuple(each for each in done.options.tuning.kernels if each[0] not in kernels)
    # Tiles that the user asks for are those of the program as it is.
    chosen = tuple(each for each in done.options.tiles if each.kernel not in kernels)
    done = replace(done, options=replace(done.options, tiles=chosen))
    for name, values in FORMS.items():
        if name == IN_TIME and all(loop.tiling is None for loop in loops):
            continue
        tuning = Tuning((*others, *((kernel, values) for kernel in kernels)))
        yield LoopForm(name, with_tuning(done, tuning))
