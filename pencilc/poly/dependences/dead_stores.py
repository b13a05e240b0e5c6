"""Stores that nobody reads: `float s = 0;` before an initialisation of `s`, a local array filled and never used.

They are found before the other dependences are: a store that is not generated orders nothing, and a dependence that
was left out because two others led through such a store (write -> dead store -> write) must be there without it.
"""

from __future__ import annotations

import islpy as isl

from pencilc import islx
from pencilc.ir.scop import ArrayKind, Scop, Statement, StatementKind
from pencilc.ir.source import Assign


def dead_stores(scop: Scop, flow: isl.UnionMap) -> tuple[str, ...]:
    """The plain assignments to locals whose value reaches no output, by the flow dependences { S[i] -> T[j] }."""
    dead = {s.name for s in scop.statements if _may_be_dead(scop, s)}
    pairs = [(islx.in_name(m), islx.out_name(m)) for m in islx.maps_of(flow)]
    changed = True
    while changed:
        changed = False
        for source, target in pairs:
            if source in dead and target not in dead:
                dead.remove(source)
                changed = True
    return tuple(s.name for s in scop.statements if s.name in dead)


def only_assigns(statement: Statement) -> bool:
    """Whether the statement does nothing but assign, or not even that; what calls in it write is among its accesses."""
    if statement.kind is not StatementKind.ORDINARY:
        return False
    return isinstance(statement.body, Assign) or not any(access.kind.writes for access in statement.accesses)


def _may_be_dead(scop: Scop, statement: Statement) -> bool:
    """Whether the statement does nothing but assign to locals."""
    written = [scop.array(a.array) for a in statement.accesses if a.kind.writes]
    return only_assigns(statement) and all(array.kind is ArrayKind.LOCAL for array in written)
