"""Reductions into locals that nothing comes of: they leave the model with what is computed from them.

    int s; init(&s); for (i…) update(&s, a[i]); int w = s % 10;      no output depends on w, nor on s

An accumulator that a kernel writes and nobody reads is a warning of nvcc's.  Plain stores that nobody reads are found
later, instance by instance (dead_stores.py); a reduction goes as a whole, which the names of its variables tell.
"""

from __future__ import annotations

from dataclasses import replace

from pencilc.ir.scop import AccessKind, ArrayKind, Scop, Statement, StatementKind
from pencilc.poly.dependences.dead_stores import only_assigns


def without_unused_reductions(scop: Scop) -> Scop:
    """`scop` without the reductions whose results reach no output, and without what is assigned from them."""
    unused = _unused(scop)
    without_uses = {r.name for r in scop.reductions if r.array in unused}
    if not without_uses:
        return scop
    written = {s.name: scop.written((s.name,)) for s in scop.statements}
    left = scop.with_statements(s for s in scop.statements if not written[s.name] or not written[s.name] <= unused)
    return replace(left, reductions=tuple(r for r in scop.reductions if r.name not in without_uses))


def _unused(scop: Scop) -> frozenset[str]:
    """The locals that no output depends on: all that reads them assigns to others of them, and does nothing else."""
    found = {a.name for a in scop.arrays if a.kind is ArrayKind.LOCAL}
    writers: dict[str, list[Statement]] = {}
    for statement in scop.statements:
        for array in scop.written((statement.name,)):
            writers.setdefault(array, []).append(statement)
    busy = [s for s in scop.statements if not _may_be_idle(s) or not scop.written((s.name,)) <= found]
    while busy:
        seen = _touched(busy.pop()) & found
        found -= seen
        busy += [statement for array in seen for statement in writers.get(array, ())]
    return frozenset(found)


def _may_be_idle(statement: Statement) -> bool:
    """Whether nothing comes of the statement if nothing comes of the variables that it writes."""
    if statement.kind is StatementKind.LEAVE:
        return False
    return statement.kind is not StatementKind.ORDINARY or only_assigns(statement)


def _touched(statement: Statement) -> set[str]:
    """The variables that a statement reads or writes; a kill looks at none."""
    return {a.array for a in statement.accesses if a.kind is not AccessKind.KILL}
