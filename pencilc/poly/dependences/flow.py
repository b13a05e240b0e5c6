"""isl's flow analysis over the accesses of a region, and the relations it is asked about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace

import islpy as isl

from pencilc import islx, quotas
from pencilc.ir.scop import Access, AccessKind, Reduction, Scop, Statement, StatementKind
from pencilc.poly.dependences.turns import by_number, with_next
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
    that of the scop; `rounds` are the loops around statements that data may end; `planes`: how many planes arrays have
    of which the accesses name versions (poly/dependences/turns.py).
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
    planes: Mapping[str, int] = field(default_factory=dict)
    skipping: Skipping = field(default_factory=lambda: Skipping({}))

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
            found.append(self._flow_through(part, sure, may.union(unsure), ending))
        return islx.union_of(found)

    def _flow_through(
        self, sink: isl.UnionMap, must: isl.UnionMap, may: isl.UnionMap, kills: isl.UnionMap
    ) -> isl.UnionMap:
        """As `_flow_to`, where of some loops iterations are left out: nothing is sure there but in the same one."""
        if not self.skipping.statements:
            return self._flow_to(sink, must, may, kills)
        found = []
        for part, loops in self.skipping.by_loops(sink):
            for depth in range(len(loops), -1, -1):
                around = loops[:depth]
                own = [self.skipping.sources(relation, around, exactly=True) for relation in (must, kills)]
                others = self.skipping.sources(must, around, exactly=False).subtract(own[0])
                unsure = self.skipping.sources(may, around, exactly=False).union(others)
                here = self.skipping.in_iteration(part, around)
                sure, ending = (self.skipping.in_iteration(relation, around) for relation in own)
                found.append(self._flow_to(here, sure, self.skipping.in_iteration(unsure, around), ending))
                left = _without_source(self.orders, here, sure.union(ending), self.is_plain)
                part = self.skipping.in_any_iteration(left, around)
        return islx.union_of(found).intersect_params(self.context)

    def _flow_to(self, sink: isl.UnionMap, must: isl.UnionMap, may: isl.UnionMap, kills: isl.UnionMap) -> isl.UnionMap:
        """As `flow`, for sinks that all loops which data may end are around that are around one of them."""
        if not self.planes:
            return self._flow_apart(sink, must, may, kills)
        found = []
        for number, part in by_number(sink, self.planes).items():
            found.append(self._flow_apart(part, *(with_next(each, self.planes, number) for each in (must, may, kills))))
        return islx.union_of(found)

    def _flow_apart(
        self, sink: isl.UnionMap, must: isl.UnionMap, may: isl.UnionMap, kills: isl.UnionMap
    ) -> isl.UnionMap:
        """As `flow`, where what comes first stands for all versions of elements."""
        must, may, kills = (_touching(each, sink.range()) for each in (must, may, kills))
        if sink.is_empty() or (must.is_empty() and may.is_empty()):
            return islx.empty_map()
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


def _touching(accesses: isl.UnionMap, touched: isl.UnionSet) -> isl.UnionMap:
    """The accesses of one space each that touch any of these elements, with all others: in pieces they take longer."""
    parts = islx.maps_of(accesses)
    return islx.union_map(part for part in parts if not part.to_union_map().intersect_range(touched).is_empty())


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


@dataclass(frozen=True, slots=True)
class Skipping:
    """The loops around statements of which iterations are left out, by index, the outermost first, with their depths.

    What an iteration of the model does may never be done, if it is another one than that of who asks.  Accesses of one
    iteration are those with its numbers behind their subscripts, { S[i] -> A[a, s] }.
    """

    statements: Mapping[str, tuple[tuple[int, int], ...]]

    def loops(self, statement: str) -> tuple[int, ...]:
        """Such loops around a statement."""
        return tuple(index for index, _ in self.statements.get(statement, ()))

    def by_loops(self, relation: isl.UnionMap) -> list[tuple[isl.UnionMap, tuple[int, ...]]]:
        """The accesses { S[i] -> A[a] } by such loops around them."""
        parts: dict[tuple[int, ...], list[isl.Map]] = {}
        for part in islx.maps_of(relation):
            parts.setdefault(self.loops(islx.in_name(part)), []).append(part)
        return [(islx.union_map(found), loops) for loops, found in parts.items()]

    def sources(self, relation: isl.UnionMap, around: tuple[int, ...], *, exactly: bool) -> isl.UnionMap:
        """Those of statements inside of the loops `around`, and `exactly` of these or of others inside of them too."""
        found = []
        for part in islx.maps_of(relation):
            loops = self.loops(islx.in_name(part))
            if loops == around or (not exactly and loops[: len(around)] == around):
                found.append(part)
        return islx.union_map(found)

    def in_iteration(self, relation: isl.UnionMap, around: tuple[int, ...]) -> isl.UnionMap:
        """{ S[i] -> A[a] } as { S[i] -> A[a, s] }, of statements inside of the loops `around`.

        s are the iterators of the innermost of these and of all loops around it.
        """
        if not around:
            return relation
        return islx.union_map(self._numbered(part, self._depth(around)) for part in islx.maps_of(relation))

    def _depth(self, around: tuple[int, ...]) -> int:
        """How many loops are around what the innermost of the loops `around` does, itself among them."""
        return 1 + next(depth for found in self.statements.values() for index, depth in found if index == around[-1])

    def _numbered(self, part: isl.Map, depth: int) -> isl.Map:
        array = islx.out_name(part)
        number = isl.Map.identity(part.get_space().domain().map_from_set())
        number = number.project_out(isl.dim_type.out, depth, number.dim(isl.dim_type.out) - depth)
        numbered = part.flat_range_product(number.reset_tuple_id(isl.dim_type.out))
        return numbered.set_tuple_name(isl.dim_type.out, array)

    def in_any_iteration(self, relation: isl.UnionMap, around: tuple[int, ...]) -> isl.UnionMap:
        """{ S[i] -> A[a, s] } as { S[i] -> A[a] }."""
        if not around:
            return relation
        depth, found = self._depth(around), []
        for part in islx.maps_of(relation):
            array, last = islx.out_name(part), part.dim(isl.dim_type.out)
            plain = part.project_out(isl.dim_type.out, last - depth, depth)
            found.append(plain.set_tuple_name(isl.dim_type.out, array))
        return islx.union_map(found)


def skipping_of(scop: Scop) -> Skipping:
    """The loops of a region of which iterations are left out."""
    found = {}
    for statement in scop.statements:
        depths = statement.factors
        if depths:
            found[statement.name] = tuple((statement.loops[depth].index, depth) for depth in depths)
    return Skipping(found)


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
    rounds, skipping = rounds_of(scop), skipping_of(scop)
    if not rounds:
        return _exposed(scop, sink, must)
    found = []
    for part, around in by_rounds(sink, rounds):
        sure, _ = within_rounds(must, around, rounds)
        for piece, loops in skipping.by_loops(part):
            for depth in range(len(loops), 0, -1):
                inside = skipping.in_iteration(piece, loops[:depth])
                own = skipping.in_iteration(skipping.sources(sure, loops[:depth], exactly=True), loops[:depth])
                left = _without_source(islx.orders_of(scop.schedule), inside, own, scop.is_plain)
                piece = skipping.in_any_iteration(left, loops[:depth])
            found.append(_exposed(scop, piece, skipping.sources(sure, (), exactly=True)))
    return islx.union_of(found)


def _exposed(scop: Scop, sink: isl.UnionMap, must: isl.UnionMap) -> isl.UnionMap:
    """As `exposed`, for sinks that all loops which data may end are around that are around one of them."""
    involved = sink.domain().union(must.domain()).universe()
    info = isl.UnionAccessInfo.from_sink(sink).set_must_source(must)
    info = info.set_schedule(scop.schedule.intersect_domain(involved))
    found = quotas.patiently(lambda: info.compute_flow().get_may_no_source(), scop.is_plain)
    return found.intersect_params(scop.context)


def _without_source(
    orders: Mapping[str, isl.Map], sink: isl.UnionMap, must: isl.UnionMap, is_plain: bool
) -> isl.UnionMap:
    """The part of `sink` in front of which nothing of `must` touches the same element."""
    if sink.is_empty() or must.is_empty():
        return sink
    names = islx.in_names(sink) | islx.in_names(must)
    info = isl.UnionAccessInfo.from_sink(sink).set_must_source(must)
    info = info.set_schedule_map(islx.union_map(orders[name] for name in sorted(names & orders.keys())))
    return quotas.patiently(lambda: info.compute_flow().get_may_no_source(), is_plain)


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


def flow_model(scop: Scop, planes: Mapping[str, int] | None = None) -> FlowModel:
    """Sort the accesses of `scop` by role; `planes` as in the model."""
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
        planes=planes or {},
        skipping=skipping_of(scop),
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
