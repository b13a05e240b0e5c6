"""The forms of a loop on the host, each as a text of the program in which all loops have it, whatever their sizes.

The entry point chooses by sizes among one block, all resident blocks, and launches for each iteration; a comparison at
a few sizes would leave some of them out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pencilc.driver import Compilation, with_tuning
from pencilc.options import Tuning

BY_LAUNCHES = "by launches"
# Launch parameters of LOOP kernels with which a form is always taken; small blocks, so that few points take several.
FORMS: dict[str, tuple[tuple[str, int], ...]] = {
    "in one block": (("block_points", 2**30),),
    "in a grid": (("block_points", 0), ("grid_points_per_sm", 2**30), ("threads", 32)),
    BY_LAUNCHES: (("block_points", 0), ("grid_points_per_sm", 0)),
}


@dataclass(frozen=True, slots=True)
class LoopForm:
    """A program whose loops all have the form `name`."""

    name: str
    cuda: str


def forms_of(done: Compilation) -> tuple[LoopForm, ...]:
    """All forms of a program; none where no loop has a choice."""
    return tuple(_forms(done))


def _forms(done: Compilation) -> Iterator[LoopForm]:
    kernels = [kernel.name for program in done.programs for kernel in program.loop_kernels()]
    if not kernels:
        return
    others = tuple(each for each in done.options.tuning.kernels if each[0] not in kernels)
    for name, values in FORMS.items():
        tuning = Tuning((*others, *((kernel, values) for kernel in kernels)))
        yield LoopForm(name, with_tuning(done, tuning))
