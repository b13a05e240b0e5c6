"""The outermost rows of one component."""

from __future__ import annotations

import pytest

from pencilc.schedule.problem import NoSchedule
from pencilc.schedule.rows import common_loops, first_rows
from tests.unit.schedule.problems import factors, problem, statement, summaries

S = statement("{ S[i, j] : 0 <= i, j < 10 }", 0, 1)
T = statement("{ T[i, j] : 0 <= i, j < 10 }", 0, 2)


def test_parallel_loops_come_first_also_from_inside() -> None:
    found = first_rows(problem([S]))
    assert summaries([found]) == ["PP S"]
    inner = first_rows(problem([S], "{ S[i, j] -> S[i + 1, j] }"))
    assert summaries([inner]) == ["P S"] and factors(inner.rows[0]) == {"S": (0, 1)}


def test_reduction_rows_where_nothing_is_parallel() -> None:
    found = first_rows(problem([S], relaxed="{ S[i, j] -> S[k, l] : i < k and j < l }"))
    assert summaries([found]) == ["RR S"]
    with_kept = first_rows(problem([S], relaxed="{ S[i, j] -> S[i, k] : j < k }"))
    assert summaries([with_kept]) == ["P S"]


def test_one_sequential_row_where_every_loop_carries_a_dependence() -> None:
    found = first_rows(problem([S], "{ S[i, j] -> S[i + 1, j]; S[i, j] -> S[i, j + 1] }"))
    assert summaries([found]) == ["s S"] and factors(found.rows[0]) == {"S": (1, 0)}


def test_a_loop_that_counts_down_is_run_backwards() -> None:
    down = statement("{ S[i] : 0 <= i < 10 }", 0, step=-1)
    found = first_rows(problem([down], "{ S[i] -> S[i - 1] }"))
    assert summaries([found]) == ["s S"] and factors(found.rows[0]) == {"S": (-1,)}


def test_a_skewed_row_where_no_loop_of_the_source_is_parallel() -> None:
    found = first_rows(problem([S], "{ S[i, j] -> S[i + 1, j - 1] : 0 <= i < 9 and 0 < j < 10 }"))
    assert summaries([found]) == ["P S"]
    assert factors(found.rows[0]) in ({"S": (1, 1)}, {"S": (-1, -1)})


def test_only_loops_around_all_statements_are_theirs() -> None:
    assert [depth for depth, _ in common_loops(problem([S, T]))] == [0]
    assert summaries([first_rows(problem([S, T]))]) == ["P S T"]


def test_a_statement_without_loops_needs_no_row() -> None:
    assert summaries([first_rows(problem([statement("{ S[] }")]))]) == ["- S"]


def test_an_order_that_no_loop_can_give_is_no_schedule() -> None:
    alone = [statement("{ S[] }"), statement("{ T[] }")]
    with pytest.raises(NoSchedule, match="no loop orders"):
        first_rows(problem(alone, "{ S[] -> T[]; T[] -> S[] }"))


def test_pairs_in_both_directions_are_no_schedule() -> None:
    line = statement("{ S[i] : 0 <= i < 10 }", 0)
    with pytest.raises(NoSchedule, match="isl finds no row"):
        first_rows(problem([line], "{ S[i] -> S[i + 1] : 0 <= i < 9; S[i] -> S[i - 1] : 0 < i < 10 }"))
