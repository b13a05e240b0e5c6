"""isl's Pluto-like ILP on one component."""

from __future__ import annotations

from collections.abc import Iterable

import islpy as isl

from pencilc import islx
from pencilc.schedule.problem import Functions, SchedulingProblem, independent, unit, vector_of

_CANNOT = "unable to carry dependences"  # what isl says where no affine row respects them


def ilp_rows(problem: SchedulingProblem) -> list[Functions]:
    """The rows of the outermost band that isl finds for `problem`; empty if it finds none.

    Reduction pairs are in the coincidence relation and not in validity, so that isl puts rows that
    keep them together first.  Rows that are no progress for some statement are left out.
    """
    context = isl.DEFAULT_CONTEXT
    context.set_schedule_whole_component(1)
    context.set_schedule_max_coefficient(-1)
    context.set_schedule_max_constant_term(-1)
    domain = islx.union_set(s.domain.intersect_params(problem.context) for s in problem.statements.values())
    validity = _clipped(problem.validity.values(), domain)
    relaxed = _clipped(problem.relaxed.values(), domain)
    constraints = isl.ScheduleConstraints.on_domain(domain).set_context(problem.context)
    constraints = constraints.set_validity(validity).set_coincidence(validity.union(relaxed))
    constraints = constraints.set_proximity(_clipped(problem.proximity.values(), domain))
    try:
        node = constraints.compute_schedule().get_root().child(0)
    except isl.Error as error:
        if _CANNOT not in str(error):
            raise
        return []
    if not islx.is_band(node):
        return []
    partial = node.band_get_partial_schedule()
    rows = [islx.pw_affs_of(partial.get_union_pw_aff(k)) for k in range(node.band_n_member())]
    return [row for row in rows if _is_progress(row, problem)]


def _clipped(relations: Iterable[isl.Map], domain: isl.UnionSet) -> isl.UnionMap:
    whole = islx.union_map(relations)
    return whole.intersect_domain(domain).intersect_range(domain)


def _is_progress(row: Functions, problem: SchedulingProblem) -> bool:
    """Whether the row orders something new for every statement that has loops left."""
    for name, statement in problem.statements.items():
        if name not in row:
            return False
        count = len(statement.loops)
        left = [d for d in range(count) if independent(unit(d, count), problem.fixed[name])]
        if left and not independent(vector_of(row[name]), problem.fixed[name]):
            return False
    return True
