"""What the scheduler works on: statements, and relations kept apart for each pair of statements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

import islpy as isl

from pencilc import islx
from pencilc.analysis.vectors import Vector, independent, unit
from pencilc.ir.schedule import Row
from pencilc.ir.scop import ArrayKind, Dependences, Scop, Statement, StatementKind
from pencilc.records import dataclass
from pencilc.schedule.locality import Locality

Pair = tuple[str, str]
Relations = Mapping[Pair, isl.Map]
Functions = Mapping[str, isl.PwAff]  # one row: { S[i] -> [f(i)] } by statement name
Together = tuple[int, frozenset[str]]  # how many loops statements have to share, and which ones


@dataclass(frozen=True, slots=True, eq=False)
class SchedulingProblem:
    """A scheduling problem, the whole region or what is left of it below some rows.

    `fixed` holds, for each statement, the coefficients of the rows already found.  `order` is the
    textual order, merge nodes right behind their last update.  `together` holds sets of statements that
    must share the rows of their first so many loops: those that touch one local array of a loop body,
    and the updates and merge node of a reduction, whose accumulators would need storage of their own
    for each iteration otherwise.  `scalars` are those of them that share a single value, which may get such storage;
    `limited` are those that get it only where it is no larger than what the caller has.
    `given` are the elements of the caller's arrays, { A[a] }.
    `around` are the rows found already, outermost first; `locality` counts lines of memory where several rows will do.
    """

    statements: Mapping[str, Statement]
    order: Mapping[str, tuple[int, int]]
    validity: Relations
    relaxed: Relations
    proximity: Relations
    fixed: Mapping[str, tuple[Vector, ...]]
    together: tuple[Together, ...]
    context: isl.Set
    sizes: tuple[tuple[str, int], ...] = ()
    fuses: bool = True  # whether groups share rows that no dependence makes them share
    scalars: frozenset[Together] = frozenset()
    limited: frozenset[Together] = frozenset()
    given: tuple[isl.Set, ...] = ()
    around: tuple[Row, ...] = ()
    locality: Locality | None = None

    @property
    def is_in_thread(self) -> bool:
        """Whether a thread does all of it: a row around is dealt out."""
        return any(row.flag != "s" for row in self.around)

    @property
    def names(self) -> tuple[str, ...]:
        """The statements, in textual order."""
        return tuple(sorted(self.statements, key=lambda n: self.order[n]))

    def free_depths(self, name: str, rows: Sequence[Functions] = ()) -> tuple[int, ...]:
        """The loops of a statement whose iterators the rows found so far, and these, do not determine."""
        count, fixed = len(self.statements[name].loops), self._fixed_by(name, rows)
        return tuple(d for d in range(count) if independent(unit(d, count), fixed))

    def _fixed_by(self, name: str, rows: Sequence[Functions]) -> tuple[Vector, ...]:
        """What is known of the loops of a statement below `rows` too."""
        domain = self.statements[name].domain
        return (*self.fixed[name], *(_determined(row[name], domain) for row in rows))

    def together_now(self) -> list[tuple[int, tuple[str, ...]]]:
        """The sets of `together` that have loops left to share: how many they share, and the statements in order."""
        found: list[tuple[int, tuple[str, ...]]] = []
        for depth, names in self.together:
            inside = tuple(name for name in self.names if name in names)
            if any(d < depth for name in inside for d in self.free_depths(name)):
                found.append((depth, inside))
        return found

    def single_values(self) -> frozenset[Together]:
        """The sets of `together` that are `scalars`."""
        return self.scalars.intersection(self.together)

    def loosened(self, values: AbstractSet[Together]) -> SchedulingProblem:
        """The problem in which statements that share a single value of an iteration need not share its loops."""
        return replace(self, together=tuple(each for each in self.together if each not in values))

    def divided(self, parts: Sequence[Sequence[str]]) -> list[SchedulingProblem]:
        """The problem inside each of `parts`, which have no statement in common; one look at each relation."""
        owner = {name: number for number, names in enumerate(parts) for name in names}
        statements: list[dict[str, Statement]] = [{} for _ in parts]
        for name, statement in self.statements.items():
            if name in owner:
                statements[owner[name]][name] = statement
        together: list[list[tuple[int, frozenset[str]]]] = [[] for _ in parts]
        for depth, names in self.together:
            for number, count in Counter(owner[name] for name in names if name in owner).items():
                if count > 1:
                    together[number].append((depth, names))
        kinds = [_inside(relations, owner, len(parts)) for relations in (self.validity, self.relaxed, self.proximity)]
        return [
            replace(self, statements=own, together=tuple(sets), validity=valid, relaxed=relaxed, proximity=near)
            for own, sets, valid, relaxed, near in zip(statements, together, *kinds, strict=True)
        ]

    def below(self, rows: Sequence[Functions]) -> SchedulingProblem:
        """What is left inside rows `rows`: relations between instances that are equal on them."""
        result = self
        for row in rows:
            result = replace(
                result,
                validity=_equal_on(result.validity, row),
                relaxed=_equal_on(result.relaxed, row),
                proximity=_equal_on(result.proximity, row),
            )
        return replace(result, fixed={name: self._fixed_by(name, rows) for name in self.statements})


class NoSchedule(Exception):
    """The strategy found no rows; the source order remains."""


def problem_of(scop: Scop, dependences: Dependences, fuses: bool = True) -> SchedulingProblem:
    """The scheduling problem of a whole region; `fuses`: whether loops are fused."""
    statements = {s.name: s for s in scheduled_statements(scop, dependences)}
    locals_, accumulators = _locals(scop, statements), _accumulators(scop)
    arrays = {names for name, (_, names) in locals_.items() if scop.array(name).extents}
    arrays |= {names for _, names in accumulators}
    limited = (each for name, each in locals_.items() if scop.array(name).symbol.name in scop.region.limited)
    return SchedulingProblem(
        statements=statements,
        order=textual_order(scop),
        validity=by_pair(dependences.validity),
        relaxed=by_pair(dependences.relaxed),
        proximity=by_pair(dependences.proximity),
        fixed=dict.fromkeys(statements, ()),
        together=(*locals_.values(), *accumulators),
        scalars=frozenset(each for each in locals_.values() if each[1] not in arrays),
        limited=frozenset(limited),
        context=scop.context,
        sizes=scop.sizes,
        fuses=fuses,
        given=tuple(array.extent for array in scop.arrays if array.kind is ArrayKind.PARAM and array.extents),
        locality=Locality(scop),
    )


def scheduled_statements(scop: Scop, dependences: Dependences) -> list[Statement]:
    """The statements that a schedule orders: inits are absorbed by merge nodes, kills and dead stores not generated."""
    absent = (StatementKind.KILL, StatementKind.INIT)
    return [s for s in scop.statements if s.kind not in absent and s.name not in dependences.dead]


def textual_order(scop: Scop) -> dict[str, tuple[int, int]]:
    """Text position of each statement; a merge node follows the last update of its reduction."""
    order = {s.name: (k, 0) for k, s in enumerate(scop.statements)}
    for number, reduction in enumerate(scop.reductions, start=1):
        last = max(order[name] for name in reduction.updates)
        order[reduction.merge] = (last[0], number)
    return order


def by_pair(relation: isl.UnionMap) -> dict[Pair, isl.Map]:
    """The parts of a relation by (source statement, target statement)."""
    return {(islx.in_name(m), islx.out_name(m)): m for m in islx.maps_of(relation)}


def _locals(scop: Scop, statements: Mapping[str, Statement]) -> dict[str, Together]:
    """Of each local of a loop body: the loops it has a value for, and the statements that touch it."""
    touched: dict[str, set[str]] = {}
    depth = {a.name: len(a.scope_iterators) for a in scop.arrays}
    for statement in statements.values():
        for access in statement.accesses:
            if depth[access.array] > 0:
                touched.setdefault(access.array, set()).add(statement.name)
    return {name: (depth[name], frozenset(names)) for name, names in touched.items()}


def _accumulators(scop: Scop) -> list[tuple[int, frozenset[str]]]:
    result: list[tuple[int, frozenset[str]]] = []
    for reduction in scop.reductions:
        names = frozenset((*reduction.updates, reduction.merge))
        paths = [[loop.index for loop in scop.statement(name).loops] for name in names]
        depth = 0
        while all(len(path) > depth and path[depth] == paths[0][depth] for path in paths):
            depth += 1
        if depth:
            result.append((depth, names))
    return result


def _inside(relations: Relations, owner: Mapping[str, int], count: int) -> list[dict[Pair, isl.Map]]:
    """The relations inside each of `count` parts, `owner` tells which a statement belongs to."""
    found: list[dict[Pair, isl.Map]] = [{} for _ in range(count)]
    for (source, target), relation in relations.items():
        number = owner.get(source)
        if number is not None and number == owner.get(target):
            found[number][source, target] = relation
    return found


def _equal_on(relations: Relations, row: Functions) -> Relations:
    result: dict[Pair, isl.Map] = {}
    for (source, target), relation in relations.items():
        rest = relation.intersect(row[source].eq_map(row[target]))
        if not rest.is_empty():
            result[source, target] = rest
    return result


def vector_of(function: isl.PwAff) -> Vector:
    """The coefficients of a row; raises NoSchedule for a row that is not a single affine function."""
    vector = islx.coefficients(function)
    if vector is None:
        raise NoSchedule("a row is not affine")
    return vector


def _determined(function: isl.PwAff, domain: isl.Set) -> Vector:
    """What a row tells of the loops: of floor(i / 2) nothing that would leave no order of i to be found, unless all i
    are even.
    """
    function = function.gist(domain) if islx.is_quotient(function) else function
    return (0,) * function.dim(isl.dim_type.in_) if islx.is_quotient(function) else vector_of(function)
