"""Rows of two groups that meet behind a shift, a mirror, a scaling or a fold: i and i_1 - 1, i and n - 1 - i_1, i and
2i_1, i / 2 and i_1.

    for (i = 0; i < n; i++) b[i] = f(a[i]);              [i P]{ S0; S1 }              S0 -> i; S1 -> i_1 - 1
    for (i = 1; i < n; i++) c[i] = g(b[i - 1]);

    for (i = 0; i < 2 * n; i++) x[i] += bias;            [i/2 P]{ [i s]{S0}; S1 }     S0 -> floor(i/2); S1 -> i_1
    for (i = 0; i < n; i++) d[i] = x[2*i] + x[2*i + 1];

isl's program is asked about one row of each group, each a statement with one loop, so that nothing inside of a group
moves.  Where its row keeps all pairs together, the rows meet.  Where it makes one loop wider by a factor, and all pairs
lie within that factor, as where 2i_1 + 1 comes right behind i and i - 1 (APOLLO, listing 2), so many iterations of the
other loop are done one after the other by one thread: these rows are parallel too.  No row is a sum of loops, which
would take the loops of what is fused apart.  A loop that takes every second value, by its step or by a condition, is
asked about once more as the loop over its numbers 0, 1, 2.

What is fused runs for each value that one of both has.  So one of them has to be inside of the other, or to be moved
by little; factors pay off where each point is a thread of its own, and folds where a thread has little to do besides:
loops over a window of a few points are its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod

import islpy as isl

from pencilc import islx, quotas
from pencilc.records import dataclass
from pencilc.schedule.pluto import outermost_band
from pencilc.schedule.problem import Functions, Relations, SchedulingProblem
from pencilc.schedule.rows import BandGroup

FARTHEST = 32  # how far loops are moved of which neither runs inside of the other: the points beyond are guarded
WIDEST = 4  # iterations of a loop that one thread does: of neighbouring floats those are 16 bytes
MOST_FOLDED = 16  # points that one thread does, of the loop that is folded and of each statement of the other one
_QUOTA = quotas.QUOTA // 100  # isl operations for one pair of groups; a pair of boxes takes a few thousand

_FIRST, _SECOND = "First", "Second"


@dataclass(frozen=True, slots=True, eq=False)
class _Meeting:
    """The functions by which two rows are the same: row `first` of one group and `second` of the other.

    `factor`: how much wider one of the loops has become; `folded`: the group whose iterations are taken together, if
    any.
    """

    of_first: isl.PwAff  # { First[x] -> [f(x)] }
    of_second: isl.PwAff
    factor: int = 1
    folded: str = ""
    first: int = 0
    second: int = 0


def moved_to_meet(
    problem: SchedulingProblem, pairs: Relations, first: BandGroup, second: BandGroup
) -> tuple[BandGroup, BandGroup] | None:
    """The groups by rows on which all `pairs` between them are together; None if they have not enough of them."""
    wanted = (max if "R" in (first.flag, second.flag) else min)(len(first.rows), len(second.rows))
    if not pairs or any(problem.statements[name].is_ragged for name in (*first.names, *second.names)):
        return None
    try:
        with quotas.operation_quota(_QUOTA):
            meetings = _meetings(problem, pairs, first, second)
            if len(meetings) < wanted:
                return None
            one = BandGroup(
                first.names, first.flag, tuple(_moved(first.rows[m.first], m.of_first, _FIRST) for m in meetings)
            )
            other = BandGroup(
                second.names, second.flag, tuple(_moved(second.rows[m.second], m.of_second, _SECOND) for m in meetings)
            )
            return (one, other) if _is_worth_it(problem, one, other, meetings) else None
    except quotas.OperationQuotaExceeded:
        return None


def points_of_rows(problem: SchedulingProblem, name: str, rows: Sequence[Functions]) -> isl.Set:
    """The values { [r0, r1] } that the rows have on a statement, within the context."""
    return _onto_rows(problem, name, rows).range()


def _onto_rows(problem: SchedulingProblem, name: str, rows: Sequence[Functions]) -> isl.Map:
    """{ S[i, j] -> [r0, r1] }."""
    relation = isl.Map.from_domain(problem.statements[name].domain.intersect_params(problem.context))
    for row in rows:
        relation = relation.flat_range_product(isl.Map.from_pw_aff(row[name]))
    return relation


def _moved(row: Functions, function: isl.PwAff, name: str) -> Functions:
    """The row behind { First[x] -> [f(x)] }."""
    found: Functions = {
        statement: function.pullback_pw_multi_aff(
            isl.Map.from_pw_aff(own).set_tuple_name(isl.dim_type.out, name).as_pw_multi_aff()
        )
        for statement, own in row.items()
    }
    return found


# ---- the rows that meet --------------------------------------------------------------------------------


def _meetings(problem: SchedulingProblem, pairs: Relations, first: BandGroup, second: BandGroup) -> list[_Meeting]:
    """Pairs of rows that meet, in the order of those of `first`; each row of a group once."""
    onto = {
        name: _onto_rows(problem, name, first.rows).set_tuple_name(isl.dim_type.out, _FIRST) for name in first.names
    }
    onto |= {
        name: _onto_rows(problem, name, second.rows).set_tuple_name(isl.dim_type.out, _SECOND) for name in second.names
    }
    found = [relation.apply_domain(onto[s]).apply_range(onto[t]) for (s, t), relation in pairs.items()]
    between = islx.joined([m if islx.in_name(m) == _FIRST else m.reverse() for m in found], isl.Map.union)
    folds = [
        name
        for name, finer, other in ((_FIRST, first, second), (_SECOND, second, first))
        if finer.flag == "P" and _is_a_point(problem, finer) and _is_little(problem, other)
    ]
    meetings: list[_Meeting] = []
    left = list(range(len(second.rows)))
    for position in range(len(first.rows)):
        for other in left:
            ties = _on_two_rows(between, position, other)
            meeting = _meeting(problem, ties, (first.rows[position], second.rows[other]), folds)
            if meeting is not None:
                meetings.append(replace(meeting, first=position, second=other))
                left.remove(other)
                break
    return meetings


def _on_two_rows(between: isl.Map, first: int, second: int) -> isl.Map:
    """{ First[x] -> Second[y] }: what the pairs are on one row of each group."""
    for kind, position, name in ((isl.dim_type.in_, first, _FIRST), (isl.dim_type.out, second, _SECOND)):
        between = between.project_out(kind, position + 1, between.dim(kind) - position - 1).project_out(
            kind, 0, position
        )
        between = between.set_tuple_name(kind, name)
    return between.coalesce()


def _meeting(
    problem: SchedulingProblem, ties: isl.Map, rows: tuple[Functions, Functions], folds: Sequence[str]
) -> _Meeting | None:
    """How two rows meet: as isl's program finds it for the two of them alone; loops with gaps also by their numbers."""
    found = _meeting_of(problem, ties, folds)
    if found is not None or not any(_gap(points) > 1 for points in (ties.domain(), ties.range())):
        return found
    onto_first, onto_second = _numbers(problem, rows[0], _FIRST), _numbers(problem, rows[1], _SECOND)
    found = _meeting_of(problem, ties.apply_domain(onto_first).apply_range(onto_second), folds)
    return found and replace(
        found,
        of_first=found.of_first.pullback_pw_multi_aff(onto_first.as_pw_multi_aff()),
        of_second=found.of_second.pullback_pw_multi_aff(onto_second.as_pw_multi_aff()),
    )


def _numbers(problem: SchedulingProblem, row: Functions, name: str) -> isl.Map:
    """The number of each value of a row along the gaps that all have: { name[x] -> name[floor((x - c) / gap)] }."""
    values = islx.joined([points_of_rows(problem, statement, (row,)) for statement in row], isl.Set.union)
    values = islx.named(values, name)
    gap = values.get_stride_info(0)
    variable = isl.Aff.var_on_domain(isl.LocalSpace.from_space(values.get_space()), isl.dim_type.set, 0)
    number = variable.sub(gap.get_offset()).scale_down_val(gap.get_stride()).floor()
    return isl.Map.from_aff(number).set_tuple_name(isl.dim_type.out, name)


def _gap(points: isl.Set) -> int:
    """Of what number all points { [x] } are a multiple from each other."""
    return int(points.get_stride(0).to_python())


def _meeting_of(problem: SchedulingProblem, ties: isl.Map, folds: Sequence[str]) -> _Meeting | None:
    """How two rows meet, as isl's program finds it."""
    if not _is_tied(ties) and not folds:
        return None
    kept = isl.UnionMap.from_map(ties)
    domain = islx.union_set((ties.domain(), ties.range()))
    for row in outermost_band(domain, problem.context, kept, kept, kept)[:1]:
        factors = _factors(row)
        if factors is None:
            return None
        factor = max(map(abs, factors))
        if ties.is_subset(row[_FIRST].eq_map(row[_SECOND])):
            of_first, of_second = _on_the_first(row, factors[0])
            return _Meeting(of_first, of_second, factor)
        finer = _FIRST if abs(factors[1]) > 1 else _SECOND
        if finer in folds and 1 < factor <= WIDEST:
            return _folded(ties, row, finer, factor)
    return None


def _is_tied(ties: isl.Map) -> bool:
    """Whether one row tells the other on all pairs."""
    sides = [(kind, ties.dim(kind)) for kind in (isl.dim_type.in_, isl.dim_type.out)]
    return any(
        each.is_equality() and all(each.involves_dims(kind, 0, count) for kind, count in sides)
        for each in ties.affine_hull().get_constraints()
    )


def _factors(row: Functions) -> tuple[int, int] | None:
    """The factors of the two loops in a row of the program, one of them a single step up or down; else None."""
    if set(row) != {_FIRST, _SECOND}:
        return None
    vectors = [islx.coefficients(row[name]) for name in (_FIRST, _SECOND)]
    factors = [vector[0] for vector in vectors if vector is not None]
    if len(factors) != 2 or min(map(abs, factors)) != 1:
        return None
    return factors[0], factors[1]


def _on_the_first(row: Functions, factor: int) -> tuple[isl.PwAff, isl.PwAff]:
    """The row, upwards and lower by so much that the first loop, of `factor`, is where it was: the second moves."""
    of_first, of_second = row[_FIRST], row[_SECOND]
    if factor < 0:
        of_first, of_second = of_first.neg(), of_second.neg()
    return of_first.sub(_at_zero(of_first, _FIRST)), of_second.sub(_at_zero(of_first, _SECOND))


def _at_zero(function: isl.PwAff, onto: str) -> isl.PwAff:
    """{ onto[x] -> [f(0)] } of { First[x] -> [f(x)] }."""
    name = islx.set_name(islx.pieces(function)[0][0])
    return function.pullback_pw_multi_aff(isl.PwMultiAff(f"{{ {onto}[x] -> {name}[0] }}"))


def _folded(ties: isl.Map, row: Functions, finer: str, step: int) -> _Meeting | None:
    """The finer loop in steps of the factor of the other; None where what belongs together is wider than a step.

    x between 2y and 2y + 1:  floor(x / 2) = y.        x between 2(n - y) and 2(n - y) + 1:  floor((x - 2n) / 2) = -y.
    """
    coarser = _SECOND if finer == _FIRST else _FIRST
    of_finer, of_coarser = row[finer], row[coarser]
    if islx.coefficients(of_finer) == (-1,):
        of_finer, of_coarser = of_finer.neg(), of_coarser.neg()
    behind = (ties if finer == _SECOND else ties.reverse()).apply_range(isl.Map.from_pw_aff(of_finer))
    distances = isl.Map.from_pw_aff(of_coarser).reverse().apply_range(behind).deltas()
    lowest, highest = distances.dim_min_val(0), distances.dim_max_val(0)
    if not lowest.is_int() or not highest.is_int() or highest.sub(lowest).ge(isl.Val(step)):
        return None
    start = _at_zero(of_coarser, finer).add(isl.PwAff(f"{{ {finer}[x] -> [({lowest})] }}"))
    folded = of_finer.sub(start).scale_down_val(isl.Val(step)).floor()
    other = of_coarser.sub(_at_zero(of_coarser, coarser)).scale_down_val(isl.Val(step))
    return _Meeting(*((folded, other) if finer == _FIRST else (other, folded)), step, folded=finer)


# ---- whether it is worth it ----------------------------------------------------------------------------


def _is_worth_it(problem: SchedulingProblem, first: BandGroup, second: BandGroup, meetings: Sequence[_Meeting]) -> bool:
    """Whether what is fused has no more than a few values of the rows that none of both has."""
    if not _is_for_a_thread(problem, {_FIRST: first, _SECOND: second}, meetings):
        return False
    one, other = (
        islx.joined([points_of_rows(problem, name, group.rows) for name in group.names], isl.Set.union)
        for group in (first, second)
    )
    if one.is_subset(other) or other.is_subset(one):
        return True
    return all(meeting.factor == 1 and _is_near(meeting.of_second) for meeting in meetings)


def _is_for_a_thread(problem: SchedulingProblem, groups: Mapping[str, BandGroup], meetings: Sequence[_Meeting]) -> bool:
    """Whether a thread does few points of the loops that are folded, of one group, and each point of others alone."""
    spread = any(meeting.factor > 1 and not meeting.folded for meeting in meetings)
    folded = {meeting.folded for meeting in meetings if meeting.folded}
    alone = list(groups) if spread else folded
    if not all(_is_a_point(problem, groups[name], len(meetings)) for name in alone):
        return False
    return prod(meeting.factor for meeting in meetings if meeting.folded) <= MOST_FOLDED and len(folded) < 2


def _is_near(function: isl.PwAff) -> bool:
    """Whether { Second[y] -> [y + c] } moves by a constant, and by little."""
    by = islx.constant_value(function.sub(isl.PwAff(f"{{ {_SECOND}[y] -> [(y)] }}")))
    return by is not None and abs(by) <= FARTHEST


def _is_a_point(problem: SchedulingProblem, group: BandGroup, rows: int | None = None) -> bool:
    """Whether the rows of a group are all the loops that its statements have left."""
    return all(len(problem.free_depths(name)) == (rows or len(group.rows)) for name in group.names)


def _is_little(problem: SchedulingProblem, group: BandGroup) -> bool:
    """Whether a thread does few points of each statement at a point of the rows: a window of 2 x 2, not a row."""
    for name in group.names:
        if len(problem.free_depths(name)) > len(group.rows):
            onto = _onto_rows(problem, name, group.rows)
            distances = onto.apply_range(onto.reverse()).deltas()
            longest = [distances.dim_max_val(depth) for depth in range(islx.dimensions(distances))]
            if not all(each.is_int() for each in longest):
                return False
            if prod(int(each.to_python()) + 1 for each in longest) > MOST_FOLDED:
                return False
    return True
