"""The outermost rows of one component: the source's own loops first, isl's ILP where they do not do."""

from __future__ import annotations

from dataclasses import dataclass

from pencilc import islx
from pencilc.ir.schedule import Flag
from pencilc.ir.scop import Loop
from pencilc.schedule.flags import flag_of
from pencilc.schedule.pluto import ilp_rows
from pencilc.schedule.problem import Functions, NoSchedule, SchedulingProblem

_ILP_STATEMENTS = 4


@dataclass(frozen=True, slots=True, eq=False)
class BandGroup:
    """Statements that share a band: `rows` all carry `flag`; no rows where there is nothing left to order."""

    names: tuple[str, ...]
    flag: Flag | None
    rows: tuple[Functions, ...]


def first_rows(problem: SchedulingProblem) -> BandGroup:
    """The leading parallel rows of a component, else its leading reduction rows, else one sequential row."""
    names = problem.names
    if all(not problem.free_depths(name) for name in names):
        if len(names) > 1 or problem.validity:
            raise NoSchedule("dependences remain between instances that no loop orders")
        return BandGroup(names, None, ())
    loops = common_loops(problem)
    upward = [(depth, _row(problem, depth, 1)) for depth, _ in loops]
    flagged = [(row, flag_of(problem.validity, problem.relaxed, row)) for _, row in upward]
    for wanted in ("P", "R"):
        rows = tuple(row for row, flag in flagged if flag == wanted)
        if rows:
            return BandGroup(names, "P" if wanted == "P" else "R", rows)
    return _sequential(problem, loops)


def _sequential(problem: SchedulingProblem, loops: list[tuple[int, Loop]]) -> BandGroup:
    """No source loop is parallel: a skewed parallel row if isl finds one, else the outermost source loop."""
    depths = {len(problem.free_depths(name)) for name in problem.names}
    if len(problem.names) <= _ILP_STATEMENTS and max(depths) >= 2 and min(depths) >= 1:
        group = _from_ilp(problem, ("P",))
        if group is not None:
            return group
    if loops:
        depth, loop = loops[0]
        row = _row(problem, depth, 1 if loop.step > 0 else -1)
        if flag_of(problem.validity, problem.relaxed, row) is not None:
            return BandGroup(problem.names, "s", (row,))
    group = _from_ilp(problem, ("P", "R", "s"))
    if group is None:
        raise NoSchedule("isl finds no row that respects the dependences")
    return group


def _from_ilp(problem: SchedulingProblem, wanted: tuple[Flag, ...]) -> BandGroup | None:
    found = ilp_rows(problem)
    flags = [flag_of(problem.validity, problem.relaxed, row) for row in found]
    for flag in wanted:
        if flag in ("P", "R"):
            rows = tuple(row for row, f in zip(found, flags, strict=True) if f == flag)
            if rows:
                return BandGroup(problem.names, flag, rows)
        elif flags and flags[0] == "s":
            return BandGroup(problem.names, "s", (found[0],))
    return None


def common_loops(problem: SchedulingProblem) -> list[tuple[int, Loop]]:
    """The source loops around all statements that no row determines yet, as (depth, loop)."""
    names = problem.names
    first = problem.statements[names[0]].loops
    free = set(problem.free_depths(names[0]))
    result: list[tuple[int, Loop]] = []
    for depth, loop in enumerate(first):
        for name in names[1:]:
            loops = problem.statements[name].loops
            if depth >= len(loops) or loops[depth].index != loop.index:
                return result
        if depth in free:
            result.append((depth, loop))
    return result


def _row(problem: SchedulingProblem, depth: int, sign: int) -> Functions:
    return {name: islx.row_function(s.domain, depth, sign) for name, s in problem.statements.items()}
