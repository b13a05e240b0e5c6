"""The source order as a tree, for when the scheduler gives up: always legal, flags computed on its rows."""

from __future__ import annotations

from collections.abc import Sequence as ListLike

from pencilc import islx
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree
from pencilc.schedule.flags import flag_of
from pencilc.schedule.problem import NoSchedule, SchedulingProblem


def source_tree(problem: SchedulingProblem) -> Tree:
    """The loops as the source has them; a merge node stands behind its last update, in init's loops."""
    return _tree(problem, problem.names, 0)


def _tree(problem: SchedulingProblem, names: ListLike[str], depth: int) -> Tree:
    parts: list[Tree] = []
    groups = _by_loop(problem, names, depth)
    inside = problem.divided([group for _, group in groups])
    for (index, group), inner in zip(groups, inside, strict=True):
        if index is None:
            parts.extend(Leaf(name) for name in group)
        else:
            parts.append(_band(inner, group, depth))
    return parts[0] if len(parts) == 1 else Sequence(tuple(parts))


def _by_loop(problem: SchedulingProblem, names: ListLike[str], depth: int) -> list[tuple[int | None, list[str]]]:
    """The statements in order, those of each loop at `depth` together.

    A merge node without the loop stands behind the last update, which may be amid the loop: it comes behind the loop.
    What it has to come before is in a loop of its own then, as where one update of the source meets the results of two
    initialisations.
    """
    groups: list[tuple[int | None, list[str]]] = []
    position: dict[int, int] = {}
    for name in names:
        index = _loop_at(problem, name, depth)
        if index is None:
            groups.append((None, [name]))
        elif index in position and not _comes_behind(problem, name, groups[position[index] + 1 :]):
            groups[position[index]][1].append(name)
        else:
            position[index] = len(groups)
            groups.append((index, [name]))
    return groups


def _comes_behind(problem: SchedulingProblem, name: str, groups: ListLike[tuple[int | None, list[str]]]) -> bool:
    """Whether a statement of `groups` has to come before `name`."""
    return any((other, name) in problem.validity for _, names in groups for other in names)


def _loop_at(problem: SchedulingProblem, name: str, depth: int) -> int | None:
    loops = problem.statements[name].loops
    return loops[depth].index if depth < len(loops) else None


def _band(problem: SchedulingProblem, names: ListLike[str], depth: int) -> Tree:
    step = problem.statements[names[0]].loops[depth].step
    row = {n: islx.row_function(s.domain, depth, 1) for n, s in problem.statements.items()}
    flag = flag_of(problem.validity, problem.relaxed, row)
    if flag not in ("P", "R") and step < 0:
        row = {n: islx.row_function(s.domain, depth, -1) for n, s in problem.statements.items()}
        flag = flag_of(problem.validity, problem.relaxed, row)
    if flag is None:
        raise NoSchedule("a reduction goes on beyond the iteration that initialises it")
    child = _tree(problem.below([row]), names, depth + 1)
    return Band((Row(flag, islx.union_pw_aff(row.values())),), child)
