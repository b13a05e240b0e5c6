"""The outermost rows of one component."""

from __future__ import annotations

import pytest

from pencilc.schedule.problem import NoSchedule
from pencilc.schedule.rows import (
    BandGroup,
    any_rows,
    common_loops,
    is_skewable,
    parallel_rows,
    sequential_rows,
    skewed_rows,
    source_row,
)
from tests.unit.schedule.problems import factors, problem, statement, summaries

S = statement("{ S[i, j] : 0 <= i, j < 10 }", 0, 1)
T = statement("{ T[i, j] : 0 <= i, j < 10 }", 0, 2)
BOTH = "{ S[i, j] -> S[i + 1, j]; S[i, j] -> S[i, j + 1] }"


def found(group: BandGroup | None) -> BandGroup:
    """The rows, which there are."""
    assert group is not None
    return group


def test_parallel_loops_come_first_also_from_inside() -> None:
    assert summaries([found(parallel_rows(problem([S])))]) == ["PP S"]
    inner = found(parallel_rows(problem([S], "{ S[i, j] -> S[i + 1, j] }")))
    assert summaries([inner]) == ["P S"] and factors(inner.rows[0]) == {"S": (0, 1)}


def test_reduction_rows_where_nothing_is_parallel() -> None:
    rows = found(parallel_rows(problem([S], relaxed="{ S[i, j] -> S[k, l] : i < k and j < l }")))
    assert summaries([rows]) == ["RR S"]
    with_kept = found(parallel_rows(problem([S], relaxed="{ S[i, j] -> S[i, k] : j < k }")))
    assert summaries([with_kept]) == ["P S"]


def test_the_loop_of_the_source_where_every_loop_carries_a_dependence() -> None:
    carried = problem([S], BOTH)
    assert parallel_rows(carried) is None
    row = found(source_row(carried))
    assert summaries([row]) == ["s S"] and factors(row.rows[0]) == {"S": (1, 0)}


def test_a_loop_that_counts_down_is_run_backwards() -> None:
    down = statement("{ S[i] : 0 <= i < 10 }", 0, step=-1)
    row = found(source_row(problem([down], "{ S[i] -> S[i - 1] }")))
    assert summaries([row]) == ["s S"] and factors(row.rows[0]) == {"S": (-1,)}


def test_a_skewed_row_where_no_loop_of_the_source_is_parallel() -> None:
    skewed = problem([S], "{ S[i, j] -> S[i + 1, j - 1] : 0 <= i < 9 and 0 < j < 10 }")
    assert parallel_rows(skewed) is None and is_skewable(skewed)
    row = found(skewed_rows(skewed))
    assert summaries([row]) == ["P S"] and factors(row.rows[0]) in ({"S": (1, 1)}, {"S": (-1, -1)})


def test_the_rows_of_a_band_and_their_front() -> None:
    carried = problem([S], BOTH)
    rows = [factors(group.rows[0])["S"] for group in sequential_rows(carried, found(source_row(carried)))]
    assert rows == [(0, 1), (1, 1)]
    assert skewed_rows(carried) is None


def test_rows_that_must_be_shared_combine_no_other_loop() -> None:
    deep = statement("{ T[i, j, k] : 0 <= i, j, k < 10 }", 0, 1, 2)
    carried = problem(
        [S, deep],
        "{ S[i, j] -> T[i, j, k]; T[i, j, k] -> T[i, j, k + 1]; T[i, j, k] -> S[i + 1, j]; T[i, j, k] -> S[i, j + 1] }",
        together=[(2, "S T")],
    )
    rows = [factors(group.rows[0]) for group in sequential_rows(carried, found(source_row(carried)))]
    assert {"S": (1, 1), "T": (1, 1, 0)} in rows
    assert all(row["T"] is not None and row["T"][:2] == row["S"] and row["T"][2] == 0 for row in rows)


def test_what_a_front_and_other_rows_determine_is_no_row_below_it() -> None:
    carried = problem([S], BOTH)
    (*_, front) = sequential_rows(carried, found(source_row(carried)))
    below = found(parallel_rows(carried.below(front.rows)))
    assert summaries([below]) == ["P S"] and factors(below.rows[0]) == {"S": (1, 0)}


def test_no_combined_loops_where_a_statement_has_none_left() -> None:
    line = statement("{ T[i] : 0 <= i < 10 }", 0)
    assert not is_skewable(problem([line]))
    inside = problem([S, line], "{ S[i, j] -> T[i] }")
    assert is_skewable(inside) and not is_skewable(inside.below(found(source_row(inside)).rows))


def test_only_loops_around_all_statements_are_theirs() -> None:
    assert [depth for depth, _ in common_loops(problem([S, T]))] == [0]
    assert summaries([found(parallel_rows(problem([S, T])))]) == ["P S T"]


def test_a_statement_without_loops_needs_no_row() -> None:
    assert summaries([found(parallel_rows(problem([statement("{ S[] }")])))]) == ["- S"]


def test_an_order_that_no_loop_can_give_is_no_schedule() -> None:
    alone = [statement("{ S[] }"), statement("{ T[] }")]
    with pytest.raises(NoSchedule, match="no loop orders"):
        parallel_rows(problem(alone, "{ S[] -> T[]; T[] -> S[] }"))


def test_pairs_in_both_directions_are_no_schedule() -> None:
    line = statement("{ S[i] : 0 <= i < 10 }", 0)
    both = problem([line], "{ S[i] -> S[i + 1] : 0 <= i < 9; S[i] -> S[i - 1] : 0 < i < 10 }")
    assert parallel_rows(both) is None and source_row(both) is None
    with pytest.raises(NoSchedule, match="isl finds no row"):
        any_rows(both)
