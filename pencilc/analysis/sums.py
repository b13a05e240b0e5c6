"""Which reductions one thread begins and ends."""

from __future__ import annotations

from functools import lru_cache

from pencilc.ir.schedule import Band, Leaf, Sequence, Tree, statements_of
from pencilc.ir.scop import Reduction


def within_one_thread(body: Tree, reduction: Reduction) -> bool:
    """Whether `body` holds all of the reduction, and one variable after the other: { ...updates...; merge }.

    The merge node then stands behind the updates in one sequence, and no two variables are open at once.
    """
    return _beside(body).get(reduction.merge, frozenset()) >= {*reduction.updates}


# Hundreds of reductions are looked for in one body; trees are told apart by their identity.
@lru_cache(maxsize=64)
def _beside(body: Tree) -> dict[str, frozenset[str]]:
    """The statements of the sequence that each statement stands in."""
    match body:
        case Band():
            return _beside(body.child)
        case Sequence():
            found = {name: names for child in body.children for name, names in _beside(child).items()}
            every = frozenset(statements_of(body))
            return found | {child.statement: every for child in body.children if isinstance(child, Leaf)}
    return {}
