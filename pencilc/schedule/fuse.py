"""Fusing groups by aligning rows already found: subset checks, no new ILP.

Policies: two parallel bands fuse on the rows where all their dependences have distance zero, and only
if one of them keeps all its rows.  Inner parallel rows are not lost by that: the mapping gives each part
of a band a kernel of its own, or stitches the parts, and may permute the rows of each.  Reduction bands
over one domain fuse.  A parallel band enters a reduction band only as a producer of values that the same
iteration consumes, for results that loops inside do not tell apart.  Loops in order that are one of
the source stay one where a thread does them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import TypeAlias

import islpy as isl

from pencilc import islx
from pencilc.ir.ragged_loops import bounds_key, ragged_depths
from pencilc.ir.schedule import Row
from pencilc.ir.scop import AccessKind, Statement, StatementKind
from pencilc.schedule.align import moved_to_meet, points_of_rows
from pencilc.schedule.components import dependence_graph
from pencilc.schedule.flags import flag_of, zero_along
from pencilc.schedule.locality import ParallelNest
from pencilc.schedule.problem import Functions, Pair, Relations, SchedulingProblem
from pencilc.schedule.rows import BandGroup

Link: TypeAlias = tuple[Pair, isl.Map]

_PERMUTED_ROWS = 3


def fuse(problem: SchedulingProblem, groups: list[BandGroup]) -> list[BandGroup]:
    """Move each group into the nearest earlier group that it may join, until none may.

    Once is not enough: two branches that end in reductions have equal rows only when each has fused with its own.
    """
    while True:
        fused = _fuse_once(problem, groups)
        if len(fused) == len(groups):
            return _with_merges_moved(problem, fused)
        groups = fused


def _with_merges_moved(problem: SchedulingProblem, groups: list[BandGroup]) -> list[BandGroup]:
    """The groups with each merge node right behind what it waits for, where the loops of its updates have moved to.

    A result that stands behind other loops than its own is no result of these.
    """
    before = _needed(problem)
    result: list[BandGroup] = []
    for group in groups:
        at = len(result)
        if _is_merge(problem, group) and not group.rows:
            waited_for = set[str]().union(*(before[name] for name in group.names))
            while at > 0 and waited_for.isdisjoint(result[at - 1].names):
                at -= 1
            while at < len(result) and _is_merge(problem, result[at]):
                at += 1
        result.insert(at, group)
    return result


def _is_merge(problem: SchedulingProblem, group: BandGroup) -> bool:
    return all(problem.statements[name].kind is StatementKind.MERGE for name in group.names)


def _fuse_once(problem: SchedulingProblem, groups: list[BandGroup]) -> list[BandGroup]:
    before = _needed(problem)
    links = _Links(problem)
    result: list[BandGroup] = []
    places: dict[str, int] = {}  # of each statement, its group in the result
    bands: list[int] = []  # the groups that others may join
    for group in groups:
        last = max((places[n] for name in group.names for n in before[name] if n in places), default=0)
        waited_for = _waited_for(problem, before, group)
        last = max((last, *(places[n] for n in waited_for if places.get(n) in bands)))
        # In a loop around both a thread may have one accumulator for both, the element itself.
        if problem.around or _is_spread(problem, before, group):
            begun = _results_before(problem, waited_for, group)
            last = max((last, *(places[n] for n in begun if n in places)))
        found = len(result)
        for position in reversed(bands if _is_band(problem, group) else []):
            if position < last:
                break
            fused = join(problem, result[position], group, links)
            if fused is not None:
                result[position], found = fused, position
                break
        if found == len(result):
            result.append(group)
            bands += [found] if _is_band(problem, group) else []
        places.update(dict.fromkeys(group.names, found))
    return result


def _needed(problem: SchedulingProblem) -> dict[str, set[str]]:
    """The statements that each depends on."""
    before: dict[str, set[str]] = {name: set() for name in problem.names}
    for source, targets in dependence_graph(problem).items():
        for target in targets:
            before[target].add(source)
    return before


def _waited_for(problem: SchedulingProblem, before: Mapping[str, set[str]], group: BandGroup) -> set[str]:
    """What the merge nodes of a group's updates wait for besides: the loops that the updates join stand behind it.

    for j: s[i] *= …;  for j: s[i] += …;  for j: s[i] *= …;    the third loop does not join the first, as its result
    comes behind that of the second, in another kernel than the updates.
    """
    updates = _updates_among(problem, group.names)
    merges = [m for m in problem.names if problem.statements[m].kind is StatementKind.MERGE and before[m] & updates]
    found: set[str] = set()
    # Other updates of the same results wait for nothing of theirs: any of them may share a loop with any other.
    kinds = {name: problem.statements[name].kind for merge in merges for name in before[merge]}
    waiting = [name for name, kind in kinds.items() if kind is not StatementKind.UPDATE]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += before[name]
    return found


def _results_before(problem: SchedulingProblem, waited_for: set[str], group: BandGroup) -> list[str]:
    """The merge nodes among `waited_for` of results that updates of the group go on from."""
    updated = {
        access.array for name in _updates_among(problem, group.names) for access in problem.statements[name].accesses
        if access.kind is AccessKind.UPDATE
    }  # fmt: skip
    found: list[str] = []
    for name in waited_for:
        statement = problem.statements[name]
        written = {access.array for access in statement.accesses if access.kind.writes}
        if statement.kind is StatementKind.MERGE and not written.isdisjoint(updated):
            found.append(name)
    return found


def _is_spread(problem: SchedulingProblem, before: Mapping[str, set[str]], group: BandGroup) -> bool:
    """Whether updates of the group share a result with others that have other loops.

    for i: s ^= …;  for i: { s += …;  for j: s += …; }    the sums are several kernels, each of which goes on from what
    is in memory: the first one has to stand behind the result of the loop before, and not beside its updates.
    """
    updates = _updates_among(problem, group.names)
    for merge in (m for m in problem.names if problem.statements[m].kind is StatementKind.MERGE):
        mine = _updates_among(problem, before[merge])
        if not updates.isdisjoint(mine):
            first, *others = (islx.named(problem.statements[name].domain, "") for name in mine)
            if not all(islx.dimensions(each) == islx.dimensions(first) and each.is_equal(first) for each in others):
                return True
    return False


def _updates_among(problem: SchedulingProblem, names: Iterable[str]) -> set[str]:
    return {name for name in names if problem.statements[name].kind is StatementKind.UPDATE}


def _is_band(problem: SchedulingProblem, group: BandGroup) -> bool:
    """Whether the group has rows that another one may share."""
    return group.flag in ("P", "R") or (group.flag == "s" and problem.is_in_thread)


class _Links:
    """The relations of a problem by statement, for hundreds of groups that few of them are about."""

    def __init__(self, problem: SchedulingProblem) -> None:
        self.validity, self.proximity = _by_statement(problem.validity), _by_statement(problem.proximity)
        self.relaxed = _by_statement(problem.relaxed)


def _by_statement(relations: Relations) -> dict[str, list[Link]]:
    """The relations that each statement takes part in."""
    found: dict[str, list[Link]] = {}
    for pair, relation in relations.items():
        for name in {*pair}:
            found.setdefault(name, []).append((pair, relation))
    return found


def join(
    problem: SchedulingProblem, first: BandGroup, second: BandGroup, links: _Links | None = None
) -> BandGroup | None:
    """One group of both, or None; by rows that are moved or scaled where they do not meet as they are."""
    links = links or _Links(problem)
    joined = _joined(problem, links, first, second)
    if joined is None and "s" not in (first.flag, second.flag):
        pairs = _between(links.validity, first, second) or _between(links.proximity, first, second)
        moved = moved_to_meet(problem, pairs, first, second)
        joined = moved and _joined(problem, links, *moved)
    if joined is None or not all(_one_length(problem, row) for row in joined.rows):
        return None
    return None if _are_better_apart(problem, links, first, second, joined) else joined


def _are_better_apart(
    problem: SchedulingProblem, links: _Links, first: BandGroup, second: BandGroup, both: BandGroup
) -> bool:
    """Whether loops that pass no values on are faster on their own: their threads would not lie along one row.

    for (i…) for (j…) x[i][j] = u[i][j] * s[j];        for (i…) for (j…) y[j][i] = v[j][i] * s[j];
    """
    if (
        problem.locality is None
        or problem.is_in_thread
        or len(both.rows) < 2
        or _between(links.validity, first, second)
    ):
        return False
    nests = [_nest(problem, group) for group in (first, second, both)]
    return problem.locality.are_better_apart(problem.around, *nests)


def _nest(problem: SchedulingProblem, group: BandGroup) -> ParallelNest:
    """The rows of a group, and below them what loops of the source are left."""
    assert group.flag is not None
    inside = frozenset(group.names)
    inner = {
        name: tuple(
            Row("s", islx.union_pw_aff([islx.row_function(statement.domain, depth, 1)]))
            for depth in problem.free_depths(name, group.rows)
        )
        for name, statement in problem.statements.items()
        if name in inside
    }
    return ParallelNest(tuple(Row(group.flag, islx.union_pw_aff(row.values())) for row in group.rows), inner)


def _one_length(problem: SchedulingProblem, row: Functions) -> bool:
    """Whether all that the row is on has bounds in the model, or the same bounds that are data."""
    if not any(problem.statements[name].is_ragged for name in row):
        return True
    found: set[tuple[str, ...]] = set()
    for name, function in row.items():
        statement, factors = problem.statements[name], islx.coefficients(function)
        ragged = [d for d in ragged_depths(statement) if factors is None or factors[d]]
        found.add(tuple(text for depth in ragged for text in bounds_key(statement, depth)))
    return len(found) == 1


def _joined(problem: SchedulingProblem, links: _Links, first: BandGroup, second: BandGroup) -> BandGroup | None:
    if first.flag == second.flag == "P":
        return _join_parallel(problem, links, first, second)
    if first.flag == second.flag == "s":
        return _join_in_order(problem, links, first, second)
    if len(first.rows) != len(second.rows) or second.flag != "R":
        return None
    validity = _between(links.validity, first, second)
    if first.flag == "P" and (not validity or has_results_inside(problem, second)):
        return None
    if first.flag not in ("P", "R"):
        return None
    for rows in _pairings(first, second):
        if all(zero_along(validity, row) for row in rows) and (validity or _same_iterations(problem, first, rows)):
            return BandGroup(_names(problem, first, second), "R", rows)
    return None


def has_results_inside(problem: SchedulingProblem, group: BandGroup) -> bool:
    """Whether loops below the rows of the group tell which element an update goes to: its results are as many.

        for (r…) { float m = sum of x[r];  for (i…) weight[i] += (x[r][i] - m) * g[r][i]; }

    They are found column by column; below the rows one thread, or bins, would have all of them.
    """
    for name in _updates_among(problem, group.names):
        statement, free = problem.statements[name], problem.free_depths(name, group.rows)
        for access in statement.accesses:
            if access.kind is AccessKind.UPDATE and access.exact:
                relation = access.relation
                if any(relation.involves_dims(isl.dim_type.in_, depth, 1) for depth in free):
                    return True
    return False


def _join_parallel(problem: SchedulingProblem, links: _Links, first: BandGroup, second: BandGroup) -> BandGroup | None:
    validity = _between(links.validity, first, second)
    if not validity:
        return _join_independent(problem, links, first, second)
    relaxed = _between(links.relaxed, first, second)
    rows: list[Functions] = []
    left = list(second.rows)
    kept: list[Functions] = []
    for row in first.rows:
        for other in left:
            both = {**row, **other}
            if zero_along(validity, both) and zero_along(relaxed, both):
                rows.append(both)
                kept.append(other)
                left.remove(other)
                break
    if len(rows) < min(len(first.rows), len(second.rows)) or not rows:
        return None
    return BandGroup(_names(problem, first, second), "P", tuple(rows))


def _join_independent(
    problem: SchedulingProblem, links: _Links, first: BandGroup, second: BandGroup
) -> BandGroup | None:
    """Two parallel bands without dependences: worth one band if they read the same elements, or the same lines.

    What both reduce into one element, as a[i] and a[n - 1 - i], is in one iteration: else the rows are not parallel.
    """
    if len(first.rows) != len(second.rows):
        return None
    shared, relaxed = _between(links.proximity, first, second), _between(links.relaxed, first, second)
    pairings = _pairings(first, second)
    found: list[tuple[Functions, ...]] = []
    if shared or _reduce_side_by_side(problem, first, second):
        found += (rows for rows in pairings if all(zero_along(shared, row) for row in rows))
        found += (rows for rows in pairings if _meet(shared, rows))
    for rows in (*found, *_along_lines(problem, first, second, pairings)):
        if all(zero_along(relaxed, row) for row in rows) and _same_iterations(problem, first, rows):
            return BandGroup(_names(problem, first, second), "P", rows)
    return None


def _join_in_order(problem: SchedulingProblem, links: _Links, first: BandGroup, second: BandGroup) -> BandGroup | None:
    """Two loops of a thread that are one loop of the source: what both read is fetched once.

    for (j…) { s += a[i][j];  t = t / 2 + a[i][j]; }
    """
    row = {**first.rows[0], **second.rows[0]}
    if len({_loop_of(problem, name, function) for name, function in row.items()}) > 1:
        return None
    if _loop_of(problem, first.names[0], row[first.names[0]]) is None:
        return None
    if flag_of(_between(links.validity, first, second), {}, row) is None:
        return None
    return BandGroup(_names(problem, first, second), "s", (row,))


def _loop_of(problem: SchedulingProblem, name: str, function: isl.PwAff) -> tuple[int, int, int] | None:
    """The loop of the source that a row is for a statement: its number, its sign and a constant; None if it is none."""
    found = islx.unit_row(function)
    if found is None:
        return None
    *factors, constant = found
    depth = next(depth for depth, factor in enumerate(factors) if factor)
    return problem.statements[name].loops[depth].index, factors[depth], constant


def _along_lines(
    problem: SchedulingProblem, first: BandGroup, second: BandGroup, pairings: Sequence[tuple[Functions, ...]]
) -> Iterator[tuple[Functions, ...]]:
    """The pairings by which both bands touch the same lines of memory in the same iteration.

    for (i…) { o[i].re = x[i];  o[i].im = y[i]; }        apart, each would fetch and store all lines of o.
    """
    if problem.locality is None or not problem.locality.share_variables(first.names, second.names):
        return
    around = [islx.pw_affs_of(row.function) for row in problem.around]
    for rows in pairings:
        both = _nest(problem, BandGroup(_names(problem, first, second), "P", rows))
        if problem.locality.share_lines(problem.around, both, first.names):
            theirs = _union([points_of_rows(problem, name, (*around, *rows)) for name in second.names])
            mine = (points_of_rows(problem, name, (*around, *rows)) for name in first.names)
            # What stands before row k and what behind it have no iteration in common.
            if any(not points.is_disjoint(theirs) for points in mine):
                yield rows


def _meet(shared: Relations, rows: tuple[Functions, ...]) -> bool:
    """Whether whatever some statement reads together with one of the other group is read in the same iteration too.

    So it is with `a[j]`, which every iteration of a loop over i reads for all j.
    """
    for (s, t), pairs in shared.items():
        here = pairs
        for row in rows:
            here = here.intersect(row[s].eq_map(row[t]))
        if pairs.domain().is_subset(here.domain()):
            return True
    return False


def _reduce_side_by_side(problem: SchedulingProblem, first: BandGroup, second: BandGroup) -> bool:
    """Whether both reduce, in one loop of the source, elements of one array: members of its structs, say."""
    first_updates, second_updates = _updates(problem, first), _updates(problem, second)
    if not first_updates or not second_updates:
        return False
    one, other = problem.statements[first_updates[0]], problem.statements[second_updates[0]]
    if [loop.index for loop in one.loops] != [loop.index for loop in other.loops]:
        return False
    return bool(_read_by(one) & _read_by(other))


def _read_by(statement: Statement) -> set[str]:
    return {access.array for access in statement.accesses if access.kind is AccessKind.READ}


def _updates(problem: SchedulingProblem, group: BandGroup) -> list[str]:
    return [name for name in group.names if problem.statements[name].kind is StatementKind.UPDATE]


def _pairings(first: BandGroup, second: BandGroup) -> list[tuple[Functions, ...]]:
    """The rows of both groups, combined in every order of the second's rows."""
    count = len(second.rows)
    orders = permutations(range(count)) if count <= _PERMUTED_ROWS else iter([tuple(range(count))])
    return [tuple({**row, **second.rows[k]} for row, k in zip(first.rows, order, strict=True)) for order in orders]


def _between(links: Mapping[str, Sequence[Link]], first: BandGroup, second: BandGroup) -> Relations:
    """The relations that lead from one group of rows to the other, either way."""
    few, many = sorted((first.rows[0], second.rows[0]), key=len)
    return {
        pair: relation for name in few for pair, relation in links.get(name, ()) if pair[0] in many or pair[1] in many
    }


def _same_iterations(problem: SchedulingProblem, first: BandGroup, rows: tuple[Functions, ...]) -> bool:
    """Whether both groups run over one set of row values, or stand in the same source loops."""
    inside = set(first.names)
    others = [name for name in rows[0] if name not in inside]
    if _one_source_loop(problem, first.names[0], others[0], len(rows)):
        return True
    mine = [points_of_rows(problem, name, rows) for name in first.names]
    theirs = [points_of_rows(problem, name, rows) for name in others]
    return bool(_union(mine).is_equal(_union(theirs)))


def _one_source_loop(problem: SchedulingProblem, first: str, second: str, rows: int) -> bool:
    a, b = problem.statements[first].loops, problem.statements[second].loops
    common = 0
    while common < min(len(a), len(b)) and a[common].index == b[common].index:
        common += 1
    free = [d for d in problem.free_depths(first) if d < common]
    return len(free) >= rows


def _union(sets: list[isl.Set]) -> isl.Set:
    result = sets[0]
    for item in sets[1:]:
        result = result.union(item)
    return result


def _names(problem: SchedulingProblem, first: BandGroup, second: BandGroup) -> tuple[str, ...]:
    return tuple(sorted((*first.names, *second.names), key=lambda n: problem.order[n]))
