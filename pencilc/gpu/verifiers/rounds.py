"""The verifier of loops that data end: each round does in front of the place where it may be left what the source does.

Decided from the order of the statements in the source and the order of the launches alone, not from the dependences.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as Seq

from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.mapping import HostItem, HostLoop, MappedProgram, kernels_of, loops_of
from pencilc.ir.scop import Statement, StatementKind
from pencilc.ir.shapes import Kernel


def verify_rounds(program: MappedProgram) -> None:
    """Raise CompilerBug if a loop on the host is left too early, too late, or with some of it outside."""
    scop = program.scop
    leaves = [s for s in scop.statements if s.kind is StatementKind.LEAVE]
    if program.sequential or not leaves:
        return
    order = {statement.name: k for k, statement in enumerate(scop.statements)}
    order |= {r.merge: max(order[name] for name in r.updates) for r in scop.reductions}
    for leave in leaves:
        loop, position = _place(program.items, leave.name)
        if loop.kernel is not None:
            raise CompilerBug(f"{loop.kernel.name} does all iterations of a loop that data end")
        before, behind = _done_by(loop.items[:position]), _done_by(loop.items[position + 1 :])
        late = [name for name in before if order[name] > order[leave.name]]
        early = [name for name in behind if order[name] < order[leave.name]]
        if late or early:
            raise CompilerBug(f"`{leave.name}` leaves a loop with {sorted((*late, *early))} on the wrong side")
        inside = {*before, *behind, leave.name}
        outside = [s for s in _done_by(program.items) if s not in inside and _is_in(scop.statement(s), leave)]
        if outside or any(not _is_in(scop.statement(s), leave) for s in inside):
            raise CompilerBug(f"`{leave.name}` leaves a loop that is not the loop around it ({sorted(outside)})")


def _place(items: Seq[HostItem], leave: str) -> tuple[HostLoop, int]:
    """The loop and the position in it of the kernel, of its own, that finds out whether the loop ends."""
    for loop in loops_of(items):
        for position, item in enumerate(loop.items):
            if isinstance(item, Kernel) and leave in item.statements:
                if item.statements != (leave,):
                    raise CompilerBug(f"{item.name} does more than to find out whether a loop ends")
                return loop, position
    raise CompilerBug(f"`{leave}` is in no kernel of its own in a loop on the host")


def _done_by(items: Iterable[HostItem]) -> list[str]:
    return [name for kernel in kernels_of(items) for name in kernel.statements]


def _is_in(statement: Statement, leave: Statement) -> bool:
    """Whether the statement stands in the innermost loop around `leave`."""
    depth = len(leave.loops) - 1
    return len(statement.loops) > depth and statement.loops[depth].index == leave.loops[depth].index
