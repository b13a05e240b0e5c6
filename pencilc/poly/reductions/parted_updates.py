"""Updates that several initialisations reach, each for a part of the instances, become a statement for each of them.

    for (k…) init(&c[k]);                  I[k], J[k]
    for (k…) if (k % 2) init(&c[k]);
    for (i…) for (j…) update(&c[j]);       U[i, j]  ->  U[i, j] : j even, after I;  V[i, j] : j odd, after J

Each update belongs to one reduction then, whose results the kept points of a kernel own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import islpy as isl

from pencilc import islx
from pencilc.ir.scop import Scop, Statement
from pencilc.poly.dependences.inits import restricted


def part_updates(scop: Scop, reached: Mapping[str, Sequence[isl.UnionSet]]) -> Scop:
    """`scop` with a statement for each of the disjoint parts `reached`, { U[i] }, of an update U.

    What is in none of the parts stays with the first one.
    """
    count = 1 + max(int(s.name[1:]) for s in scop.statements)
    statements: list[Statement] = []
    names: dict[str, list[str]] = {}
    for statement in scop.statements:
        made = [statement]
        for part in reached.get(statement.name, ())[1:]:
            rest = statement.domain.to_union_set().subtract(part)
            made.append(_renamed(restricted(statement, rest), f"S{count}"))
            made[0] = restricted(made[0], part)
            count += 1
        statements += made
        names[statement.name] = [s.name for s in made]
    schedule = scop.schedule.pullback_union_pw_multi_aff(_origins(scop, names))
    return replace(scop, schedule=schedule).with_statements(statements)


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
