"""Which reductions one thread begins and ends."""

from __future__ import annotations

from pencilc.ir.schedule import Band, Leaf, Sequence, Tree, statements_of
from pencilc.ir.scop import Reduction


def within_one_thread(body: Tree, reduction: Reduction) -> bool:
    """Whether `body` holds all of the reduction, and one variable after the other: { ...updates...; merge }.

    The merge node then stands behind the updates in one sequence, and no two variables are open at once.
    """
    match body:
        case Band():
            return within_one_thread(body.child, reduction)
        case Sequence():
            if any(isinstance(child, Leaf) and child.statement == reduction.merge for child in body.children):
                return set(reduction.updates) <= set(statements_of(body))
            return any(within_one_thread(child, reduction) for child in body.children)
    return False
