"""isl's integer programming on one component."""

from __future__ import annotations

from pencilc.schedule.pluto import ilp_rows
from tests.unit.schedule.problems import factors, functions, problem, statement

S = statement("{ S[i, j] : 0 <= i, j < 10 }", 0, 1)


def test_a_skewed_row() -> None:
    first, *_ = ilp_rows(problem([S], "{ S[i, j] -> S[i + 1, j - 1] : 0 <= i < 9 and 0 < j < 10 }"))
    assert factors(first) in ({"S": (1, 1)}, {"S": (-1, -1)})


def test_pairs_outside_of_the_domain_or_the_context_do_not_count() -> None:
    outside = "{ S[i, j] -> S[i - 1, j] : i = 0 or i > 9 }"
    rows = ilp_rows(problem([S], outside))
    assert len(rows) == 2
    line = statement("[n] -> { S[i] : 0 <= i < n }", 0)
    both = "{ S[i] -> S[i + 1] : i >= 4; S[i] -> S[i - 1] : i >= 5 }"
    assert ilp_rows(problem([line], both)) == []
    assert len(ilp_rows(problem([line], both, context="[n] -> { : n = 5 }"))) == 1


def test_no_row_respects_pairs_in_both_directions() -> None:
    line = statement("{ S[i] : 0 <= i < 10 }", 0)
    assert ilp_rows(problem([line], "{ S[i] -> S[i + 1] : 0 <= i < 9; S[i] -> S[i - 1] : 0 < i < 10 }")) == []


def test_no_row_for_a_statement_without_loops() -> None:
    assert ilp_rows(problem([statement("{ S[] }")])) == []


def test_rows_that_are_there_already_are_left_out() -> None:
    found = ilp_rows(problem([S]).below([functions("{ S[i, j] -> [(j)] }")]))
    assert [factors(row) for row in found] == [{"S": (1, 0)}]


def test_updates_of_one_variable_stay_together_first() -> None:
    (first, *_) = ilp_rows(problem([S], relaxed="{ S[i, j] -> S[k, j] : i < k }"))
    assert factors(first) == {"S": (0, 1)}


def test_statements_that_share_loops_have_one_row_in_them() -> None:
    """Also one whose instances have j = i + 1, of which i + 1 would tell the value as well."""
    whole = statement("[n] -> { S[i, j] : 0 <= i < j < n }", 0, 1)
    line = statement("[n] -> { T[i, j] : 0 <= i < n - 1 and j = i + 1 }", 0, 1)
    onward = """[n] -> { S[i, j] -> S[i, j + 1] : 0 <= i < j < n - 1; S[i, j] -> S[i - 1, j] : 0 < i < j < n;
                         T[i, j] -> S[i, j] : 0 <= i < n - 1 and j = i + 1 }"""
    rows = ilp_rows(problem([whole, line], onward, together=[(2, "S T")]), sharing=True)
    found = [factors(row) for row in rows]
    assert len(found) == 2 and all(row["S"] == row["T"] for row in found)
