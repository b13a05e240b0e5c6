"""Checks of a finished schedule that do not use the scheduler's own reasoning.

Every statement stands in the tree once, every dependence runs lexicographically forward in isl's own
map of the tree, and every flag holds on the distances of the pairs that the outer rows leave equal.
"""

from __future__ import annotations

import islpy as isl

from pencilc import islx
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.schedule import Band, Leaf, ScheduledScop, Tree, statements_of
from pencilc.schedule.problem import scheduled_statements
from pencilc.schedule.tree import tree_to_isl


def verify(scheduled: ScheduledScop) -> None:
    """Raise CompilerBug unless `scheduled` is legal; a region without a tree keeps the source order."""
    verify_coverage(scheduled)
    if scheduled.sequential or not statements_of(scheduled.tree):
        return
    _check_order(scheduled)
    dependences = scheduled.dependences
    _check_flags(scheduled.tree, islx.maps_of(dependences.validity), islx.maps_of(dependences.relaxed))


def verify_coverage(scheduled: ScheduledScop) -> None:
    """Raise CompilerBug unless every statement that is generated stands in the tree once."""
    if scheduled.sequential:
        return
    wanted = {s.name for s in scheduled_statements(scheduled.scop, scheduled.dependences)}
    found = statements_of(scheduled.tree)
    if sorted(found) != sorted(wanted):
        raise CompilerBug(f"the schedule covers {sorted(found)} instead of {sorted(wanted)}")


def _check_order(scheduled: ScheduledScop) -> None:
    times = {islx.in_name(m): m for m in islx.maps_of(tree_to_isl(scheduled).get_map())}
    for relation in islx.maps_of(scheduled.dependences.validity):
        before = times[islx.in_name(relation)]
        after = times[islx.out_name(relation)]
        wrong = relation.intersect(before.lex_ge_map(after))
        if not wrong.is_empty():
            raise CompilerBug(f"the schedule violates {wrong}")


def _check_flags(tree: Tree, validity: list[isl.Map], relaxed: list[isl.Map]) -> None:
    if isinstance(tree, Leaf):
        return
    if not isinstance(tree, Band):
        owner = {name: number for number, child in enumerate(tree.children) for name in statements_of(child)}
        kinds = [_inside(relations, owner, len(tree.children)) for relations in (validity, relaxed)]
        for child, inner, orderless in zip(tree.children, *kinds, strict=True):
            _check_flags(child, inner, orderless)
        return
    for row in tree.rows:
        functions = {n: isl.Map.from_pw_aff(f) for n, f in islx.pw_affs_of(row.function).items()}
        hard = all(_is_zero(m, functions) for m in validity)
        soft = all(_is_zero(m, functions) for m in relaxed)
        actual = "P" if hard and soft else "R" if hard else "s"
        if "PRs".index(row.flag) < "PRs".index(actual):
            raise CompilerBug(f"row {row.function} is flagged {row.flag} and is {actual}")
        if row.flag == "s":
            validity, relaxed = _equal(validity, functions), _equal(relaxed, functions)
    for row in tree.rows:
        functions = {n: isl.Map.from_pw_aff(f) for n, f in islx.pw_affs_of(row.function).items()}
        validity, relaxed = _equal(validity, functions), _equal(relaxed, functions)
    _check_flags(tree.child, validity, relaxed)


def _inside(relations: list[isl.Map], owner: dict[str, int], count: int) -> list[list[isl.Map]]:
    """The relations inside each of `count` children, `owner` tells which a statement stands in."""
    found: list[list[isl.Map]] = [[] for _ in range(count)]
    for relation in relations:
        number = owner.get(islx.in_name(relation))
        if number is not None and number == owner.get(islx.out_name(relation)):
            found[number].append(relation)
    return found


def _is_zero(relation: isl.Map, functions: dict[str, isl.Map]) -> bool:
    """Whether `{ [f(source)] -> [f(target)] }` has no distance but zero."""
    source, target = functions[islx.in_name(relation)], functions[islx.out_name(relation)]
    distances = relation.apply_domain(source).apply_range(target).deltas()
    return bool(distances.is_subset(isl.Set("{ [0] }")))


def _equal(relations: list[isl.Map], functions: dict[str, isl.Map]) -> list[isl.Map]:
    kept: list[isl.Map] = []
    for relation in relations:
        same = functions[islx.in_name(relation)].apply_range(functions[islx.out_name(relation)].reverse())
        rest = relation.intersect(same)
        if not rest.is_empty():
            kept.append(rest)
    return kept
