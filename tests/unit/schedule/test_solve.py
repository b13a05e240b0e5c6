"""The whole search: components, rows, fusion, and the same again inside."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
import pytest

from pencilc.ir.schedule import Band, Row
from pencilc.schedule.problem import NoSchedule
from pencilc.schedule.solve import solve
from tests.unit.schedule.problems import factors, problem, statement, text

S = statement("{ S[i, j] : 0 <= i, j < 10 }", 0, 1)
M = statement("{ M[i] : 0 <= i < 10 }", 0)
T = statement("{ T[i] : 0 <= i < 10 }", 2)
U = statement("{ U[i] : 0 <= i < 10 }", 3)


def test_row_sums() -> None:
    found = problem([S, M], "{ S[i, j] -> M[i] }", "{ S[i, j] -> S[i, k] : j < k }", together=[(1, "S M")])
    assert text(solve(found)) == "[P]{ [R]{ S }; M }"


def test_rows_with_one_flag_are_one_band() -> None:
    tree = solve(problem([S]))
    assert text(tree) == "[PP]{ S }"
    assert isinstance(tree, Band) and [factors(row) for row in tree.rows] == [{"S": (1, 0)}, {"S": (0, 1)}]


def test_an_inner_row_that_is_parallel_in_an_iteration_only_is_a_band_of_its_own() -> None:
    assert text(solve(problem([S], "{ S[i, j] -> S[i + 1, k] }"))) == "[s]{ [P]{ S } }"


def test_sequential_rows_stay_apart() -> None:
    assert text(solve(problem([S], "{ S[i, j] -> S[i + 1, j]; S[i, j] -> S[i, j + 1] }"))) == "[s]{ [s]{ S } }"


LARGE = statement("[n] -> { S[i, j] : 0 <= i, j < n }", 0, 1)
ONWARD = "[n] -> { S[i, j] -> S[i + 1, j] : i < n - 1; S[i, j] -> S[i, j + 1] : j < n - 1 }"


def test_a_front_where_it_makes_the_chain_of_steps_shorter() -> None:
    tree = solve(problem([LARGE], ONWARD))
    assert text(tree) == "[s]{ [P]{ S } }"
    assert isinstance(tree, Band) and factors(tree.rows[0]) == {"S": (1, 1)}


def test_a_loop_of_few_iterations_is_no_front() -> None:
    few = statement("[n] -> { S[i, j] : 0 <= i < n and 0 <= j < 4 }", 0, 1)
    assert text(solve(problem([few], ONWARD))) == "[s]{ [s]{ S } }"


UPDATE = statement("[n] -> { S[i, j, k] : 0 <= k < j < i < n }", 0, 1, 2)
SCALE = statement("[n] -> { T[i, j] : 0 <= j < i < n }", 0, 1)
FACTORISATION = """[n] -> {
    S[i, j, k] -> S[i, j, k + 1] : 0 <= k < j - 1 and j < i < n; S[i, j, k] -> T[i, j] : 0 <= k < j < i < n;
    T[i, k] -> S[i, j, k] : 0 <= k < j < i < n; T[j, k] -> S[i, j, k] : 0 <= k < j < i < n
}"""


def test_the_sequential_row_of_a_factorisation_is_the_innermost_loop() -> None:
    tree = solve(problem([UPDATE, SCALE], FACTORISATION))
    assert isinstance(tree, Band) and factors(tree.rows[0]) == {"S": (0, 0, 1), "T": (0, 1)}
    assert "s" not in text(tree).removeprefix("[s]")


def test_a_factorisation_with_its_sum_in_a_local_goes_column_by_column() -> None:
    tree = solve(problem([UPDATE, SCALE], FACTORISATION, together=[(2, "S T")]))
    assert isinstance(tree, Band) and factors(tree.rows[0]) == {"S": (0, 1, 0), "T": (0, 1)}
    assert text(tree) == "[s]{ [P]{ [s]{ S }; T } }"


BEGIN = statement("[n] -> { B[i] : 0 <= i < n }", 0)
TAKE = statement("[n] -> { S[i, j] : 0 <= j < i < n }", 0, 1)
END = statement("[n] -> { T[i] : 0 <= i < n }", 0)
TRIANGLE = """[n] -> {
    B[i] -> S[i, 0] : 0 < i < n; B[i] -> T[i] : 0 <= i < n; S[i, j] -> S[i, j + 1] : 0 <= j < i - 1 and i < n;
    S[i, j] -> T[i] : 0 <= j < i < n; T[j] -> S[i, j] : 0 <= j < i < n
}"""
ORDERED = "[s]{ B; [s]{ S }; T }"


@pytest.mark.parametrize(
    ("given", "is_scalar", "expected"),
    [
        ("{ A[a] : 0 <= a < n }", True, "[P]{ B }; [s]{ T; [P]{ S } }"),
        ("{ A[a] : 0 <= a < n - 1 }", True, ORDERED),  # no array has as many elements
        ("{ A[a, b] : 0 <= a < 4 and 0 <= b < n }", True, "[P]{ B }; [s]{ T; [P]{ S } }"),
        ("{ A[a] : 0 <= a < n }", False, ORDERED),  # a local array
    ],
)
def test_a_triangular_system_by_way_of_a_scalar(given: str, is_scalar: bool, expected: str) -> None:
    """With a value for each iteration it goes column by column, where there is room for these values."""
    found = problem([BEGIN, TAKE, END], TRIANGLE, together=[(1, "B S T")])
    scalars = frozenset(found.together) if is_scalar else frozenset()
    found = replace(found, scalars=scalars, given=(isl.Set(f"[n] -> {given}"),))
    assert text(solve(found)) == expected
    # A thread has one value.
    around = (Row("P", isl.UnionPwAff("{ B[i] -> [(0)] }")),)
    assert text(solve(replace(found, around=around))) == ORDERED


PAIRS = [
    statement("[n, m] -> { S[i, j, k] : 0 <= i, j < n and 0 <= k < m }", 0, 1, 2),
    statement("[n, m] -> { T[i, j] : 0 <= i, j < n }", 0, 1),
]
IN_ORDER = """[n, m] -> {
    S[i, j, k] -> S[i, j, k + 1] : 0 <= i, j < n and 0 <= k < m - 1;
    S[i, j, k] -> T[i, j] : 0 <= i, j < n and 0 <= k < m;
    T[i, j] -> T[i, j + 1] : 0 <= i < n and 0 <= j < n - 1; T[i, j] -> T[x, y] : 0 <= i < x < n and 0 <= j, y < n
}"""


@pytest.mark.parametrize(
    ("given", "is_limited", "expected"),
    [
        ("{ A[a] : 0 <= a < n }", False, "[PP]{ [s]{ S } }; [s]{ [s]{ T } }"),
        ("{ A[a] : 0 <= a < n }", True, "[s]{ [P]{ [s]{ S } }; [s]{ T } }"),  # the values of one i have room
        ("{ A[a] : 0 <= a < n - 1 }", True, "[s]{ [s]{ [s]{ S }; T } }"),
        ("{ A[a, b] : 0 <= a, b < n }", True, "[PP]{ [s]{ S } }; [s]{ [s]{ T } }"),
    ],
)
def test_a_scalar_that_is_limited_has_as_many_values_as_an_array_has_elements(
    given: str, is_limited: bool, expected: str
) -> None:
    found = problem(PAIRS, IN_ORDER, together=[(2, "S T")])
    scalars = frozenset(found.together)
    limited = scalars if is_limited else frozenset()
    found = replace(found, scalars=scalars, limited=limited, given=(isl.Set(f"[n, m] -> {given}"),))
    assert text(solve(found)) == expected


def test_values_of_iterations_where_nothing_waits_for_less() -> None:
    """`t = a[i]; sum[0] += t;`: the sum takes as many steps."""
    found = problem([BEGIN, END], "[n] -> { B[i] -> T[i] : 0 <= i < n; T[i] -> T[i + 1] : 0 <= i < n - 1 }",
                    together=[(1, "B T")])  # fmt: skip
    found = replace(found, scalars=frozenset(found.together), given=(isl.Set("[n] -> { A[a] : 0 <= a < n }"),))
    assert text(solve(found)) == "[s]{ B; T }"


def test_a_row_around_two_loops_stays_around_them() -> None:
    inner = statement("{ S[i, j] : 0 <= i, j < 10 }", 0, 1), statement("{ T[i, j] : 0 <= i, j < 10 }", 0, 2)
    shifted = "{ S[i, j] -> T[i, k] : j < k }"
    assert text(solve(problem(inner, shifted, together=[(1, "S T")]))) == "[P]{ [P]{ S }; [P]{ T } }"


def test_fusion_only_where_it_is_asked_for() -> None:
    same = "{ T[i] -> U[i] }"
    assert text(solve(problem([T, U], same))) == "[P]{ T; U }"
    assert text(solve(problem([T, U], same, fuses=False))) == "[P]{ T }; [P]{ U }"


def test_what_depends_on_another_comes_behind_it() -> None:
    assert text(solve(problem([T, U], "{ U[i] -> T[j] : 0 <= i, j < 10 }"))) == "[P]{ U }; [P]{ T }"


def test_a_statement_without_loops_is_a_leaf() -> None:
    assert text(solve(problem([statement("{ S[] }")]))) == "S"


def test_no_schedule_is_told() -> None:
    with pytest.raises(NoSchedule):
        solve(problem([statement("{ S[] }"), statement("{ T[] }")], "{ S[] -> T[]; T[] -> S[] }"))
