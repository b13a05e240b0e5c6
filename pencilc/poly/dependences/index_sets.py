"""Index set splitting: a statement becomes several, each for a part of its instances.

    for (k…) for (i…) for (j…) d[i][j] = min(d[i][j], d[i][k] + d[k][j]);

For one k all iterations wait for those with i = k or j = k, which are few, and the others for nothing: nine statements,
before, at and behind row and column k, are each parallel in i and j (Griebl, Feautrier and Lengauer, IJPP 2000).

    for (i…) { u[0][i] = 0; u[n - 1][i] = 1; u[i][0] = 0; u[i][n - 1] = 0; }

Statements of one loop that wait for each other, but for corners alone, are split where these are: all of them at i = 0,
and then what is left of the loop, which is parallel.

A reduction's updates are split where several initialisations reach them (poly/reductions/by_flow.py):

    for (k…) init(&c[k]);                  I[k], J[k]
    for (k…) if (k % 2) init(&c[k]);
    for (i…) for (j…) update(&c[j]);       U[i, j]  ->  U[i, j] : j even, after I;  V[i, j] : j odd, after J
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product

import islpy as isl

from pencilc import islx, quotas
from pencilc.ir.scop import Dependences, Scop, Statement, StatementKind
from pencilc.poly.dependences.inits import restricted
from pencilc.records import dataclass

PLANES = 2  # by which a statement is split at most: nine parts
_QUOTA = quotas.QUOTA // 10
_STATEMENTS = 16  # of one loop, at most


@dataclass(frozen=True, slots=True, eq=False)
class InParts:
    """A region with statements for parts of statements, and `origins`: { new[i] -> old[i] }."""

    scop: Scop
    origins: isl.UnionPwMultiAff


def split_statements(scop: Scop, parts: Mapping[str, Sequence[isl.UnionSet]]) -> InParts:
    """`scop` with a statement for each of the disjoint `parts`, { S[i] }, of a statement S.

    What is in none of the parts stays with the first one.
    """
    count = 1 + max(int(s.name[1:]) for s in scop.statements)
    statements: list[Statement] = []
    names: dict[str, list[str]] = {}
    for statement in scop.statements:
        made = [statement]
        for part in parts.get(statement.name, ())[1:]:
            rest = statement.domain.to_union_set().subtract(part)
            made.append(_renamed(restricted(statement, rest), f"S{count}"))
            made[0] = restricted(made[0], part)
            count += 1
        statements += made
        names[statement.name] = [s.name for s in made]
    origins = _origins(scop, names)
    schedule = scop.schedule.pullback_union_pw_multi_aff(origins)
    return InParts(replace(scop, schedule=schedule).with_statements(statements), origins)


def _renamed(statement: Statement, name: str) -> Statement:
    domain = statement.domain.set_tuple_name(name)
    accesses = tuple(replace(a, relation=a.relation.set_tuple_name(isl.dim_type.in_, name)) for a in statement.accesses)
    return replace(statement, name=name, domain=domain, accesses=accesses)


def _origins(scop: Scop, names: Mapping[str, Sequence[str]]) -> isl.UnionPwMultiAff:
    """{ new[i] -> old[i] }"""
    pairs: list[isl.Map] = []
    for statement in scop.statements:
        same = isl.Map.identity(statement.domain.get_space().map_from_set())
        pairs += (same.set_tuple_name(isl.dim_type.in_, name) for name in names[statement.name])
    return isl.UnionPwMultiAff.from_union_map(islx.union_map(pairs))


# ---- where a row cuts a statement apart ----------------------------------------------------------------


def split_within_quota(scop: Scop, dependences: Dependences) -> InParts | None:
    """`without_pinned_dependences`, or None where isl takes long to tell."""
    if dependences.unknown or not scop.is_plain:
        return None
    try:
        with quotas.operation_quota(_QUOTA):
            return without_pinned_dependences(scop, dependences)
    except quotas.OperationQuotaExceeded:
        return None


def without_pinned_dependences(scop: Scop, dependences: Dependences) -> InParts | None:
    """`scop` with each statement split whose instances, in one iteration of its outer loops, wait for those of a few
    hyperplanes alone; None if there is none.
    """
    validity = {islx.in_name(m): m for m in islx.maps_of(dependences.validity) if islx.in_name(m) == islx.out_name(m)}
    parts: dict[str, list[isl.UnionSet]] = {}
    for name, pairs in validity.items():
        statement = scop.statement(name)
        if statement.kind is not StatementKind.ORDINARY or statement.is_ragged or statement.rounds:
            continue
        planes = _planes(statement, pairs)
        if planes:
            parts[name] = _parts(statement.domain.intersect_params(scop.context), planes)
    if not parts:
        parts = _parts_of_loops(scop, dependences)
    return split_statements(scop, parts) if parts else None


# ---- statements of one loop ------------------------------------------------------------------------


def _parts_of_loops(scop: Scop, dependences: Dependences) -> dict[str, list[isl.UnionSet]]:
    """The parts of statements in one innermost loop that wait for each other in turns, in a few of its iterations."""
    loops: dict[int, list[Statement]] = {}
    for statement in scop.statements:
        if statement.loops:
            loops.setdefault(statement.loops[-1].index, []).append(statement)
    parts: dict[str, list[isl.UnionSet]] = {}
    for statements in loops.values():
        is_plain = all(s.kind is StatementKind.ORDINARY and not s.is_ragged and not s.rounds for s in statements)
        if not is_plain or not 1 < len(statements) <= _STATEMENTS:
            continue
        depth = len(statements[0].loops) - 1
        pairs = _pairs_inside(dependences, {s.name for s in statements}, depth)
        for names in _in_turns(pairs):
            own = [each for each in pairs if {islx.in_name(each), islx.out_name(each)} <= names]
            planes = _corners(statements, own, depth)
            for name in names if planes else ():
                domain = scop.statement(name).domain.intersect_params(scop.context)
                parts[name] = _parts(domain, planes, depth)
    return parts


def _pairs_inside(dependences: Dependences, names: set[str], depth: int) -> list[isl.Map]:
    """{ S[i] -> T[j] }: the pairs of some statements in one iteration of the `depth` loops around theirs."""
    found: list[isl.Map] = []
    for pairs in islx.maps_of(dependences.validity):
        if {islx.in_name(pairs), islx.out_name(pairs)} <= names:
            for position in range(depth):
                pairs = pairs.equate(isl.dim_type.in_, position, isl.dim_type.out, position)
            if not pairs.is_empty():
                found.append(pairs)
    return found


def _in_turns(pairs: Sequence[isl.Map]) -> list[set[str]]:
    """The statements that wait for each other, together: one loop for each of them would not do."""
    following: dict[str, set[str]] = {}
    for each in pairs:
        following.setdefault(islx.in_name(each), set()).add(islx.out_name(each))
    reached = {name: _reached(following, name) for name in following}
    found: list[set[str]] = []
    for name, behind in reached.items():
        together = {other for other in behind if name in reached.get(other, ())}
        if len(together) > 1 and together not in found:
            found.append(together)
    return found


def _reached(following: Mapping[str, set[str]], name: str) -> set[str]:
    """The statements that wait for this one, for those, and so on."""
    found: set[str] = set()
    pending = [name]
    while pending:
        for other in following.get(pending.pop(), set()) - found:
            found.add(other)
            pending.append(other)
    return found


def _corners(statements: Sequence[Statement], pairs: Sequence[isl.Map], depth: int) -> tuple[isl.Aff, ...]:
    """{ [i] -> [f(i)] }: a few iterations f = 0 of the loop at `depth` on one end of all pairs that are not in one of
    its iterations; () if there are none.
    """
    carried = [
        each.subtract(each.equate(isl.dim_type.in_, depth, isl.dim_type.out, depth)).coalesce() for each in pairs
    ]  # fmt: skip
    carried = [each for each in carried if not each.is_empty()]
    ends = [end for each in carried for piece in each.get_basic_maps() for end in (piece.domain(), piece.range())]
    known: list[isl.Aff] = []
    for plane in (*(plane for end in ends for plane in _iteration_of(end, depth)), *_first_and_last(statements, depth)):
        where = _where(plane, 0)
        if not any(where.is_equal(_where(other, 0)) for other in known):
            known.append(plane)
    for size in range(1, PLANES + 1) if carried else ():
        for chosen in combinations(known, size):
            if all(_without(each, chosen, depth).is_empty() for each in carried):
                return chosen
    return ()


def _iteration_of(end: isl.BasicSet, depth: int) -> list[isl.Aff]:
    """{ [i] -> [f(i)] }: the only iteration f = 0 of the loop at `depth` that { S[i] } has, if it has one."""
    one = end.project_out(isl.dim_type.set, depth + 1, end.dim(isl.dim_type.set) - depth - 1)
    one = one.project_out(isl.dim_type.set, 0, depth)
    found = [
        each.get_aff() for each in one.affine_hull().get_constraints()
        if each.is_equality() and each.involves_dims(isl.dim_type.set, 0, 1)
    ]  # fmt: skip
    return [plane for plane in found if not plane.dim(isl.dim_type.div)]


def _first_and_last(statements: Sequence[Statement], depth: int) -> list[isl.Aff]:
    """{ [i] -> [f(i)] }: the first and the last iteration of the loop at `depth`, where they are one expression."""
    found: list[isl.Aff] = []
    domain = statements[0].domain.project_out(isl.dim_type.set, 0, depth).reset_tuple_id()
    for end in (islx.lowest(domain, 0), islx.highest(domain, 0)):
        pieces = [] if end is None else islx.pieces(end)
        if len(pieces) == 1 and not pieces[0][1].dim(isl.dim_type.div):
            value = isl.PwAff.from_aff(pieces[0][1]).insert_domain(domain.get_space())
            found += [plane for _, plane in islx.pieces(islx.variable(domain, 0).sub(value))]
    return found


def _without(pairs: isl.Map, planes: Sequence[isl.Aff], depth: int) -> isl.Map:
    """{ S[i] -> T[j] }: the pairs without those of which an end is on a plane."""
    for plane in planes:
        sources, sinks = (
            _lifted(_where(plane, 0), depth, name) for name in (islx.in_name(pairs), islx.out_name(pairs))
        )
        pairs = pairs.subtract(pairs.intersect_domain(sources))
        pairs = pairs.subtract(pairs.intersect_range(sinks))
    return pairs


def _lifted(iterations: isl.Set, depth: int, name: str) -> isl.Set:
    """{ S[o, i] }: the instances in some iterations { [i] } of the loop at `depth`, which is the innermost."""
    return iterations.insert_dims(isl.dim_type.set, 0, depth).set_tuple_name(name)


# ---- instances of one statement --------------------------------------------------------------------


def _planes(statement: Statement, pairs: isl.Map) -> tuple[isl.Aff, ...]:
    """{ S[i] -> [f(i)] } of the hyperplanes f = 0 on one end of all `pairs` inside of some outer loops; () if none.

    A loop that is parallel, such as one over a batch, does not count where as many as three others are not.
    """
    count = len(statement.loops)
    parallel = [position for position in range(count) if _is_parallel(pairs, position)]
    apart = parallel if len(parallel) == 1 and count >= 4 else []
    for depth in range(count):
        inside = (position for position in range(depth, count) if position not in apart)
        if pairs.is_empty() or any(_is_parallel(pairs, position) for position in inside):
            return ()
        ends = [_ends(statement, piece, depth) for piece in pairs.get_basic_maps()]
        found = _covering(ends) if all(ends) else ()
        if found:
            return found
        pairs = pairs.equate(isl.dim_type.in_, depth, isl.dim_type.out, depth).coalesce()
    return ()


def _is_parallel(pairs: isl.Map, position: int) -> bool:
    """Whether all pairs are in one iteration of the loop at `position`."""
    return bool(pairs.is_subset(pairs.equate(isl.dim_type.in_, position, isl.dim_type.out, position)))


def _ends(statement: Statement, pairs: isl.BasicMap, depth: int) -> list[isl.Aff]:
    """The hyperplanes across loops inside of `depth` that hold all sources of `pairs`, or all of its sinks."""
    found: list[isl.Aff] = []
    for end in (pairs.domain(), pairs.range()):
        for constraint in end.affine_hull().get_constraints():
            inner = constraint.involves_dims(isl.dim_type.set, depth, len(statement.loops) - depth)
            if not (constraint.is_equality() and inner):
                continue
            plane = constraint.get_aff()
            if not plane.dim(isl.dim_type.div) and not statement.domain.is_subset(_where(plane, 0)):
                found.append(plane)
    return found


def _covering(ends: Sequence[Sequence[isl.Aff]]) -> tuple[isl.Aff, ...]:
    """As few hyperplanes as hold an end of each: of every list, one is taken."""
    known: list[isl.Aff] = []
    held: list[set[int]] = []  # the numbers of the lists that each is in
    for number, planes in enumerate(ends):
        for plane in planes:
            where = _where(plane, 0)
            position = next((k for k, other in enumerate(known) if where.is_equal(_where(other, 0))), len(known))
            if position == len(known):
                known.append(plane)
                held.append(set())
            held[position].add(number)
    for size in range(1, PLANES + 1):
        for chosen in combinations(range(len(known)), size):
            if len(set().union(*(held[k] for k in chosen))) == len(ends):
                return tuple(known[k] for k in chosen)
    return ()


def _parts(domain: isl.Set, planes: Sequence[isl.Aff], depth: int | None = None) -> list[isl.UnionSet]:
    """The parts of { S[i] } before, on and behind each hyperplane that have instances.

    `depth`: of the innermost loop, of whose iterations { [i] } the planes are; None: they are of { S[i] }.
    """
    found: list[isl.UnionSet] = []
    for sides in product((-1, 0, 1), repeat=len(planes)):
        part = domain
        for plane, side in zip(planes, sides, strict=True):
            where = _where(plane, side)
            part = part.intersect(where if depth is None else _lifted(where, depth, islx.set_name(domain)))
        if not part.is_empty():
            found.append(part.to_union_set())
    return found


def _where(plane: isl.Aff, side: int) -> isl.Set:
    """{ S[i] } where the function is below, at or above zero."""
    function = isl.PwAff.from_aff(plane)
    if side == 0:
        return function.zero_set()
    return function.pos_set() if side > 0 else function.neg().pos_set()
