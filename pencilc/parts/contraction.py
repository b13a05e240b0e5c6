"""Arrays that shrink to one register: written and read again at one and the same point of one kernel.

    t[i] = a[i] * b[i];  s += t[i];        // t is local

Every access to `t` has the same relation { [point] -> t[i] } and the first one is a certain write, so the value
never needs memory.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq

import islpy as isl

from pencilc.analysis.box import Domains, at_rows
from pencilc.ir.schedule import Row, Tree, statements_of
from pencilc.ir.scop import Access, AccessKind, Array, Scop, Statement
from pencilc.ir.source import Assign


def is_contracted(scop: Scop, arrays: Seq[Array], rows: Seq[Row], body: Tree | None, domains: Domains) -> bool:
    """Whether the local `arrays` of one symbol, touched by `body` below all of the `rows` alone, need one register."""
    names = {a.name for a in arrays}
    if body is None or len(names) != 1 or not arrays[0].extents:
        return False
    whole: isl.Map | None = None
    for name in statements_of(body):
        record = scop.statement(name)
        accesses = [a for a in record.accesses if a.array in names and a.kind is not AccessKind.KILL]
        for access in sorted(accesses, key=lambda a: a.kind.writes):
            relation = _at_point(rows, record, access, domains)
            if not access.exact or access.kind is AccessKind.UPDATE or not relation.is_single_valued():
                return False
            if whole is None:
                is_set = record.certainly_writes(access) and isinstance(record.body, Assign)
                if not is_set or not relation.is_injective():
                    return False
                whole = relation
            elif not relation.is_subset(whole):
                return False
    return whole is not None


def _at_point(rows: Seq[Row], record: Statement, access: Access, domains: Domains) -> isl.Map:
    """{ [point] -> A[a] }."""
    domain = domains[record.name]
    return access.relation.intersect_domain(domain).apply_domain(at_rows(domain, rows, record.name))
