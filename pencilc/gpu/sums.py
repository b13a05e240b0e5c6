"""Which floating sums `--sum` reaches: those that a kernel reduces, and those that one thread begins and ends.

What accumulates in place, in bins that the data choose, in the elements of an array that one thread fills, or in a
region that runs whole in one thread, is summed one value after the other, and that is told.
"""

from __future__ import annotations

from collections.abc import Iterator

from pencilc.ir.mapping import MappedProgram
from pencilc.ir.schedule import Band, Leaf, Sequence, Tree, statements_of
from pencilc.ir.scop import Reduction


def within_one_thread(body: Tree, reduction: Reduction) -> bool:
    """Whether `body` holds all of the reduction, and one variable after the other: { ...updates...; merge }.

    The merge node then stands behind the updates in one sequence, and no two variables are open at once.
    """
    match body:
        case Band():
            return within_one_thread(body.child, reduction)
        case Sequence():
            if any(isinstance(child, Leaf) and child.statement == reduction.merge for child in body.children):
                return set(reduction.updates) <= set(statements_of(body))
            return any(within_one_thread(child, reduction) for child in body.children)
    return False


def plain_sums(program: MappedProgram) -> Iterator[Reduction]:
    """The floating sums of a program that are plain although `--sum` asks for more."""
    kernels = program.kernels()
    reduced = {name for kernel in kernels for name in kernel.reductions}
    bodies = [kernel.body for kernel in kernels if kernel.body is not None]
    for reduction in program.scheduled.scop.reductions:
        if program.sums == "plain" or reduction.sum_type is None or reduction.name in reduced:
            continue
        if not any(within_one_thread(body, reduction) for body in bodies):
            yield reduction
