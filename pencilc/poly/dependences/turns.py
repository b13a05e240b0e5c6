"""Planes of an array that take turns, told apart by the iteration that writes them instead of by a remainder.

    for (t…) … u[(t + 1) % 2][i] = f(u[t % 2][i - 1], u[t % 2][i + 1]);

    { S[t, i] -> u[p, i] : p = (t + 1) mod 2 }   ->   { S[t, i] -> u[t + 1, i] }

isl takes long for remainders: with edges that are copied it gave up, and one thread did all of it.  An access names a
**version** of its plane here, the iteration plus a number.  Version v of an element takes the place of version v - P,
of P planes; so a write that comes first stands for the versions v and v + P, and so does a read that a write comes
behind (`with_next`).  The other ones need not be asked for where each iteration does the same: between a write and who
touches version v + 2 P, or later ones, it has been done again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import islpy as isl

from pencilc import islx
from pencilc.ir.scop import Access, AccessKind, Scop, Statement, StatementKind
from pencilc.ir.source import IntLiteral
from pencilc.poly.model.planes import plane_of, without_plane

MOST_PLANES = 4
_KINDS = (AccessKind.READ, AccessKind.MUST_WRITE)


def with_versions(scop: Scop) -> tuple[Scop, dict[str, int]]:
    """`scop` with { S[t, i] -> A[v, a] } for accesses of arrays whose planes take turns, and how many these have."""
    users: dict[str, list[tuple[Statement, Access]]] = {}
    for statement in scop.statements:
        for access in statement.accesses:
            users.setdefault(access.array, []).append((statement, access))
    planes = {name: count for name in users if (count := _planes(scop, name))}
    numbers = {name: found for name in planes if (found := _numbers(scop, users[name], planes[name])) is not None}
    if not numbers:
        return scop, {}
    made: list[Statement] = []
    for statement in scop.statements:
        accesses = tuple(
            _versioned(access, numbers[access.array][access]) if access.array in numbers else access
            for access in statement.accesses
        )
        made.append(replace(statement, accesses=accesses))
    is_plain = all(islx.is_plain((each.domain, *(a.relation for a in each.accesses))) for each in made)
    return replace(scop, statements=tuple(made), is_plain=is_plain), {name: planes[name] for name in numbers}


def by_number(sinks: isl.UnionMap, planes: Mapping[str, int]) -> dict[int, isl.UnionMap]:
    """The accesses { S[t, i] -> A[v, a] } of what comes last, by what they add to the iteration; others have 0."""
    found: dict[int, list[isl.Map]] = {}
    for part in islx.maps_of(sinks):
        if islx.out_name(part) not in planes:
            found.setdefault(0, []).append(part)
            continue
        for piece in part.get_basic_maps():
            found.setdefault(_number(piece), []).append(isl.Map.from_basic_map(piece))
    return {number: islx.union_map(parts) for number, parts in found.items()}


def with_next(accesses: isl.UnionMap, planes: Mapping[str, int], number: int) -> isl.UnionMap:
    """The accesses { S[t, i] -> A[v, a] } of what comes first, with those of the versions { A[v + P, a] }.

    `number`: of who comes last.  Where an access adds more than that, it was done for version v in an earlier iteration
    than who asks, if at all, and before that for none.
    """
    found: list[isl.Map] = []
    for part in islx.maps_of(accesses):
        found.append(part)
        count = planes.get(islx.out_name(part), 0)
        if not count:
            continue
        for piece in part.get_basic_maps():
            if _number(piece) <= number:
                found.append(_next(isl.Map.from_basic_map(piece), count))
    return islx.union_map(found)


def _number(piece: isl.BasicMap) -> int:
    """What { S[t, i] -> A[t + number, a] } adds to the iteration."""
    one = piece.sample()
    version = one.plain_get_val_if_fixed(isl.dim_type.out, 0)
    return int(version.sub(one.plain_get_val_if_fixed(isl.dim_type.in_, 0)).to_python())


def _next(part: isl.Map, planes: int) -> isl.Map:
    array = part.get_tuple_name(isl.dim_type.out)
    later = isl.MultiAff.identity(part.get_space().range().map_from_set())
    later = later.set_aff(0, later.get_aff(0).add_constant_val(isl.Val(planes)))
    return part.apply_range(isl.Map.from_multi_aff(later)).set_tuple_name(isl.dim_type.out, array)


def _planes(scop: Scop, name: str) -> int:
    """How many planes an array of several dimensions has, where they are few and a number; else 0."""
    array = scop.array(name)
    first = array.extents[0] if len(array.extents) > 1 and not array.scope_iterators and not array.member_path else None
    count = first.value if isinstance(first, IntLiteral) else 0
    return count if 1 < count <= MOST_PLANES else 0


def _numbers(scop: Scop, users: Iterable[tuple[Statement, Access]], planes: int) -> dict[Access, int] | None:
    """What is added to the iteration for the version that each access names: at most what the newest write adds, and
    less than `planes` less.  None where iterations differ, or nothing is written.
    """
    found: dict[Access, int] = {}
    iterations: list[isl.Set] = []
    loops: set[int] = set()
    for statement, access in users:
        own = _iterations(scop, statement, access)
        if own is None or not all(_are_alike(own, each) for each in iterations):
            return None
        iterations.append(own)
        loops.add(statement.loops[0].index)
        points = access.relation.reset_tuple_id(isl.dim_type.in_).reset_tuple_id(isl.dim_type.out)
        plane = plane_of(points, planes, in_turns=True)
        if plane is None:
            return None
        found[access] = plane
    written = [plane for access, plane in found.items() if access.kind.writes]
    if not written or len(loops) > 1:
        return None
    return {access: plane if plane <= max(written) else plane - planes for access, plane in found.items()}


def _are_alike(one: isl.Set, other: isl.Set) -> bool:
    """Whether two sets are the same wherever both have something: a statement may have no instances at some sizes."""
    return bool(one.intersect_params(other.params()).is_equal(other.intersect_params(one.params())))


def _iterations(scop: Scop, statement: Statement, access: Access) -> isl.Set | None:
    """{ [t] }: the iterations of the outermost loop around `statement`, one after the other, where all of them do the
    same and access the same elements of their planes.
    """
    if statement.kind is not StatementKind.ORDINARY or statement.guards or statement.is_ragged or not statement.loops:
        return None
    if access.kind not in _KINDS or not access.exact or access.member_path:
        return None
    loop = statement.loops[0]
    if loop.step != 1 or loop.reduced or loop.independent or statement.rounds or statement.factors:
        return None
    domain = statement.domain.intersect_params(scop.context).reset_tuple_id()
    inside = domain.dim(isl.dim_type.set) - 1
    iterations = domain.project_out(isl.dim_type.set, 1, inside).coalesce()
    pieces = iterations.get_basic_sets()
    if len(pieces) != 1 or pieces[0].dim(isl.dim_type.div):
        return None
    if not domain.is_equal(iterations.flat_product(domain.project_out(isl.dim_type.set, 0, 1))):
        return None
    points = without_plane(access.relation.reset_tuple_id(isl.dim_type.in_).reset_tuple_id(isl.dim_type.out))
    points = points.intersect_domain(domain)
    always = points.project_out(isl.dim_type.in_, 0, 1).insert_dims(isl.dim_type.in_, 0, 1).intersect_domain(domain)
    return iterations if points.is_equal(always) else None


def _versioned(access: Access, number: int) -> Access:
    """The access of the version t + `number`, in the place of its plane."""
    relation, array = access.relation, access.relation.get_tuple_name(isl.dim_type.out)
    points = without_plane(relation).insert_dims(isl.dim_type.out, 0, 1).set_tuple_name(isl.dim_type.out, array)
    equal = isl.Constraint.alloc_equality(isl.LocalSpace.from_space(points.get_space()))
    equal = equal.set_coefficient_val(isl.dim_type.out, 0, isl.Val(-1))
    equal = equal.set_coefficient_val(isl.dim_type.in_, 0, isl.Val(1)).set_constant_val(isl.Val(number))
    return replace(access, relation=points.add_constraint(equal))
