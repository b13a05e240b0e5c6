"""`#pragma pencil independent`: no iteration of such a loop needs another one, but through what its clauses list."""

from __future__ import annotations

from collections.abc import Iterable

import islpy as isl

from pencilc import islx
from pencilc.ir.scop import AccessKind, Loop, Scop, Statement
from pencilc.poly.dependences.flow import relation_of


def without_carried(scop: Scop, relation: isl.UnionMap) -> isl.UnionMap:
    """The dependences `{ S[i] -> T[j] }` without those between different iterations of an independent loop."""
    for loop, statements in _independent_loops(scop.statements):
        relation = _without_those_of(relation, loop, statements, _through(scop, loop.reduced))
    return relation


def _independent_loops(statements: Iterable[Statement]) -> list[tuple[Loop, dict[str, int]]]:
    """Each `#pragma pencil independent` loop with the depth of its iterator in the statements below."""
    found: dict[int, tuple[Loop, dict[str, int]]] = {}
    for statement in statements:
        for depth, loop in enumerate(statement.loops):
            if loop.independent:
                found.setdefault(loop.index, (loop, {}))[1][statement.name] = depth
    return list(found.values())


def _through(scop: Scop, symbols: tuple[str, ...]) -> isl.UnionMap:
    """`{ S[i] -> T[j] }`: instances that touch one element of the variables `symbols`."""
    arrays = {a.name for a in scop.arrays if a.symbol.name in symbols}
    touched = relation_of(scop.statements, list(AccessKind), lambda a: a.array in arrays)
    return touched.apply_range(touched.reverse())


def _without_those_of(
    relation: isl.UnionMap, loop: Loop, depths: dict[str, int], kept_pairs: isl.UnionMap
) -> isl.UnionMap:
    """Leave out the pairs with equal outer iterators and different iterators of `loop`.

    Dependences on the variables of a `reduction` clause (`kept_pairs`) are real and stay.
    """
    kept: list[isl.Map] = []
    for part in islx.maps_of(relation):
        source, target = islx.in_name(part), islx.out_name(part)
        if source in depths and target in depths:
            depth = depths[source]
            outer = part
            for k in range(depth):
                outer = outer.equate(isl.dim_type.in_, k, isl.dim_type.out, k)
            carried = outer.subtract(outer.equate(isl.dim_type.in_, depth, isl.dim_type.out, depth))
            real = islx.maps_of(carried.to_union_map().intersect(kept_pairs))
            part = part.subtract(carried).union(real[0]) if real else part.subtract(carried)
        if not part.is_empty():
            kept.append(part)
    return islx.union_map(kept)
