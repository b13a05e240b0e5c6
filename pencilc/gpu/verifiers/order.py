"""The verifier of order: what each instance reads in a mapped program is what the source's order gives it.

Decided anew from the accesses of the statements, the storage of the variables and the order of the finished kernels
(gpu/verifiers/placements.py), not from the dependences that scheduling, fusion and placement were given:

    order      two instances that meet in one place, one of them writing, run in the order of the source;
    place      what one instance writes and another one reads is at one place, whichever register that is;
    reduction  every update is done before the merge node that hands on its result.

Reductions may be reordered among their own updates, and `independent` loops have what they promise.  A variable of each
iteration may have one place for all of them, which they use in any order, one behind the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Sequence as Seq
from itertools import zip_longest
from typing import TypeAlias

import islpy as isl

from pencilc import islx
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.gpu.verifiers.placements import (
    At,
    Iteration,
    Order,
    Placement,
    Point,
    Step,
    Unit,
    certainly_in_order,
    in_order,
    in_order_at_one_point,
    on_statement,
    source_steps,
)
from pencilc.ir.mapping import Composed, MappedProgram, RegisterPromotion, Stitched
from pencilc.ir.scop import Access, AccessKind, Array, Reduction, Statement, StatementKind
from pencilc.ir.storage import Constant, Element, Expansion, InBlock, Storage, Uniform, Value
from pencilc.records import dataclass

_Unit: TypeAlias = tuple[int, int, int]  # the position of an iterator, its sign and a constant


@dataclass(frozen=True, slots=True, eq=False)
class Location:
    """Where an access goes: of the space `name`, the place of the instance's `points` (None: any), then `element`.

    `element`: { S[i] -> [a] }; None where there is one for each point.
    """

    name: str
    points: tuple[isl.PwAff | None, ...]
    element: isl.Map | None
    is_memory: bool

    @property
    def is_register(self) -> bool:
        """Whether each point has one such place, not an array of them."""
        return not self.is_memory and (self.element is None or self.element.dim(isl.dim_type.out) == 0)


@dataclass(frozen=True, slots=True, eq=False)
class PlacedAccess:
    """One access in one placement; `places`: in registers or shared memory, and in memory, each if it goes there.

    `source`: where the source has the access.
    """

    placement: Placement
    access: Access
    writes: bool
    places: tuple[Location, ...]
    source: tuple[Step, ...]


def verify_order(program: MappedProgram) -> None:
    """Raise CompilerBug if an instance may see another value than the source's order gives it."""
    if program.sequential:
        return
    checker = _Checker(program)
    checker.check(Order(program), ())
    kinds = {type(item) for item in (*program.stitched(), *program.composed())}
    # What stands for fused kernels is looked at by itself: the rest has met them already.
    if Composed in kinds:
        checker.check(Order(program, (Composed,)), (Composed,))
    if Stitched in kinds:
        checker.check(Order(program, (Stitched, Composed)), (Stitched, Composed))


class _Checker:
    """What is the same for all forms of one program."""

    def __init__(self, program: MappedProgram) -> None:
        self.program, self.scop = program, program.scop
        self.source, self.stands_for = source_steps(self.scop), self.scop.stands_for
        self.storage = {s.array: s for s in program.storage}
        # The tables of kernels that have their own, by the name of the kernel.
        self.inside = {name: {s.array: s for s in table} for name, table in program.own_storage.items()}
        fused_items: list[Stitched | Composed] = [*program.stitched(), *program.composed()]
        for fused in fused_items:
            self.inside[fused.kernel.name] = {s.array: s for s in fused.storage}
        self.domains = {s.name: s.domain.intersect_params(self.scop.context) for s in self.scop.statements}
        self.owners: dict[str, list[Reduction]] = {}
        for reduction in self.scop.reductions:
            for name in (*reduction.updates, reduction.merge, reduction.init):
                self.owners.setdefault(name, []).append(reduction)
        self.relations: dict[Access, isl.Map] = {}
        self.alignments: dict[Placement, tuple[tuple[int, ...], ...] | None] = {}

    def check(self, order: Order, unfused: tuple[type, ...]) -> None:
        """Check one form of the program; behind the first one only what is new about it."""
        placements = order.placements()
        groups = _new_groups(self.program, unfused)
        by_symbol: dict[str, list[PlacedAccess]] = {}
        for placement in placements:
            if groups is None or placement.group in groups:
                for symbol, use in self._uses(placement):
                    by_symbol.setdefault(symbol, []).append(use)
        for uses in by_symbol.values():
            self._check_symbol(uses)
        chosen = [p for p in placements if groups is None or p.group in groups]
        self._check_reductions(chosen)

    # ---- uses --------------------------------------------------------------------------------------

    def _uses(self, placement: Placement) -> Iterator[tuple[str, PlacedAccess]]:
        record = self.scop.statement(placement.statement)
        if self.domains[record.name].is_empty():
            return  # It has no instance, and no place in the order of the source.
        for access in record.accesses:
            if access.kind is AccessKind.KILL or self._is_accumulated(placement, record, access):
                continue
            array = self.scop.array(access.array)
            storage = self._storage(placement).get(array.symbol.name)
            if storage is None or isinstance(storage.residence, Value | Constant | Uniform):
                continue  # never written, or computed from such by everybody for itself
            places = tuple(self._places(placement, access, array, storage))
            yield (
                array.symbol.name,
                PlacedAccess(placement, access, access.kind.writes, places, self._source(record, access)),
            )

    def _storage(self, placement: Placement) -> Mapping[str, Storage]:
        """Where variables live in the kernel of a placement."""
        kernel = placement.kernel if placement.fused is None else placement.fused.kernel
        return self.inside.get(kernel.name, self.storage)

    def _source(self, record: Statement, access: Access) -> tuple[Step, ...]:
        """Where the source has an access.

        A sum that is accumulated before its shift is known reads what statements read whose values it computes itself.
        """
        if record.name in self.stands_for and access.kind is AccessKind.READ:
            for other in self.scop.statements:
                if other.name in self.stands_for or len(other.iterators) != len(record.iterators):
                    continue
                reads = (a for a in other.accesses if a.kind is AccessKind.READ)
                if any(a.span == access.span and a.array == access.array for a in reads):
                    return on_statement(self.source[other.name], record.name)
        return self.source[record.name]

    def _is_accumulated(self, placement: Placement, record: Statement, access: Access) -> bool:
        """Whether the access is that of an update whose value goes to an accumulator."""
        if record.kind is not StatementKind.UPDATE or access.kind is not AccessKind.UPDATE:
            return False
        return any(r.name in placement.kernel.reductions for r in self.owners.get(record.name, ()))

    def _relation(self, access: Access, statement: str) -> isl.Map:
        if access not in self.relations:
            self.relations[access] = access.relation.intersect_domain(self.domains[statement])
        return self.relations[access]

    # ---- places ------------------------------------------------------------------------------------

    def _places(self, placement: Placement, access: Access, array: Array, storage: Storage) -> Iterator[Location]:
        relation = self._relation(access, placement.statement)
        promotion = _promotion_of(placement, access, array)
        if promotion is not None:
            points = placement.points if not promotion.of_row else _of_row(placement)
            name = f"{array.name} in {placement.kernel.name}"
            yield Location(name, points, None, False)
            if promotion.loaded < 0 and promotion.stored < 0:
                return
        shared = storage.residence if isinstance(storage.residence, InBlock) else None
        if shared is not None:
            name = f"{array.name} in {placement.fused.kernel.name}" if placement.fused else ""
            kept = _without_fixed(relation, array, shared)
            yield Location(name, _of_block(placement), kept, False)
            if shared.memory is None:
                return
            storage = Storage(storage.array, shared.memory)
        if storage.is_in_register:
            points = placement.points if _home(storage, placement) == "body" else _of_row(placement)
            own = None if isinstance(storage.residence, Element) else _own_dimensions(relation, array)
            yield Location(f"{array.name} in {placement.kernel.name}", points, own, False)
            return
        yield Location(array.name, (), _in_memory(relation, array, storage.expanded), True)

    # ---- order and place ---------------------------------------------------------------------------

    def _check_symbol(self, uses: Seq[PlacedAccess]) -> None:
        if not any(use.writes for use in uses):
            return
        self._check_registers(uses)
        cells = _Cells(uses)
        for number, first in enumerate(uses):
            for other in cells.near(number):
                second = uses[other]
                if other >= number and (first.writes or second.writes):
                    self._check_pair(first, second, uses)

    def _check_pair(self, first: PlacedAccess, second: PlacedAccess, uses: Seq[PlacedAccess]) -> None:
        if self._is_free(first, second):
            return
        pairs = ((first, second),) if first is second else ((first, second), (second, first))
        for before, after in pairs:
            source, sink = before.placement, after.placement
            if source.statement == sink.statement and source is not sink:
                continue  # each place does the same work for itself
            if certainly_in_order(after.source, before.source):
                continue  # the source never has them in this order
            self._check_before(before, after, uses)

    def _is_free(self, first: PlacedAccess, second: PlacedAccess) -> bool:
        """Whether the two belong to one reduction and may run in any order, or are held by `_check_reductions`."""
        names = (first.placement.statement, second.placement.statement)
        both = [r for r in self.owners.get(names[0], ()) if r in self.owners.get(names[1], ())]
        if any(self.scop.statement(name).kind is StatementKind.INIT for name in names):
            return False
        return any(r.array == first.access.array == second.access.array for r in both)

    def _check_before(self, before: PlacedAccess, after: PlacedAccess, uses: Seq[PlacedAccess]) -> None:
        """What the source has `before` before `after` at one element or one place stays so."""
        source, sink = before.placement, after.placement
        for one in before.places:
            for other in after.places:
                if one.name != other.name or (one.is_memory and _meet_on_chip(before, after)):
                    continue
                if certainly_in_order(source.steps, sink.steps):
                    continue
                if one.is_register and self._are_aligned(source, sink):
                    if in_order_at_one_point(before.source, after.source) and not in_order_at_one_point(
                        source.steps, sink.steps
                    ):
                        self._refuse(before, after, None, "runs behind or beside")
                    continue
                meeting = self._first(before, after, self._meeting(one, other, source, sink))
                wrong = meeting.subtract(in_order(source.steps, sink.steps, meeting))
                if not wrong.is_empty() and self._is_used_one_behind_the_other(one.name, uses):
                    wrong = wrong.intersect(self._of_one_iteration(before, after))
                if not wrong.is_empty():
                    self._refuse(before, after, wrong, "runs behind or beside")

    def _is_used_one_behind_the_other(self, name: str, uses: Seq[PlacedAccess]) -> bool:
        """Whether of any two iterations that have a variable at one place, one is done with it before the other begins.

        What tells them apart, then, is which point has the place, or the round of a loop around all uses.
        """
        here = [(use, place) for use in uses for place in use.places if place.name == name]
        shared = len(_common([use.placement.steps for use, _ in here]))
        found = {self._rounds(use, place, use.placement.steps[:shared]) for use, place in here}
        return len(found) == 1 and None not in found

    def _rounds(
        self, use: PlacedAccess, place: Location, shared: Seq[Step]
    ) -> tuple[Seq[int], Seq[_Unit | None], Seq[_Unit]] | None:
        """The loops that a variable belongs to, with the iterators that the points and the rounds of a place are.

        None where these do not tell all iterations of the loops apart, or other points share the place.
        """
        depth = len(self.scop.array(use.access.array).scope_iterators)
        points = tuple(_unit(point, depth) for point in place.points)
        rounds: list[_Unit] = []
        for step in shared:
            if isinstance(step, Point) and step.value not in place.points:
                return None
            if isinstance(step, Iteration):
                unit = _unit(step.value, depth)
                if unit is None:
                    break
                rounds.append(unit)
        if {unit[0] for unit in (*points, *rounds) if unit is not None} != set(range(depth)):
            return None
        return tuple(self._loops(use.placement)[:depth]), points, tuple(rounds)

    def _of_one_iteration(self, first: PlacedAccess, second: PlacedAccess) -> isl.Map:
        """{ S[i] -> T[j] }: the instances that are in one iteration of the loops that the variable belongs to."""
        depth = len(self.scop.array(first.access.array).scope_iterators)
        one, other = (self._scope(use, depth) for use in (first, second))
        return one.apply_range(other.reverse())

    def _scope(self, use: PlacedAccess, depth: int) -> isl.Map:
        """{ S[i] -> [scope] }: the iteration that has the variable which an access is of."""
        relation = self._relation(use.access, use.placement.statement).reset_tuple_id(isl.dim_type.out)
        return relation.project_out(isl.dim_type.out, depth, relation.dim(isl.dim_type.out) - depth)

    def _meeting(self, one: Location, other: Location, source: Placement, sink: Placement) -> isl.Map:
        """{ S[i] -> T[j] }: the instances that meet in a place."""
        if one.element is None or other.element is None:
            pairs = isl.Map.from_domain_and_range(self.domains[source.statement], self.domains[sink.statement])
        else:
            pairs = one.element.apply_range(other.element.reverse())
        return _equal(pairs, one.points, other.points)

    def _first(self, before: PlacedAccess, after: PlacedAccess, pairs: isl.Map) -> isl.Map:
        """The pairs whose source comes first in the source program, but for those that `independent` leaves out."""
        pairs = in_order(before.source, after.source, pairs)
        variable = self.scop.array(before.access.array).symbol.name
        return self._without_independent(before.placement.statement, after.placement.statement, variable, pairs)

    def _without_independent(self, source: str, sink: str, variable: str, pairs: isl.Map) -> isl.Map:
        """Iterations of such a loop carry nothing from one to the next, but for what its clauses name."""
        loops = zip(self.scop.statement(source).loops, self.scop.statement(sink).loops, strict=False)
        outer = pairs
        for depth, (one, other) in enumerate(loops):
            if one.index != other.index:
                break
            same = outer.equate(isl.dim_type.in_, depth, isl.dim_type.out, depth)
            if one.independent and variable not in one.reduced:
                pairs = pairs.subtract(outer.subtract(same))
            outer = same
        return pairs

    def _refuse(self, before: PlacedAccess, after: PlacedAccess, wrong: isl.Map | None, how: str) -> None:
        names = (before.placement.statement, after.placement.statement)
        raise CompilerBug(
            f"{names[0]} in {before.placement.kernel.name} {how} {names[1]} in {after.placement.kernel.name}, "
            f"which touches the same `{before.access.array}` later: {wrong or 'at one point'}"
        )

    def _are_aligned(self, source: Placement, sink: Placement) -> bool:
        """Whether the points of both are the iterators of the same loops, all of them: one point is one iteration."""
        first, second = self._alignment(source), self._alignment(sink)
        if first is None or first != second:
            return False
        return self._loops(source) == self._loops(sink)

    def _loops(self, placement: Placement) -> list[int]:
        return [loop.index for loop in self.scop.statement(placement.statement).loops]

    def _alignment(self, placement: Placement) -> tuple[tuple[int, ...], ...] | None:
        """The coefficients of the points in the iterators; None where they do not determine these one by one."""
        if placement not in self.alignments:
            found = [islx.unit_row(point) if point is not None else None for point in placement.points]
            count = len(self.scop.statement(placement.statement).iterators)
            rows = tuple(row for row in found if row is not None)
            whole = None not in found and len({row[:-1] for row in rows}) == count
            self.alignments[placement] = rows if whole else None
        return self.alignments[placement]

    # ---- registers ---------------------------------------------------------------------------------

    def _check_registers(self, uses: Seq[PlacedAccess]) -> None:
        """A value that is made in a register, or for one row in shared memory, is read there."""
        if all(place.is_memory for use in uses for place in use.places):
            return
        for after in uses:
            for before in uses:
                if before.writes and before is not after and self._is_lost(before, after):
                    self._check_same_place(before, after, uses)
                if before.writes:
                    self._check_one_element(before, after)

    def _check_one_element(self, first: PlacedAccess, second: PlacedAccess) -> None:
        """A register for each point stands for one element there, whoever uses it."""
        for one in first.places:
            for other in second.places:
                if one.name == other.name and one.element is None:
                    source, sink = first.placement, second.placement
                    relations = [self._relation(u.access, u.placement.statement) for u in (first, second)]
                    same = relations[0].apply_range(relations[1].reverse())
                    meeting = self._meeting(one, other, source, sink)
                    # A condition inside a statement may keep some of its instances from the element.
                    meeting = meeting.intersect_domain(relations[0].domain()).intersect_range(relations[1].domain())
                    wrong = meeting.subtract(same)
                    if not wrong.is_empty():
                        self._refuse(first, second, wrong, "has one register for other elements than")

    def _is_lost(self, before: PlacedAccess, after: PlacedAccess) -> bool:
        """Whether the second may read what the first leaves elsewhere: not both are in memory alone."""
        if after.access.kind is AccessKind.MUST_WRITE or self._is_free(before, after):
            return False
        return not all(place.is_memory for use in (before, after) for place in use.places)

    def _check_same_place(self, before: PlacedAccess, after: PlacedAccess, uses: Seq[PlacedAccess]) -> None:
        source, sink = before.placement, after.placement
        if certainly_in_order(after.source, before.source):
            return
        if source.kernel is not sink.kernel and any(
            use.placement.statement == source.statement and use.placement.kernel is sink.kernel for use in uses
        ):
            return  # the kernel makes the value for itself
        names = [{place.name for place in use.places} for use in (before, after)]
        if names[0] & names[1] and self._belongs_to_an_iteration(before.access) and self._are_aligned(source, sink):
            return
        one, other = (self._relation(u.access, u.placement.statement) for u in (before, after))
        if not one.range().get_space().is_equal(other.range().get_space()):
            return  # they are members of their own
        pairs = element = self._first(before, after, one.apply_range(other.reverse()))
        if element.is_empty():
            return
        for here in before.places:
            for there in after.places:
                if here.name == there.name:
                    element = element.subtract(self._meeting(here, there, source, sink).intersect(element))
        writer = self.scop.statement(source.statement)
        is_done_again = writer.rounds <= self.scop.statement(sink.statement).rounds  # a loop around it may end before
        if not element.is_empty() and is_done_again and writer.certainly_writes(before.access):
            # What is written there once more before it is read need not arrive.
            again = one.apply_range(one.reverse())
            again = self._first(before, before, again.subtract(isl.Map.identity(again.get_space())))
            element = element.subtract(again.apply_range(pairs))
        if not element.is_empty():
            self._refuse(before, after, element, "leaves a value that does not reach")

    def _belongs_to_an_iteration(self, access: Access) -> bool:
        """Whether the variable is one of each iteration of all loops around the access."""
        scope = len(self.scop.array(access.array).scope_iterators)
        return scope == access.relation.dim(isl.dim_type.in_)

    # ---- reductions --------------------------------------------------------------------------------

    def _check_reductions(self, placements: Seq[Placement]) -> None:
        """Each update is done before a merge node of its kernel, or of a later one, that hands on its result."""
        by_name: dict[str, list[Placement]] = {}
        for placement in placements:
            by_name.setdefault(placement.statement, []).append(placement)
        for reduction in self.scop.reductions:
            merges = by_name.get(reduction.merge, [])
            for name in reduction.updates if merges else ():
                for update in by_name.get(name, ()):
                    self._check_merged(reduction, update, merges)

    def _check_merged(self, reduction: Reduction, update: Placement, merges: Seq[Placement]) -> None:
        pairs = [
            m for m in islx.maps_of(reduction.r2m)
            if islx.in_name(m) == update.statement and islx.out_name(m) == reduction.merge
        ]  # fmt: skip
        own = [merge for merge in merges if merge.kernel is update.kernel] or list(merges)
        for pair in pairs:
            pair = pair.intersect_domain(self.domains[update.statement]).intersect_params(self.scop.context)
            left = pair
            for merge in own:
                left = left.subtract(in_order(update.steps, merge.steps, pair))
            if not left.is_empty():
                raise CompilerBug(
                    f"{update.statement} in {update.kernel.name} is not done before {reduction.merge} ends "
                    f"`{reduction.name}`: {left}"
                )


class _Cells:
    """Which uses of one variable may be at one place: those of elements whose constant subscripts differ never are."""

    def __init__(self, uses: Seq[PlacedAccess]) -> None:
        self.cells = [_cell(use) for use in uses]
        self.numbers: dict[islx.Subscripted | None, list[int]] = {}
        for number, cell in enumerate(self.cells):
            self.numbers.setdefault(cell, []).append(number)
        self.open = [cell for cell in self.numbers if cell is not None and None in cell[1]]
        self.known: dict[islx.Subscripted, list[int]] = {}

    def near(self, number: int) -> Seq[int]:
        """The uses that use `number` may meet, in order."""
        cell = self.cells[number]
        if cell is None:
            return range(len(self.cells))
        if cell not in self.known:
            others = self.open if None not in cell[1] else [c for c in self.numbers if c is not None]
            meeting = {cell, None, *(other for other in others if islx.may_meet(other, cell))}
            self.known[cell] = sorted(n for other in meeting for n in self.numbers.get(other, ()))
        return self.known[cell]


def _cell(use: PlacedAccess) -> islx.Subscripted | None:
    """The element of memory that a use is of, as far as constants tell it; None where it is at other places too."""
    if len(use.places) != 1 or not use.places[0].is_memory or use.places[0].element is None:
        return None
    return use.places[0].name, islx.fixed_values(use.places[0].element)


# ---- small questions -----------------------------------------------------------------------------------


def _new_groups(program: MappedProgram, unfused: tuple[type, ...]) -> set[int] | None:
    """The items of the outermost level that hold kernels of the types `unfused`; None for all."""
    if not unfused:
        return None
    return {number for number, item in enumerate(program.items) if _holds(item, unfused)}


def _holds(item: object, kinds: tuple[type, ...]) -> bool:
    inner: Iterable[object] = getattr(item, "items", ())
    return isinstance(item, kinds) or any(_holds(each, kinds) for each in inner)


def _unit(function: isl.PwAff | None, depth: int) -> _Unit | None:
    """Which of the first `depth` iterators a function is up to a sign and a constant, and these two; else None."""
    row = islx.unit_row(function) if function is not None else None
    if row is None:
        return None
    position = next(k for k, factor in enumerate(row) if factor)
    return (position, row[position], row[-1]) if position < depth else None


def _common(paths: Seq[Seq[Step]]) -> list[Step]:
    """The steps at which some paths are in the same place: at one position, in one loop, or in one launch."""
    found: list[Step] = []
    for steps in zip(*paths, strict=False):
        first = steps[0]
        is_alike = all(type(step) is type(first) for step in steps)
        if not is_alike or (isinstance(first, At | Unit) and any(step != first for step in steps)):
            break
        found.append(first)
    return found


def _of_row(placement: Placement) -> tuple[isl.PwAff | None, ...]:
    """The points of a placement without those of an element."""
    count = len(placement.kernel.reduced) if placement.part == "body" else 0
    return placement.points[: len(placement.points) - count]


def _of_block(placement: Placement) -> tuple[isl.PwAff | None, ...]:
    """The points of a placement in a composed kernel that tell its block: the rows of all stages."""
    assert placement.fused is not None
    kernel = placement.fused.kernel
    return placement.points[: len(kernel.host) + len(kernel.kept)]


def _home(storage: Storage, placement: Placement) -> str:
    """The part of the kernel that the register belongs to."""
    homes = (home.part for home in storage.homes if home.kernel == placement.kernel.name)
    return next(homes, placement.part)


def _promotion_of(placement: Placement, access: Access, array: Array) -> RegisterPromotion | None:
    """What serves the access in the registers of a stitched kernel."""
    for promotion in placement.promotions():
        if promotion.symbol != array.symbol.name or promotion.computed:
            continue
        if promotion.stored >= 0 or promotion.loaded < 0:
            return promotion
        for statement, occurrence in promotion.accesses:
            if statement == placement.statement and occurrence.span == access.span:
                return promotion
    return None


def _meet_on_chip(before: PlacedAccess, after: PlacedAccess) -> bool:
    """Whether both belong to one launch, in which they meet in registers or shared memory."""
    names = [{p.name for p in use.places if not p.is_memory} for use in (before, after)]
    return bool(names[0] & names[1])


def _in_memory(relation: isl.Map, array: Array, expanded: Expansion) -> isl.Map:
    """{ S[i] -> [a] } without the scope iterators that are loops on the host, which use the same memory again."""
    kept = {dimension.iterator for dimension in expanded}
    for position in range(len(array.scope_iterators) - 1, -1, -1):
        if array.scope_iterators[position] not in kept:
            relation = relation.project_out(isl.dim_type.out, position, 1)
    return relation.reset_tuple_id(isl.dim_type.out)


def _own_dimensions(relation: isl.Map, array: Array) -> isl.Map:
    return relation.project_out(isl.dim_type.out, 0, len(array.scope_iterators)).reset_tuple_id(isl.dim_type.out)


def _without_fixed(relation: isl.Map, array: Array, shared: InBlock) -> isl.Map:
    """{ S[i] -> [a] } for what a block has of a row: the row determines the leading subscripts."""
    depth = len(array.scope_iterators)
    relation = relation.project_out(isl.dim_type.out, depth, shared.fixed)
    return _in_memory(relation, array, shared.expanded)


def _equal(pairs: isl.Map, first: Seq[isl.PwAff | None], second: Seq[isl.PwAff | None]) -> isl.Map:
    """The pairs whose points are the same, as far as both have them."""
    for one, other in zip_longest(first, second):
        if one is not None and other is not None:
            pairs = pairs.intersect(one.eq_map(other))
    return pairs
