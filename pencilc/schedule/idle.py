"""Loops that data end and that are better left to one thread, or to each thread of a loop around them."""

from __future__ import annotations

from pencilc.ir.schedule import Band, Leaf, ScheduledScop, Sequence, Tree, has_parallelism, statements_of
from pencilc.ir.scop import Scop, StatementKind
from pencilc.ir.source import Jump, While, walk


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


def has_rounds_inside(scop: Scop) -> bool:
    """Whether a loop that data end stands in a loop that counts, which might be parallel."""
    leaves = [s for s in scop.statements if s.kind is StatementKind.LEAVE]
    return any(not loop.left for leave in leaves for loop in leave.loops)


def deals_out_rounds(scheduled: ScheduledScop) -> bool:
    """Whether threads have a loop each that data end: [i P]{S0}, where S0 is a `while`."""
    return not scheduled.sequential and _deals_out(scheduled.scop, scheduled.tree)


def _deals_out(scop: Scop, tree: Tree) -> bool:
    match tree:
        case Leaf():
            return False
        case Sequence():
            return any(_deals_out(scop, child) for child in tree.children)
        case Band() if all(row.flag == "s" for row in tree.rows):
            return _deals_out(scop, tree.child)
    bodies = (scop.statement(name).body for name in statements_of(tree))
    return any(isinstance(node, While | Jump) for body in bodies if body is not None for node in walk(body))
