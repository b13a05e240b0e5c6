"""The cheapest plan of a small graph."""

from __future__ import annotations

from pencilc.gpu.fusion.exact import LaunchGroup, Value, cheapest
from pencilc.gpu.fusion.graph import Graph

CHAIN = Graph.of([0b000, 0b001, 0b010])
ALONE = [LaunchGroup(1 << k, "alone", (4.0,), True) for k in range(3)]


def plan(
    graph: Graph, groups: list[LaunchGroup], real: dict[int, Value | None] | None = None, trials: int = 9
) -> list[int] | None:
    """The groups of the cheapest plan; `real`: what those take that are not measured."""
    found = cheapest(graph, [*ALONE, *groups], lambda group: (real or {}).get(group.items), trials)
    return None if found is None else [group.items for group in found]


def test_one_by_one_where_nothing_is_cheaper() -> None:
    assert plan(CHAIN, []) == [1, 2, 4]
    assert plan(CHAIN, [LaunchGroup(0b011, "stitched", (9.0,), True)]) == [1, 2, 4]


def test_a_cheaper_group() -> None:
    assert plan(CHAIN, [LaunchGroup(0b011, "stitched", (7.0,), True)]) == [0b011, 0b100]


def test_of_equal_plans_the_one_with_fewer_groups() -> None:
    alone = [LaunchGroup(1 << k, "alone", (4.0,), True) for k in range(4)]
    groups = [LaunchGroup(0b1100, "packed", (8.0,), True), LaunchGroup(0b0111, "packed", (12.0,), True)]
    found = cheapest(Graph.of([0, 0, 0, 0b0111]), [*alone, *groups], lambda group: None, 0)
    assert found is not None and [g.items for g in found] == [0b0111, 0b1000]


def test_a_cycle_is_no_plan() -> None:
    assert plan(CHAIN, [LaunchGroup(0b101, "packed", (1.0,), True)]) == [1, 2, 4]


def test_a_bound_is_believed_until_it_is_measured() -> None:
    both = [LaunchGroup(0b011, "stitched", (1.0,), False), LaunchGroup(0b110, "stitched", (2.0,), False)]
    assert plan(CHAIN, both, {0b011: (7.5,), 0b110: (6.0,)}) == [0b001, 0b110]
    assert plan(CHAIN, both, {0b011: None, 0b110: (9.0,)}) == [1, 2, 4]


def test_a_group_that_no_best_plan_has_is_never_measured() -> None:
    measured: list[int] = []

    def measure(group: LaunchGroup) -> Value | None:
        measured.append(group.items)
        return (5.0,)

    groups = [LaunchGroup(0b111, "stitched", (3.0,), False), LaunchGroup(0b011, "stitched", (5.0,), False)]
    found = cheapest(CHAIN, [*ALONE, *groups], measure, 9)
    assert found is not None and [g.items for g in found] == [0b111] and measured == [0b111]


def test_too_many_trials_are_given_up() -> None:
    both = [LaunchGroup(0b011, "stitched", (1.0,), False), LaunchGroup(0b110, "stitched", (2.0,), False)]
    assert plan(CHAIN, both, {0b011: (20.0,), 0b110: (20.0,)}, trials=1) is None
    assert plan(CHAIN, both, {0b011: (20.0,), 0b110: (20.0,)}, trials=2) == [1, 2, 4]


def test_the_first_figure_is_the_most_important() -> None:
    alone = [LaunchGroup(1, "alone", (1.0, 9.0), True), LaunchGroup(2, "alone", (1.0, 9.0), True)]
    both = LaunchGroup(3, "packed", (2.0, 1.0), True)
    found = cheapest(Graph.of([0, 0]), [*alone, both], lambda group: None, 0)
    assert found is not None and [g.items for g in found] == [3]


def test_nothing_to_plan() -> None:
    assert cheapest(Graph.of([]), [], lambda group: None, 0) == ()
