"""The schedule of a region: components, their rows, fusion, and the same again inside (PACT'16 section 4.4)."""

from __future__ import annotations

from pencilc import islx
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree
from pencilc.schedule.components import components
from pencilc.schedule.flags import flag_of
from pencilc.schedule.fuse import fuse
from pencilc.schedule.problem import SchedulingProblem
from pencilc.schedule.rows import BandGroup, first_rows


def solve(problem: SchedulingProblem) -> Tree:
    """A schedule tree for `problem`; raises NoSchedule.

    Example: row sums give `[i P]{ [j R]{S2}; M0 }`.
    """
    groups = [first_rows(part) for part in problem.divided(components(problem))]
    groups = fuse(problem, groups) if problem.fuses else groups
    parts = problem.divided([group.names for group in groups])
    trees = [_tree(part, group) for part, group in zip(parts, groups, strict=True)]
    return trees[0] if len(trees) == 1 else Sequence(tuple(trees))


def _tree(problem: SchedulingProblem, group: BandGroup) -> Tree:
    if group.flag is None:
        return Leaf(group.names[0])
    rows = tuple(Row(group.flag, islx.union_pw_aff(row.values())) for row in group.rows)
    inner = problem.below(group.rows)
    child = solve(inner)
    if isinstance(child, Band) and group.flag != "s" and all(_keeps_flag(problem, r, group) for r in child.rows):
        return Band((*rows, *child.rows), child.child)
    return Band(rows, child)


def _keeps_flag(problem: SchedulingProblem, row: Row, group: BandGroup) -> bool:
    """Whether an inner row with the group's flag has it outside of the group's rows, too."""
    if row.flag != group.flag:
        return False
    functions = islx.pw_affs_of(row.function)
    return flag_of(problem.validity, problem.relaxed, functions) == row.flag
