"""Initialisations that are undone before anybody looks: their instances leave the model.

    for (i…) for (j…) init(&c[j]);        { I[i, j] }  ->  { I[n - 1, j] }
    for (i…) for (j…) update(&c[j]);

The last one alone begins a reduction.  The merge nodes of the others would have to run before the updates, which the
merge nodes of the last one wait for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import islpy as isl

from pencilc import islx, quotas
from pencilc.ir.scop import Access, AccessKind, Scop, Statement, StatementKind
from pencilc.poly.dependences.flow import FlowModel, flow_model, relation_of

_QUOTA = 3 * quotas.QUOTA // 5
_WRITES = (AccessKind.MUST_WRITE, AccessKind.MAY_WRITE)


def without_undone_inits(scop: Scop) -> Scop:
    """`scop` with the initialisations cut down to those instances whose value may be seen."""
    written = _certainly_written(scop)
    suspects = [s for s in scop.statements if s.kind is StatementKind.INIT and _may_be_undone(s, written)]
    if not suspects:
        return scop
    model = flow_model(scop)
    try:
        with quotas.operation_quota(_QUOTA * quotas.shares(len(suspects))):
            live = {init.name: _live(scop, model, init) for init in suspects}
    except quotas.OperationQuotaExceeded:
        return scop  # as a rule the dependences take too long to find then, and one thread follows the source
    # What is left for no sizes that the region may have is gone altogether: a kernel for it would never be launched.
    # The only one that updates have stays, for what undoes it is an error, which names it.
    left = [live.get(s.name, s) for s in scop.statements]
    empty = {s.name for s in left if s.name in live and _is_empty(s, scop)}
    initialised = scop.written(s.name for s in left if s.kind is StatementKind.INIT and s.name not in empty)
    updated = {a.array for s in left for a in s.accesses if a.kind is AccessKind.UPDATE}
    needed = {name for name in empty if not (scop.written((name,)) & updated) <= initialised}
    return scop.with_statements(s for s in left if s.name not in empty - needed)


def _is_empty(statement: Statement, scop: Scop) -> bool:
    return bool(statement.domain.intersect_params(scop.context).is_empty())


def _certainly_written(scop: Scop) -> dict[str, list[tuple[str, islx.Subscripted]]]:
    """For each array the statements that certainly write it, each with what it writes."""
    found: dict[str, list[tuple[str, islx.Subscripted]]] = {}
    for statement in scop.statements:
        for access in statement.accesses:
            if access.kind is AccessKind.MUST_WRITE:
                found.setdefault(access.array, []).append((statement.name, _subscripted(access)))
    return found


def _subscripted(access: Access) -> islx.Subscripted:
    return islx.out_name(access.relation), islx.fixed_values(access.relation)


def _may_be_undone(init: Statement, written: dict[str, list[tuple[str, islx.Subscripted]]]) -> bool:
    """Whether several instances write one element, or another statement certainly writes some of the elements."""
    own = next((a for a in init.accesses if a.kind in _WRITES), None)
    if own is None:
        return False
    if not own.relation.is_injective():
        return True
    mine = _subscripted(own)
    return any(name != init.name and islx.may_meet(other, mine) for name, other in written.get(own.array, ()))


def _live(scop: Scop, model: FlowModel, init: Statement) -> Statement:
    """The initialisation without the instances that a certain write follows before any read or update."""
    own = relation_of([init], _WRITES)
    others = model.all_must.subtract_domain(init.domain.to_union_set().universe())
    followed = model.flow(model.all_must, own, islx.empty_map(), kills=others)
    certain = islx.union_map(pairs for each in islx.maps_of(followed) for pairs in _certain(scop, init, each))
    undone = certain.domain()
    users = model.reads.union(relation_of(scop.statements, [AccessKind.UPDATE]))
    touched = own.range().universe()
    seen = model.flow(users.intersect_range(touched), own, islx.empty_map(), kills=others).domain()
    return restricted(init, undone.subtract(seen))


def _certain(scop: Scop, init: Statement, pairs: isl.Map) -> Iterator[isl.Map]:
    """Those { Init[i] -> Write[j] } of which the write happens if the initialisation does.

    What stands in a loop that data may end happens in the same round, if that is not left in between.
    """
    order = {statement.name: position for position, statement in enumerate(scop.statements)}
    write = scop.statement(islx.out_name(pairs))
    if not write.rounds <= init.rounds:
        return
    for depth, loop in enumerate(init.loops):
        if loop.left and loop.index in write.rounds:
            for outer in range(depth + 1):
                pairs = pairs.equate(isl.dim_type.in_, outer, isl.dim_type.out, outer)
    for leave in scop.statements:
        is_between = order[init.name] < order[leave.name] < order[write.name]
        if leave.kind is StatementKind.LEAVE and is_between and leave.loops[-1].index in write.rounds:
            return
    yield pairs


def restricted(statement: Statement, absent: isl.UnionSet) -> Statement:
    """The statement { S[i] } without the instances `absent`."""
    never = [points for points in islx.sets_of(absent) if islx.set_name(points) == statement.name]
    if not never:
        return statement
    domain = statement.domain.subtract(never[0]).coalesce()
    accesses = tuple(replace(a, relation=a.relation.intersect_domain(domain)) for a in statement.accesses)
    return replace(statement, domain=domain, accesses=accesses)
