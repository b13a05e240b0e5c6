"""Rows of one value: they order nothing and are left out of the schedule.

    for (c = 0; c < 1; c++) for (x = 1; x < w; x++) S;        [c P]{ [x s]{S} }  ->  [x s]{S}

A loop of one value is parallel, and nothing is gained by dealing it out; what lies below it is then seen as what it
is.  The value may depend on parameters (`if (i == n - 1)`).
"""

from __future__ import annotations

import islpy as isl

from pencilc import islx
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree, statements_of
from pencilc.ir.scop import Scop, StatementKind
from pencilc.schedule.problem import Functions


def without_single_values(scop: Scop, tree: Tree) -> Tree:
    """`tree` without the rows that have the same value { [f] } on all instances below them."""
    match tree:
        case Leaf():
            return tree
        case Sequence():
            return Sequence(tuple(without_single_values(scop, child) for child in tree.children))
        case Band():
            child = without_single_values(scop, tree.child)
            names = statements_of(child)
            rows = tuple(row for row in tree.rows if not _is_single(scop, row, names))
            return Band(rows, child) if rows else child


def _is_single(scop: Scop, row: Row, names: tuple[str, ...]) -> bool:
    """Whether a row has one value; not that of a loop that may be left, which the host does."""
    if any(scop.statement(name).kind is StatementKind.LEAVE for name in names):
        return False
    functions = islx.pw_affs_of(row.function)
    return has_one_value(scop, {name: functions[name] for name in names})


def has_one_value(scop: Scop, functions: Functions) -> bool:
    """Whether { S[i] -> [f(i)] } of all statements take one value at most, for each choice of the parameters."""
    values: isl.Set | None = None
    for name, function in functions.items():
        if scop.statement(name).is_ragged:
            return False
        domain = scop.statement(name).domain.intersect_params(scop.context)
        own = isl.Map.from_pw_aff(function).intersect_domain(domain).range()
        values = own if values is None else values.union(own)
        if not values.is_singleton():
            return False
    return True
