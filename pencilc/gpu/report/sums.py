"""Which floating sums `--sum` reaches: those that a kernel reduces, and those that one thread begins and ends.

What accumulates in place, in bins that the data choose, in the elements of an array that one thread fills, or in a
region that runs whole in one thread, is summed one value after the other, and that is told.
"""

from __future__ import annotations

from collections.abc import Iterator

from pencilc.analysis.sums import within_one_thread
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.scop import Reduction


def plain_sums(program: MappedProgram) -> Iterator[Reduction]:
    """The floating sums of a program that are plain although `--sum` asks for more."""
    if program.sums == "plain":
        return
    kernels = program.kernels()
    reduced = {name for kernel in kernels for name in kernel.reductions}
    bodies = [kernel.body for kernel in kernels if kernel.body is not None]
    for reduction in program.scop.reductions:
        is_carried = reduction.name in reduced or any(within_one_thread(body, reduction) for body in bodies)
        if reduction.sum_type is not None and not is_carried:
            yield reduction
