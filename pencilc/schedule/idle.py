"""Loops that data end and that leave nothing to many threads: a launch for each round would not be worth it."""

from __future__ import annotations

from pencilc.ir.schedule import Leaf, ScheduledScop, Sequence, Tree, has_parallelism, statements_of
from pencilc.ir.scop import Scop, StatementKind


def has_idle_rounds(scheduled: ScheduledScop) -> bool:
    """Whether a loop that data end has no parallel row inside, or there is no schedule at all."""
    return bool(scheduled.sequential) or _is_idle(scheduled.scop, scheduled.tree)


def _is_idle(scop: Scop, tree: Tree) -> bool:
    match tree:
        case Leaf():
            return False
        case Sequence():
            return any(_is_idle(scop, child) for child in tree.children)
    leaves = any(scop.statement(name).kind is StatementKind.LEAVE for name in statements_of(tree.child))
    return leaves and (not has_parallelism(tree) or _is_idle(scop, tree.child))
