"""The schedule of a region: components, their rows, fusion, and the same again inside (PACT'16 section 4.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace
from functools import reduce

import islpy as isl

from pencilc import islx, quotas
from pencilc.analysis.vectors import unit
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree, has_parallelism
from pencilc.ir.scop import StatementKind
from pencilc.schedule.chains import LAUNCH, chain, is_sequential, nominal_domains
from pencilc.schedule.components import components
from pencilc.schedule.flags import flag_of
from pencilc.schedule.fuse import fuse, has_results_inside
from pencilc.schedule.problem import NoSchedule, SchedulingProblem, Together
from pencilc.schedule.rows import (
    BandGroup,
    any_rows,
    inner_rows,
    is_skewable,
    parallel_rows,
    sequential_rows,
    skewed_rows,
    source_row,
)

# What isl may do for the rows of one component that are not the source's, in operations.
_OTHER_ROWS = quotas.QUOTA // 4


def solve(problem: SchedulingProblem) -> Tree:
    """A schedule tree for `problem`; raises NoSchedule.

    Example: row sums give `[i P]{ [j R]{S2}; M0 }`.
    """
    known: dict[BandGroup, Tree] = {}
    groups: list[BandGroup] = []
    for part in problem.divided(components(problem)):
        found, apart = _groups(part, known)
        groups += found
        problem = problem.loosened(apart)
    groups = fuse(problem, groups) if problem.fuses else groups
    parts = problem.divided([group.names for group in groups])
    trees = [_tree(part, group, known) for part, group in zip(parts, groups, strict=True)]
    return trees[0] if len(trees) == 1 else Sequence(tuple(trees))


def _tree(problem: SchedulingProblem, group: BandGroup, known: Mapping[BandGroup, Tree]) -> Tree:
    """What is scheduled by the rows of `group`, and below them; `known` are the trees of groups found so far."""
    if group in known:
        return known[group]
    if group.flag is None:
        return Leaf(group.names[0])
    rows = tuple(Row(group.flag, islx.union_pw_aff(map(islx.everywhere, row.values()))) for row in group.rows)
    inner = replace(problem.below(group.rows), around=(*problem.around, *rows))
    child = solve(inner)
    if any(islx.is_quotient(function) for row in group.rows for function in row.values()):
        child = _in_order(child)  # a quotient leaves to each thread what it takes together
    if isinstance(child, Band) and group.flag != "s" and all(_keeps_flag(problem, r, group) for r in child.rows):
        return Band((*rows, *child.rows), child.child)
    return Band(rows, child)


def _in_order(tree: Tree) -> Tree:
    """`tree` with no row that is dealt out."""
    match tree:
        case Leaf():
            return tree
        case Sequence():
            return Sequence(tuple(map(_in_order, tree.children)))
        case Band():
            child = _in_order(tree.child)
            for row in reversed(tree.rows):
                child = Band((Row("s", row.function),), child)
            return child


def _keeps_flag(problem: SchedulingProblem, row: Row, group: BandGroup) -> bool:
    """Whether an inner row with the group's flag has it outside of the group's rows, too."""
    if row.flag != group.flag:
        return False
    functions = islx.pw_affs_of(row.function)
    return flag_of(problem.validity, problem.relaxed, functions) == row.flag


# ---- the rows of one component -------------------------------------------------------------------------


def _groups(problem: SchedulingProblem, known: dict[BandGroup, Tree]) -> tuple[list[BandGroup], frozenset[Together]]:
    """The rows of a component; of its parts, where these are held together by values of an iteration alone.

        for (i…) { float most = …;  for (j…) most = max(most, a[i][j]);  total += most; }

    The sum is in order, and would have the loop inside wait for it: with a value for each iteration the maxima are
    found in parallel, and one loop adds them.  `b[i] -= a[i][j] * b[j]` by way of a scalar for each i would have all j
    wait for all i: with n scalars they are n steps.

        for (r…) { float m = …;  for (i…) m += x[r][i];  for (i…) { y[r][i] -= m;  weight[i] += m * g[r][i]; } }

    The rows are parallel, with a value for each, and the weights are found column by column.

    Of a limited scalar there are values only where an array of the caller's has as many elements.

    The values behind the rows are those of which statements inside of one part need not share the loops either.
    """
    group = _first_rows(problem, known)
    values = problem.single_values()
    goes_across = group.flag == "R" and has_results_inside(problem, group)
    if not values or not (group.flag == "s" or goes_across):
        return [group], frozenset()
    loose = problem.loosened(values)
    inside = loose.divided(components(loose))
    try:
        parts = [_first_rows(part, known) for part in inside]
    except NoSchedule:
        return [group], frozenset()
    if goes_across:
        are_rows = not problem.is_in_thread and any(part.flag == "P" for part in parts)
        return (parts if are_rows and _have_room(problem, values) else [group]), frozenset()
    in_order = [part for part in parts if part.flag == "s"]
    is_longer = _loops(problem, (part for part in parts if part.flag in ("P", "R"))) > _loops(problem, in_order) > 0
    limited = values & problem.limited
    if is_longer and (not limited or _have_room(problem, limited)):
        return parts, frozenset()
    # What a thread does in order takes one value.
    if (problem.is_in_thread and in_order) or len(parts) == 1 or not _have_room(problem, values):
        return [group], frozenset()
    if not _is_worth_it(problem, group, inside, parts, known):
        return [group], frozenset()
    return parts, frozenset(each for each in values if any(len(each[1].intersection(p.names)) > 1 for p in in_order))


def _loops(problem: SchedulingProblem, groups: Iterable[BandGroup]) -> int:
    """The most loops around a statement of `groups`; 0 where there is none."""
    return max((len(problem.statements[name].loops) for group in groups for name in group.names), default=0)


def _have_room(problem: SchedulingProblem, values: Iterable[Together]) -> bool:
    """Whether the values that all iterations have of each scalar are no more than the elements of an array of the
    caller's; one value for all iterations of what the host does in order around.
    """
    given = [array.intersect_params(problem.context) for array in problem.given]
    extents = [[islx.count_along(array, k) for k in range(islx.dimensions(array))] for array in given]
    for depth, names in values:
        present = [name for name in names if name in problem.statements]
        inside = [problem.statements[name].domain for name in present]
        loops = (s.project_out(isl.dim_type.set, depth, islx.dimensions(s) - depth).reset_tuple_id() for s in inside)
        whole = reduce(isl.Set.union, loops).intersect_params(problem.context)
        left = [each for each in range(depth) if not all(_is_done_on_host(problem, name, each) for name in present)]
        if not any(islx.has_room(problem.context, a, [islx.count_along(whole, k) for k in left]) for a in extents):
            return False
    return True


def _is_done_on_host(problem: SchedulingProblem, name: str, depth: int) -> bool:
    """Whether a row around, all of which are in order, is the loop at `depth` of a statement."""
    return not problem.is_in_thread and unit(depth, len(problem.statements[name].loops)) in problem.fixed[name]


def _is_worth_it(
    problem: SchedulingProblem,
    group: BandGroup,
    inside: Seq[SchedulingProblem],
    parts: Seq[BandGroup],
    known: dict[BandGroup, Tree],
) -> bool:
    """Whether what waits becomes shorter by a loop when `group` is scheduled as `parts`, whose trees go to `known`."""
    try:
        with quotas.operation_quota(_OTHER_ROWS):
            known[group] = _tree(problem, group, known)
            trees = [_tree(part, rows, known) for part, rows in zip(inside, parts, strict=True)]
    except (NoSchedule, quotas.OperationQuotaExceeded):
        return False
    known |= zip(parts, trees, strict=True)
    domains = nominal_domains(problem)
    return sum(chain(tree, domains) for tree in trees) * LAUNCH <= chain(known[group], domains)


def _first_rows(problem: SchedulingProblem, known: dict[BandGroup, Tree]) -> BandGroup:
    """The rows of a component; what sequential ones leave below them is scheduled to choose, and goes to `known`.

    A loop that data end is taken as it is: the host has to stop behind each round.
    A loop of the source is taken where it is parallel, and where it is sequential and leaves nothing sequential below
    it; else the row whose chain is shortest, of several the source's.  Raises NoSchedule.
    """
    if any(s.kind is StatementKind.LEAVE and problem.free_depths(s.name) for s in problem.statements.values()):
        rounds = source_row(problem)
        if rounds is None:
            raise NoSchedule("a loop that data end is no loop around all that is in it")
        return rounds
    found = parallel_rows(problem)
    if found is not None:
        return found
    source = source_row(problem)
    if source is None:
        return any_rows(problem)
    if not is_skewable(problem):
        return source
    try:
        with quotas.operation_quota(_OTHER_ROWS):
            skewed = skewed_rows(problem)
    except quotas.OperationQuotaExceeded:
        skewed = None
    if skewed is not None:
        return skewed
    tree = known[source] = _tree(problem, source, known)
    assert isinstance(tree, Band)
    return (_shortest if is_sequential(tree.child) else _nearest_of_loops)(problem, source, known)


def _shortest(problem: SchedulingProblem, source: BandGroup, known: dict[BandGroup, Tree]) -> BandGroup:
    """Of the sequential rows that there are, `source` among them, that with the shortest chain; of several that with
    the fewest lines of memory.
    """
    domains = nominal_domains(problem)
    best, length = [(source, known[source])], chain(known[source], domains)
    try:
        with quotas.operation_quota(_OTHER_ROWS):
            for group, tree in _trees(problem, sequential_rows(problem, source), known):
                steps = chain(tree, domains)
                if steps <= length:
                    best = [(group, tree)] if steps < length else [*best, (group, tree)]
                    length = steps
            return _nearest(problem, best, known)
    except quotas.OperationQuotaExceeded:  # those that have been looked at are enough
        group, known[group] = best[0]
        return group


def _nearest_of_loops(problem: SchedulingProblem, source: BandGroup, known: dict[BandGroup, Tree]) -> BandGroup:
    """Of the loops of the source that may run in order, `source` the outermost, that with the fewest lines of memory.

    All but those with twice the steps of another one; what is all that a thread has left to do takes as many steps by
    any row, as it goes through the same instances.
    """
    trees = [(source, known[source])]
    try:
        with quotas.operation_quota(_OTHER_ROWS):
            trees += _trees(problem, inner_rows(problem), known)
            if len(trees) > 1 and not (problem.is_in_thread and all(_is_path(tree) for _, tree in trees)):
                domains = nominal_domains(problem)
                steps = [chain(tree, domains) for _, tree in trees]
                trees = [each for each, length in zip(trees, steps, strict=True) if length < 2 * min(steps)]
            return _nearest(problem, trees, known)
    except quotas.OperationQuotaExceeded:
        return source


def _trees(
    problem: SchedulingProblem, groups: Iterable[BandGroup], known: Mapping[BandGroup, Tree]
) -> Iterator[tuple[BandGroup, Tree]]:
    """The groups that leave something that can be scheduled, each with its tree."""
    for group in groups:
        try:
            yield group, _tree(problem, group, known)
        except NoSchedule:
            continue


def _is_path(tree: Tree) -> bool:
    """Whether a row is all that is left."""
    return isinstance(tree, Band) and not (has_parallelism(tree) or is_sequential(tree.child))


def _nearest(problem: SchedulingProblem, trees: Seq[tuple[BandGroup, Tree]], known: dict[BandGroup, Tree]) -> BandGroup:
    """Of sequential rows that with the fewest lines of memory, the first one of several; its tree goes to `known`."""
    bands = [tree for _, tree in trees if isinstance(tree, Band)]
    best = problem.locality.nearest(problem.around, bands) if problem.locality and len(bands) > 1 else 0
    group, known[group] = trees[best]
    return group
