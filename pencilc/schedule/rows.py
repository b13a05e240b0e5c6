"""The outermost rows of a component: the source's own loops where they are parallel, else what there is to choose from.

    for (i…) for (j < i…) { for (k < j…) A[i][j] -= A[i][k] * A[k][j];  A[i][j] /= A[j][j]; }

No loop of a factorisation is parallel from outside.  The sequential rows to choose from are the source's outermost loop
(i), the rows of isl's band (i; j; k and j), and the front of the band, which is their sum: what the others leave
parallel below them is found by scheduling it (`solve.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Seq
from functools import reduce

import islpy as isl

from pencilc import islx
from pencilc.analysis.vectors import Vector, independent
from pencilc.ir.schedule import Flag
from pencilc.ir.scop import AccessKind, Loop, Statement
from pencilc.records import dataclass
from pencilc.schedule.coincidence import may_keep_all_together
from pencilc.schedule.flags import flag_of
from pencilc.schedule.pluto import ilp_rows
from pencilc.schedule.problem import Functions, NoSchedule, SchedulingProblem, vector_of


@dataclass(frozen=True, slots=True, eq=False)
class BandGroup:
    """Statements that share a band: `rows` all carry `flag`; no rows where there is nothing left to order."""

    names: tuple[str, ...]
    flag: Flag | None
    rows: tuple[Functions, ...]


def parallel_rows(problem: SchedulingProblem) -> BandGroup | None:
    """The leading parallel loops of a component, else its leading reduction loops; None if it has to have others.

    Raises NoSchedule where no loop is left that could order what must be in order.
    """
    names = problem.names
    if all(not problem.free_depths(name) for name in names):
        if len(names) > 1 or problem.validity:
            raise NoSchedule("dependences remain between instances that no loop orders")
        return BandGroup(names, None, ())
    upward = [_row(problem, depth, 1) for depth, _ in common_loops(problem)]
    flagged = [(row, flag_of(problem.validity, problem.relaxed, row)) for row in upward]
    rows = _independent(problem, [row for row, flag in flagged if flag == "P"])
    if rows:
        return BandGroup(names, "P", rows)
    skewed = skewed_rows(problem) if _has_combined_rows(problem) and is_skewable(problem) else None
    if skewed is not None:
        return skewed
    rows = _independent(problem, [row for row, flag in flagged if flag == "R"])
    return BandGroup(names, "R", rows) if rows else None


def _has_combined_rows(problem: SchedulingProblem) -> bool:
    """Whether what is reduced into one element has a combination of loops in common: i + j of `c[i + j] += ...`."""
    for relation in problem.relaxed.values():
        for constraint in relation.affine_hull().get_constraints():
            one = constraint.involves_dims(isl.dim_type.in_, 0, relation.dim(isl.dim_type.in_))
            other = constraint.involves_dims(isl.dim_type.out, 0, relation.dim(isl.dim_type.out))
            if constraint.is_equality() and one and other:
                return True
    return False


def source_row(problem: SchedulingProblem) -> BandGroup | None:
    """The outermost loop of the source as a sequential row; None if that is not legal, or there is none around all."""
    for depth, loop in common_loops(problem)[:1]:
        row = _row(problem, depth, 1 if loop.step > 0 else -1)
        if flag_of(problem.validity, problem.relaxed, row) is not None:
            return BandGroup(problem.names, "s", (row,))
    return None


def inner_rows(problem: SchedulingProblem) -> Iterator[BandGroup]:
    """The loops of the source around all statements, but for the outermost one, as sequential rows that are legal."""
    for depth, loop in common_loops(problem)[1:]:
        row = _row(problem, depth, 1 if loop.step > 0 else -1)
        if flag_of(problem.validity, problem.relaxed, row) == "s" and _keeps_together(problem, row):
            yield BandGroup(problem.names, "s", (row,))


def is_skewable(problem: SchedulingProblem) -> bool:
    """Whether a row may combine loops: every statement has one left, one of them several, their bounds in the model."""
    depths = [len(problem.free_depths(name)) for name in problem.names]
    ragged = any(statement.is_ragged for statement in problem.statements.values())
    return max(depths) >= 2 and min(depths) >= 1 and not ragged


def skewed_rows(problem: SchedulingProblem) -> BandGroup | None:
    """The parallel rows of isl's band; None if it has none."""
    if not may_keep_all_together(problem):
        return None
    rows = [row for row in ilp_rows(problem) if flag_of(problem.validity, problem.relaxed, row) == "P"]
    return BandGroup(problem.names, "P", tuple(_as_subscript(problem, row) for row in rows)) if rows else None


def _as_subscript(problem: SchedulingProblem, row: Functions) -> Functions:
    """The row as the subscript of what is reduced, up to the sign and a constant, where all statements have one.

    `c[i - j + n - 1] += ...` has the row i - j + n - 1, which is that of the loop over `c`.
    """
    found: dict[str, isl.PwAff] = {}
    for name, statement in problem.statements.items():
        subscript = _subscript(statement, vector_of(row[name]))
        if subscript is None:
            return row
        found[name] = subscript
    return found if flag_of(problem.validity, problem.relaxed, found) == "P" else row


def _subscript(statement: Statement, vector: Vector) -> isl.PwAff | None:
    """The subscript of what the statement reduces that has these factors, or their negatives."""
    negative = tuple(-factor for factor in vector)
    for access in statement.accesses:
        if access.kind is AccessKind.UPDATE and access.relation.is_single_valued():
            subscripts = access.relation.as_pw_multi_aff()
            for position in range(subscripts.dim(isl.dim_type.out)):
                subscript = subscripts.get_pw_aff(position)
                if islx.coefficients(subscript) in (vector, negative):
                    return subscript
    return None


def sequential_rows(problem: SchedulingProblem, source: BandGroup) -> Iterator[BandGroup]:
    """What may be the sequential row instead of that of `source`: each row of isl's band, and the front of the band.

    On a permutable band no dependence runs backwards on any row, so that those that cross any of them cross the sum
    (Bondhugula et al., PLDI'08, section 5.1).
    """
    band = ilp_rows(problem, sharing=True)
    front = [reduce(_sum, band)] if len(band) > 1 else []
    (known,) = source.rows
    for row in (*band, *front):
        is_new = any(vector_of(row[name]) != vector_of(known[name]) for name in problem.names)
        if is_new and _keeps_together(problem, row) and flag_of(problem.validity, problem.relaxed, row) == "s":
            yield BandGroup(problem.names, "s", (row,))


def any_rows(problem: SchedulingProblem) -> BandGroup:
    """Rows of isl's band where no loop of the source will do; raises NoSchedule."""
    band = ilp_rows(problem)
    flags = [flag_of(problem.validity, problem.relaxed, row) for row in band]
    wanted: tuple[Flag, ...] = ("P", "R")
    for flag in wanted:
        rows = tuple(row for row, found in zip(band, flags, strict=True) if found == flag)
        if rows:
            return BandGroup(problem.names, flag, rows)
    if not flags or flags[0] != "s":
        raise NoSchedule("isl finds no row that respects the dependences")
    return BandGroup(problem.names, "s", (band[0],))


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


def _sum(first: Functions, second: Functions) -> Functions:
    return {name: first[name].add(second[name]) for name in first}


def _independent(problem: SchedulingProblem, rows: Seq[Functions]) -> tuple[Functions, ...]:
    """The rows without those that others, found or before them, determine for some statement: i, of i + j and j."""
    found: list[Functions] = []
    for row in rows:
        if all(independent(vector_of(row[n]), _known(problem, found, n)) for n in problem.names):
            found.append(row)
    return tuple(found)


def _known(problem: SchedulingProblem, rows: Seq[Functions], name: str) -> list[tuple[int, ...]]:
    return [*problem.fixed[name], *(vector_of(row[name]) for row in rows)]


def _keeps_together(problem: SchedulingProblem, row: Functions) -> bool:
    """Whether statements that must share their first loops share the row, and the row is about these loops alone."""
    for depth, names in problem.together_now():
        vectors = {vector_of(row[name]) for name in names}
        shared = {vector[:depth] for vector in vectors}
        if len(shared) > 1 or any(any(vector[depth:]) for vector in vectors):
            return False
    return True
