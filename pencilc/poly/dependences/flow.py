"""isl's flow analysis over the accesses of a region, and the relations it is asked about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace

import islpy as isl

from pencilc import islx, quotas
from pencilc.ir.scop import Access, AccessKind, Reduction, Scop, Statement, StatementKind
from pencilc.records import dataclass


def relation_of(
    statements: Iterable[Statement], kinds: Iterable[AccessKind], keep: Callable[[Access], bool] = lambda _: True
) -> isl.UnionMap:
    """`{ S[i] -> A[a] }` for the accesses of the given kinds."""
    wanted = tuple(kinds)
    found: list[isl.Map] = []
    for statement in statements:
        for access in statement.accesses:
            if access.kind in wanted and keep(access):
                found.append(access.relation)
    return islx.union_map(found)


# So many accesses are compared with all others.
_FEW = 16
# So many elements that one statement reads of one array are looked at as one set, where they fill one; one by one, each
# is compared with every write.
_NEIGHBOURS = 12


@dataclass(frozen=True, slots=True, eq=False)
class FlowModel:
    """The accesses of a region by role; merge nodes take no part, they have no place in the source order.

    `must` and `may` are the writes of ordinary statements, `init_must` and `init_may` those of reduction
    initialisations (may where they stand under a data-dependent condition).  Updates are in neither:
    they are asked for one reduction at a time, as may-sources, and so do not end the life of a value.  `is_plain` is
    that of the scop; `rounds` are the loops around statements that data may end.
    """

    orders: Mapping[str, isl.Map]  # the source order { S[i] -> [t] } of each statement
    context: isl.Set
    kills: isl.UnionMap
    must: isl.UnionMap
    may: isl.UnionMap
    init_must: isl.UnionMap
    init_may: isl.UnionMap
    reads: isl.UnionMap
    is_plain: bool
    rounds: Mapping[str, frozenset[int]] = field(default_factory=dict)

    @property
    def all_must(self) -> isl.UnionMap:
        """The certain writes, those of initialisations included."""
        return self.must.union(self.init_must)

    @property
    def all_may(self) -> isl.UnionMap:
        """The writes that may happen, those of initialisations included."""
        return self.may.union(self.init_may)

    @property
    def writes(self) -> isl.UnionMap:
        """All writes but those of updates."""
        return self.all_must.union(self.all_may)

    def flow(
        self, sink: isl.UnionMap, must: isl.UnionMap, may: isl.UnionMap, kills: isl.UnionMap | None = None
    ) -> isl.UnionMap:
        """`{ Source[i] -> Sink[j] }`: pairs that touch one element with no must-source and none of `kills` between."""
        kills = islx.empty_map() if kills is None else kills
        if not self.rounds:
            return self._flow_to(sink, must, may, kills)
        found = []
        for part, around in by_rounds(sink, self.rounds):
            sure, unsure = within_rounds(must, around, self.rounds)
            ending, _ = within_rounds(kills, around, self.rounds)
            found.append(self._flow_to(part, sure, may.union(unsure), ending))
        return islx.union_of(found)

    def _flow_to(self, sink: isl.UnionMap, must: isl.UnionMap, may: isl.UnionMap, kills: isl.UnionMap) -> isl.UnionMap:
        """As `flow`, for sinks that all loops which data may end are around that are around one of them."""
        touched = sink.range()
        must, may = must.intersect_range(touched), may.intersect_range(touched)
        if sink.is_empty() or (must.is_empty() and may.is_empty()):
            return islx.empty_map()
        if not kills.is_empty():
            kills = kills.intersect_range(touched)
        if sink.n_map() <= _FEW:
            # Neighbours one by one: of seven together isl would look at what each source means for all of the others.
            found = [self._flow(piece, must, may, kills) for piece in islx.pieces_of(sink)]
            return islx.union_of(found).intersect_params(self.context)
        # isl would compare each sink with the sources of all arrays and elements.
        others = [islx.ByPlace(relation) for relation in (must, may, kills)]
        found = [
            self._flow(part, *(other.near([place]) for other in others))
            for place, part in islx.by_subscripts(sink).items()
        ]
        return islx.union_of(found).intersect_params(self.context)

    def _flow(self, sink: isl.UnionMap, must: isl.UnionMap, may: isl.UnionMap, kills: isl.UnionMap) -> isl.UnionMap:
        if must.is_empty() and may.is_empty():
            return islx.empty_map()
        info = isl.UnionAccessInfo.from_sink(sink).set_must_source(must).set_may_source(may)
        names = set[str]().union(*(islx.in_names(relation) for relation in (sink, must, may, kills)))
        order = islx.union_map(self.orders[name] for name in sorted(names & self.orders.keys()))
        info = info.set_kill(kills).set_schedule_map(order)
        return quotas.patiently(lambda: info.compute_flow().get_may_dependence(), self.is_plain)


def by_rounds(sink: isl.UnionMap, rounds: Mapping[str, frozenset[int]]) -> list[tuple[isl.UnionMap, frozenset[int]]]:
    """The sinks { S[i] -> A[a] } by the loops around them that data may end, which stand beside them."""
    parts: dict[frozenset[int], list[isl.Map]] = {}
    for part in islx.maps_of(sink):
        parts.setdefault(rounds.get(islx.in_name(part), frozenset()), []).append(part)
    return [(islx.union_map(found), around) for around, found in parts.items()]


def within_rounds(
    sources: isl.UnionMap, around: frozenset[int], rounds: Mapping[str, frozenset[int]]
) -> tuple[isl.UnionMap, isl.UnionMap]:
    """Those of `sources` that have run where a sink inside of the loops `around` runs behind them, and the others.

    A loop that data may end has done all before any of its iterations when this begins; what comes behind the loop may
    follow any of them.
    """
    parts = islx.maps_of(sources)
    sure = [rounds.get(islx.in_name(part), frozenset()) <= around for part in parts]
    return (
        islx.union_map(part for part, is_sure in zip(parts, sure, strict=True) if is_sure),
        islx.union_map(part for part, is_sure in zip(parts, sure, strict=True) if not is_sure),
    )


def rounds_of(scop: Scop) -> dict[str, frozenset[int]]:
    """The loops around each statement that data may end, where there are any."""
    return {s.name: s.rounds for s in scop.statements if s.rounds}


class Nearby:
    """The accesses of a region near single elements, and `sink`, whose values are asked for there.

    A region may have hundreds of reductions, each of which has to do with few of the accesses.
    """

    def __init__(self, model: FlowModel, sink: isl.UnionMap) -> None:
        self.model = model
        self.sink = islx.ByPlace(sink)
        self.kills, self.reads = islx.ByPlace(model.kills), islx.ByPlace(model.reads)
        self.must, self.may = islx.ByPlace(model.must), islx.ByPlace(model.may)
        self.init_must, self.init_may = islx.ByPlace(model.init_must), islx.ByPlace(model.init_may)

    def at(self, places: Sequence[islx.Subscripted]) -> tuple[FlowModel, isl.UnionMap]:
        """What the model and the sink have at `places`."""
        model = replace(
            self.model, kills=self.kills.near(places), reads=self.reads.near(places), must=self.must.near(places),
            may=self.may.near(places), init_must=self.init_must.near(places), init_may=self.init_may.near(places),
        )  # fmt: skip
        return model, self.sink.near(places)


def exposed(scop: Scop, sink: isl.UnionMap, must: isl.UnionMap) -> isl.UnionMap:
    """The part of the reads `sink` that no write of `must` comes before: they may see what was there at first."""
    rounds = rounds_of(scop)
    if rounds:
        parts = by_rounds(sink, rounds)
        return islx.union_of(_exposed(scop, part, within_rounds(must, around, rounds)[0]) for part, around in parts)
    return _exposed(scop, sink, must)


def _exposed(scop: Scop, sink: isl.UnionMap, must: isl.UnionMap) -> isl.UnionMap:
    """As `exposed`, for sinks that all loops which data may end are around that are around one of them."""
    involved = sink.domain().union(must.domain()).universe()
    info = isl.UnionAccessInfo.from_sink(sink).set_must_source(must)
    info = info.set_schedule(scop.schedule.intersect_domain(involved))
    found = quotas.patiently(lambda: info.compute_flow().get_may_no_source(), scop.is_plain)
    return found.intersect_params(scop.context)


def source_order(scop: Scop, statement: str) -> isl.Map:
    """{ S[i] -> [t] }: when the source executes a statement, or the one that it stands for."""
    order = islx.orders_of(scop.schedule)[scop.stands_for.get(statement, statement)]
    return order.set_tuple_name(isl.dim_type.in_, statement)


def left_behind(scop: Scop, source: isl.UnionMap, must: isl.UnionMap) -> isl.UnionMap:
    """The part of the writes `source` that no write or kill of `must` comes behind, all of which happen."""
    involved = islx.in_names(source) | islx.in_names(must)
    backwards = islx.union_map(source_order(scop, name).neg() for name in sorted(involved))
    info = isl.UnionAccessInfo.from_sink(source).set_must_source(must).set_schedule_map(backwards)
    found = quotas.patiently(lambda: info.compute_flow().get_may_no_source(), scop.is_plain)
    return found.intersect_params(scop.context)


def flow_model(scop: Scop) -> FlowModel:
    """Sort the accesses of `scop` by role."""
    placed = [s for s in scop.statements if s.kind is not StatementKind.MERGE]
    inits = [s for s in placed if s.kind is StatementKind.INIT]
    others = [s for s in placed if s.kind is not StatementKind.INIT]
    return FlowModel(
        orders=islx.orders_of(scop.schedule),
        context=scop.context,
        kills=relation_of(placed, [AccessKind.KILL]),
        must=relation_of(others, [AccessKind.MUST_WRITE]),
        may=relation_of(others, [AccessKind.MAY_WRITE]),
        init_must=relation_of(inits, [AccessKind.MUST_WRITE]),
        init_may=relation_of(inits, [AccessKind.MAY_WRITE]),
        reads=_filled(relation_of(placed, [AccessKind.READ])),
        is_plain=scop.is_plain,
        rounds=rounds_of(scop),
    )


def _filled(reads: isl.UnionMap) -> isl.UnionMap:
    """The reads { S[i] -> A[a] }, many neighbours of one point in as few parts as they have.

    A[i - 1][j - 1] + A[i - 1][j] + … + A[i + 1][j + 1]  ->  { S[i, j] -> A[a, b] : i - 1 <= a <= i + 1 and … }
    """
    found = islx.maps_of(reads)
    return islx.union_map(part.coalesce() if part.n_basic_map() >= _NEIGHBOURS else part for part in found)


def updates_of(scop: Scop, reduction: Reduction) -> isl.UnionMap:
    """`{ Update[j] -> A[a] }` for the instances in the domain of `reduction`."""
    statements = [scop.statement(name) for name in reduction.updates]
    relation = relation_of(statements, [AccessKind.UPDATE], lambda a: a.array == reduction.array)
    return relation.intersect_domain(reduction.domain)


def inits_of(scop: Scop, reduction: Reduction) -> isl.UnionMap:
    """`{ Init[i] -> A[a] }`."""
    kinds = [AccessKind.MUST_WRITE, AccessKind.MAY_WRITE]
    return relation_of([scop.statement(reduction.init)], kinds, lambda a: a.array == reduction.array)


def producers_to_merge(reduction: Reduction) -> isl.UnionMap:
    """`{ Update[j] -> Merge[i]; Init[i] -> Merge[i] }`: whose values the merge node hands on."""
    return reduction.r2m.union(reduction.i2m)


def places_of(scop: Scop, reduction: Reduction) -> list[islx.Subscripted]:
    """The elements that the initialisation and the updates of `reduction` touch."""
    return list(islx.by_subscripts(inits_of(scop, reduction).union(updates_of(scop, reduction))))


def merge_to(scop: Scop, nearby: Nearby, reduction: Reduction, past_kills: bool = True) -> isl.UnionMap:
    """`{ Merge[i] -> Sink[j] }`: what reaches the sink of `nearby` from the updates and the init of `reduction`.

    Unless `past_kills`, no value is passed on behind a kill.  Only pairs that share an element: through a histogram's
    update every merge instance would else reach every use.
    """
    model, sink = nearby.at(places_of(scop, reduction))
    variables = inits_of(scop, reduction)
    sink = sink.intersect_range(variables.range())
    if sink.is_empty():
        return islx.empty_map()
    own = variables.domain().universe()
    others = model.must.union(model.init_must.subtract_domain(own))
    reaching = model.flow(
        sink,
        model.init_must.intersect_domain(own),
        model.init_may.intersect_domain(own).union(updates_of(scop, reduction)),
        kills=others if past_kills else others.union(model.kills),
    )
    pairs = producers_to_merge(reduction).reverse().apply_range(reaching)
    return pairs.intersect(variables.apply_domain(reduction.i2m).apply_range(sink.reverse()))
