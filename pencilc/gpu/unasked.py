"""Questions whether a loop on the host ends that are never asked: its counter tells (`poly/model/factor_loops.py`)."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.ir.mapping import HostItem, HostLoop, MappedProgram
from pencilc.ir.shapes import Kernel


def without_questions(program: MappedProgram) -> MappedProgram:
    """The program without the kernels that would find out; they have kept other launches in their rounds."""
    return replace(program, items=_level(program, program.items))


def _level(program: MappedProgram, items: Seq[HostItem]) -> tuple[HostItem, ...]:
    found: list[HostItem] = []
    for item in items:
        if isinstance(item, HostLoop):
            item = replace(item, items=_level(program, item.items))
        elif isinstance(item, Kernel) and _is_a_question(program, item):
            continue
        found.append(item)
    return tuple(found)


def _is_a_question(program: MappedProgram, kernel: Kernel) -> bool:
    return bool(kernel.statements) and all(program.scop.statement(name).never_leaves for name in kernel.statements)
