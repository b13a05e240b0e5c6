"""Which reductions one thread begins and ends."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import islpy as isl

from pencilc import islx
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree, statements_of
from pencilc.ir.scop import Reduction


def within_one_thread(body: Tree, reduction: Reduction) -> bool:
    """Whether `body` holds all of the reduction, and one variable after the other: { ...updates...; merge }.

    The merge node then stands behind the updates in one sequence, in the same iteration of the loops around it, and no
    two variables are open at once.
    """
    beside, rows = _beside(body).get(reduction.merge, (frozenset(), ()))
    return beside >= {*reduction.updates} and are_at_one_place(rows, reduction)


def are_at_one_place(rows: Iterable[Row], reduction: Reduction) -> bool:
    """Whether the updates of a variable and its merge node have the same values of these rows."""
    return all(_is_at_one_place(row, reduction) for row in rows)


def _is_at_one_place(row: Row, reduction: Reduction) -> bool:
    functions = islx.pw_affs_of(row.function)
    if not {reduction.merge, *reduction.updates} <= functions.keys():
        return True
    at = isl.UnionMap.from_union_pw_aff(row.function)
    return bool(reduction.r2m.is_subset(at.apply_range(at.reverse())))


# Hundreds of reductions are looked for in one body; trees are told apart by their identity.
@lru_cache(maxsize=64)
def _beside(body: Tree) -> dict[str, tuple[frozenset[str], tuple[Row, ...]]]:
    """The statements of the sequence that each statement stands in, and the rows around that."""
    match body:
        case Band():
            return {name: (beside, (*body.rows, *rows)) for name, (beside, rows) in _beside(body.child).items()}
        case Sequence():
            found = {name: each for child in body.children for name, each in _beside(child).items()}
            every = frozenset(statements_of(body))
            return found | {child.statement: (every, ()) for child in body.children if isinstance(child, Leaf)}
    return {}
