"""isl's Pluto-like ILP on one component."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import islpy as isl

from pencilc import islx
from pencilc.analysis.vectors import independent, unit
from pencilc.schedule.problem import Functions, Relations, SchedulingProblem, vector_of

_CANNOT = "unable to carry dependences"  # what isl says where no affine row respects them


def ilp_rows(problem: SchedulingProblem, sharing: bool = False) -> list[Functions]:
    """The rows of the outermost band that isl finds for `problem`; empty if it finds none.

    Reduction pairs are in the coincidence relation and not in validity, so that isl puts rows that
    keep them together first.  Rows that are no progress for some statement are left out.

    `sharing`: statements that must share their first loops are one for isl, which has these loops alone:
    { S[i, j, k] -> S_T[i, j] }.  A parallel row shares what one iteration hands to another statement anyway.
    """
    shared = _shared_loops(problem, problem.together_now() if sharing else ())
    domain = islx.union_set(s.domain.intersect_params(problem.context) for s in problem.statements.values())
    domain = domain.apply(islx.union_map(shared.values()))
    validity = _clipped(_between(problem.validity, shared), domain)
    relaxed = _clipped(_between(problem.relaxed, shared), domain)
    proximity = _clipped(_between(problem.proximity, shared), domain)
    rows = outermost_band(domain, problem.context, validity, validity.union(relaxed), proximity)
    found = [{name: _on(row, whole) for name, whole in shared.items()} for row in rows]
    return [row for row in found if _is_progress(row, problem)]


def outermost_band(
    domain: isl.UnionSet, where: isl.Set, validity: isl.UnionMap, coincidence: isl.UnionMap, proximity: isl.UnionMap
) -> list[Functions]:
    """The rows of the outermost band that isl finds for a domain whose parameters are in `where`; none if it has none.

    Rows that keep the pairs of `coincidence` together come first, and few values lie between those of `proximity`.
    """
    context = isl.DEFAULT_CONTEXT
    context.set_schedule_whole_component(1)
    context.set_schedule_max_coefficient(-1)
    context.set_schedule_max_constant_term(-1)
    constraints = isl.ScheduleConstraints.on_domain(domain).set_context(where)
    constraints = constraints.set_validity(validity).set_coincidence(coincidence).set_proximity(proximity)
    try:
        node = constraints.compute_schedule().get_root().child(0)
    except isl.Error as error:
        if _CANNOT not in str(error):
            raise
        return []
    if not islx.is_band(node):
        return []
    partial = node.band_get_partial_schedule()
    return [islx.pw_affs_of(partial.get_union_pw_aff(k)) for k in range(node.band_n_member())]


def _shared_loops(problem: SchedulingProblem, together: Iterable[tuple[int, tuple[str, ...]]]) -> dict[str, isl.Map]:
    """{ S[i, j, k] -> S_T[i, j] } for each statement: the loops that it shares with others, or all that it has."""
    depths = {name: len(statement.loops) for name, statement in problem.statements.items()}
    leaders = {name: name for name in problem.names}
    for depth, names in together:
        for name in names:
            depths[name] = min(depths[name], depth)
        joined = {leaders[name] for name in names}
        leaders = {name: names[0] if leader in joined else leader for name, leader in leaders.items()}
    found: dict[str, isl.Map] = {}
    for name, statement in problem.statements.items():
        members = [other for other in problem.names if leaders[other] == leaders[name]]
        depth = min(depths[other] for other in members)
        whole = isl.Map.from_domain_and_range(statement.domain, statement.domain)
        whole = whole.intersect(isl.Map.identity(whole.get_space()))
        whole = whole.project_out(isl.dim_type.out, depth, len(statement.loops) - depth)
        found[name] = whole.set_tuple_name(isl.dim_type.out, "_".join(members))
    return found


def _between(relations: Relations, shared: Mapping[str, isl.Map]) -> list[isl.Map]:
    """The relations between iterations of the shared loops; what is in one of them is left to the rows below."""
    found: list[isl.Map] = []
    for (source, target), relation in relations.items():
        pairs = relation.apply_domain(shared[source]).apply_range(shared[target])
        one = islx.out_name(shared[source])
        if one != source and one == islx.out_name(shared[target]):
            pairs = pairs.subtract(isl.Map.identity(pairs.get_space()))
        found.append(pairs)
    return found


def _on(row: Functions, whole: isl.Map) -> isl.PwAff:
    """The row on the statement { S[i, j, k] -> S_T[i, j] }, in the loops that isl has it in: j, where that is i + 1.

    With the domain isl would put the first loop that tells the value in the place of the others.
    """
    space, shared = whole.domain().get_space(), whole.dim(isl.dim_type.out)
    outer = isl.MultiAff.project_out_map(space, isl.dim_type.set, shared, whole.dim(isl.dim_type.in_) - shared)
    outer = outer.set_tuple_name(isl.dim_type.out, islx.out_name(whole))
    return row[islx.out_name(whole)].pullback_multi_aff(outer)


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
