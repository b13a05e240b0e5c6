"""Dependences with reductions relaxed (PACT'16 sections 4.2 and 4.3).

Update to update pairs of one reduction are never generated.  A dependence that leaves the updates or
the initialisation of a reduction leaves its merge node instead, and one that enters the
initialisation enters the merge node: the initialisation is absorbed there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import islpy as isl

from pencilc import islx, quotas
from pencilc.ir.mapping import TOO_LONG
from pencilc.ir.scop import AccessKind, Dependences, Reduction, Scop, Statement, StatementKind
from pencilc.poly.dependences.dead_stores import dead_stores
from pencilc.poly.dependences.flow import FlowModel, Nearby, flow_model, merge_to
from pencilc.poly.dependences.independent import without_carried
from pencilc.poly.dependences.index_sets import InParts
from pencilc.poly.dependences.turns import with_versions
from pencilc.poly.model.spaces import split_spaces

_ALL_PAIRS_LIMIT = 12
_NEIGHBOURS = 4


_QUOTA = 3 * quotas.QUOTA // 5  # Operations of the flow analysis are the longest ones.
# For a region with divisions, which are data where this is not enough (poly/extract.py).
_WITH_DIVISIONS = 2 * _QUOTA // 3
_LEAST = _QUOTA // 10  # what regions that people write stay below


def dependences_within_quota(scop: Scop, given_up: int = 0, is_first: bool = False) -> Dependences:
    """The dependences of `scop`, or a record that says why they are not found.

    Each but the first of the regions of the file that were `given_up` before halves what isl may do for this one.  It
    may do less where `scop` is the first of two models of the region.
    """
    quota = max((_WITH_DIVISIONS if is_first else _QUOTA) >> max(given_up - 1, 0), _LEAST)
    try:
        with quotas.operation_quota(quota * quotas.shares(len(scop.reductions))):
            versioned, planes = with_versions(scop)
            return quotas.outlived(lambda: _dependences(versioned, planes), versioned.is_plain)
    except quotas.IslFault:
        reason = "isl cannot find the dependences"
    except quotas.OperationQuotaExceeded:
        reason = TOO_LONG
    empty = islx.empty_map()
    return Dependences(empty, empty, empty, empty, empty, empty, reason)


def compute_dependences(scop: Scop) -> Dependences:
    """All dependences of `scop` between the statements that are generated.

    A kill ends the life of a value, so no flow dependence passes it.  Anti and output dependences do: what comes behind
    the kill is stored where the old value was, and readers of that must be done.
    """
    return _dependences(*with_versions(scop))


def _dependences(scop: Scop, planes: Mapping[str, int]) -> Dependences:
    """As `compute_dependences`, where accesses of arrays with so many `planes` name versions of them."""
    scop = split_spaces(scop)
    flow = _flow(scop, flow_model(scop, planes))
    dead = dead_stores(scop, flow)
    if dead:
        scop = replace(scop, statements=tuple(s for s in scop.statements if s.name not in dead))
        flow = _without_statements(flow, dead)
    model = flow_model(scop, planes)
    everything = model.writes
    anti = model.flow(everything, islx.empty_map(), model.reads, kills=model.all_must)
    output = model.flow(everything, model.all_must, model.all_may)
    nearby = Nearby(model, everything)
    over_merge = [merge_to(scop, nearby, r) for r in scop.reductions]
    return Dependences(
        flow=flow,
        anti=_before_updates(scop, _finish(scop, anti)),
        output=_before_updates(scop, _finish(scop, output.union(islx.union_of(over_merge)))),
        isolation=islx.shortened(islx.union_of(r.r2m for r in scop.reductions).intersect_params(scop.context)),
        relaxed=_relaxed(scop),
        proximity=flow.union(_shared_reads(scop)),
        dead=dead,
        control=_control(scop),
    )


def dependences_of_parts(split: InParts, whole: Dependences) -> Dependences | None:
    """The dependences of a region of which `whole` has those before its statements were split: of the same instances.

    None where a part alone stores what nobody reads, or isl takes long.
    """
    try:
        with quotas.operation_quota(_QUOTA):
            domains = islx.union_set(statement.domain for statement in split.scop.statements)

            def of_parts(pairs: isl.UnionMap) -> isl.UnionMap:
                both = pairs.preimage_domain_union_pw_multi_aff(split.origins)
                both = both.preimage_range_union_pw_multi_aff(split.origins)
                return both.intersect_domain(domains).intersect_range(domains)

            flow = of_parts(whole.flow)
            if set(dead_stores(split.scop, flow)) - set(whole.dead):
                return None
            return Dependences(
                flow=flow,
                anti=of_parts(whole.anti),
                output=of_parts(whole.output),
                isolation=of_parts(whole.isolation),
                relaxed=of_parts(whole.relaxed),
                proximity=flow.union(_shared_reads(split.scop)),
                dead=whole.dead,
                control=of_parts(whole.control),
            )
    except quotas.OperationQuotaExceeded:
        return None


def _flow(scop: Scop, model: FlowModel) -> isl.UnionMap:
    """`{ S[i] -> T[j] }`: a value is written, perhaps by a merge node, then read, and not killed in between."""
    flow = model.flow(model.reads, model.all_must, model.all_may, kills=model.kills)
    nearby = Nearby(model, model.reads)
    from_merge = [merge_to(scop, nearby, r, past_kills=False) for r in scop.reductions]
    return _finish(scop, flow.union(islx.union_of(from_merge)))


def _control(scop: Scop) -> isl.UnionMap:
    """What a round does in front of where it may be left comes before that, what is behind waits for it."""
    leaves = [s for s in scop.statements if s.kind is StatementKind.LEAVE]
    if not leaves:
        return islx.empty_map()
    order = {statement.name: k for k, statement in enumerate(scop.statements)}
    # The result of a reduction is there behind its last update.
    order |= {r.merge: max(order[name] for name in r.updates) for r in scop.reductions}
    found: list[isl.Map] = []
    for leave in leaves:
        depth = len(leave.loops) - 1
        for other in scop.statements:
            if other.kind in (StatementKind.KILL, StatementKind.INIT) or len(other.loops) <= depth:
                continue
            if other.loops[depth].index != leave.loops[depth].index:
                continue
            if order[other.name] < order[leave.name]:
                found += [_in_rounds(other, leave, depth, True), _in_rounds(leave, other, depth, False)]
            elif other is leave:
                found.append(_in_rounds(leave, leave, depth, False))
            else:
                found += [_in_rounds(leave, other, depth, True), _in_rounds(other, leave, depth, False)]
    return islx.union_map(found).intersect_params(scop.context)


def _in_rounds(first: Statement, second: Statement, depth: int, same: bool) -> isl.Map:
    """{ S[i] -> T[j] }: T runs in a later round of the loop at `depth`, or in the `same` one, others equal."""
    pairs = isl.Map.from_domain_and_range(first.domain, second.domain)
    for outer in range(depth):
        pairs = pairs.equate(isl.dim_type.in_, outer, isl.dim_type.out, outer)
    ends = (isl.dim_type.in_, depth, isl.dim_type.out, depth)
    if first.loops[depth].step < 0:
        return pairs.order_ge(*ends) if same else pairs.order_gt(*ends)
    return pairs.order_le(*ends) if same else pairs.order_lt(*ends)


def _without_statements(relation: isl.UnionMap, names: tuple[str, ...]) -> isl.UnionMap:
    """The pairs of `relation` that none of the statements `names` takes part in."""
    parts = islx.maps_of(relation)
    return islx.union_map(m for m in parts if islx.in_name(m) not in names and islx.out_name(m) not in names)


def _before_updates(scop: Scop, relation: isl.UnionMap) -> isl.UnionMap:
    """`X -> Merge`, where the value that X wants or leaves is overwritten, as `X -> Update` too.

    So the initialisation may run before the updates instead of after them, which is how the results of updates that
    no one owns accumulate (parts/in_place.py).  Inside the nest of its updates an initialisation needs no such place.
    Of initialisations that are done again before any update the earlier ones come before the last one anyway.
    """
    entering: list[isl.UnionMap] = []
    for reduction in scop.reductions:
        if _is_merged(scop, reduction):
            merged = reduction.r2m.range()
            done_again = reduction.i2m.range().universe().subtract(merged)
            into = relation.intersect_range(merged).subtract_domain(done_again)
            entering.append(into.apply_range(reduction.r2m.reverse()))
    return islx.shortened(relation.union(islx.union_of(entering)))


def _is_merged(scop: Scop, reduction: Reduction) -> bool:
    """Whether an update meets several results, or the initialisation stands in another nest than the updates."""
    if not reduction.r2m.is_single_valued():
        return True
    nest = [loop.index for loop in scop.statement(reduction.init).loops]
    for update in reduction.updates:
        around = [loop.index for loop in scop.statement(update).loops]
        if around[: len(nest)] != nest:
            return True
    return False


def _finish(scop: Scop, relation: isl.UnionMap) -> isl.UnionMap:
    """Absorb initialisations, honour `independent`, simplify."""
    relation = _absorb(relation, scop.reductions)
    return islx.shortened(without_carried(scop, relation))


def _absorb(relation: isl.UnionMap, reductions: Iterable[Reduction]) -> isl.UnionMap:
    """`X -> Init` becomes `X -> Merge` and `Init -> X` becomes `Merge -> X`.

    The merge node also evaluates the guards and subscripts of its init, later than the source does.
    """
    i2m = islx.union_of(r.i2m for r in reductions)
    inits = i2m.domain().universe()
    entering = relation.intersect_range(inits)
    relation = relation.subtract_range(inits).union(entering.apply_range(i2m))
    leaving = relation.intersect_domain(inits)
    return relation.subtract_domain(inits).union(leaving.apply_domain(i2m))


def _relaxed(scop: Scop) -> isl.UnionMap:
    """`{ R[i] -> R'[j] }`: all pairs of updates of one merge instance, both directions, no identity."""
    found: list[isl.UnionMap] = []
    for reduction in scop.reductions:
        r2m = reduction.r2m.intersect_params(scop.context)
        found.append(r2m.apply_range(r2m.reverse()).subtract(r2m.domain().identity()))
    return islx.shortened(islx.union_of(found))


def _shared_reads(scop: Scop) -> isl.UnionMap:
    """Pairs of different statements, in textual order, that read one element exactly."""
    readers: dict[str, list[tuple[Statement, isl.Map]]] = {}
    for statement in scop.statements:
        if statement.kind in (StatementKind.KILL, StatementKind.MERGE, StatementKind.INIT):
            continue
        for access in statement.accesses:
            if access.kind is AccessKind.READ and access.exact and access.relation.dim(isl.dim_type.out) > 0:
                readers.setdefault(islx.out_name(access.relation), []).append((statement, access.relation))
    pairs: dict[tuple[str, str], isl.UnionMap] = {}
    for items in readers.values():
        reach = len(items) if len(items) <= _ALL_PAIRS_LIMIT else _NEIGHBOURS
        for k, (first, reads) in enumerate(items):
            for second, others in items[k + 1 : k + 1 + reach]:
                if first.name != second.name:
                    pair = reads.apply_range(others.reverse()).to_union_map()
                    key = (first.name, second.name)
                    pairs[key] = pairs[key].union(pair) if key in pairs else pair
    return islx.union_of(pairs.values()).intersect_params(scop.context)
