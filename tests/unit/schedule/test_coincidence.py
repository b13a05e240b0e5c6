"""Whether a row can keep all pairs together: linear algebra beside what isl's ILP finds."""

from __future__ import annotations

import pytest

from pencilc.schedule.coincidence import may_keep_all_together
from pencilc.schedule.flags import flag_of
from pencilc.schedule.pluto import ilp_rows
from pencilc.schedule.problem import SchedulingProblem
from tests.unit.schedule.problems import functions, problem, statement

S = statement("[n] -> { S[i, j] : 0 <= i, j < n }", 0, 1)
T = statement("[n] -> { T[i, j] : 0 <= i, j < n }", 0, 1)
LINE = statement("[n] -> { L[i] : 0 <= i < n }", 0)
CUBE = statement("[n] -> { C[t, i, j] : 0 <= t, i, j < n }", 0, 1, 2)
ALONG = "[n] -> { S[i, j] -> S[i, j + 1] : 0 <= i < n and 0 <= j < n - 1 }"
DOWN = "[n] -> { S[i, j] -> S[i + 1, j] : 0 <= i < n - 1 and 0 <= j < n }"
AROUND = "[n] -> { S[i, j] -> S[i, k] : 0 <= i < n and j = n - 1 and k = 0 }"
AHEAD = "[n] -> { C[t, i, j] -> C[t + 1, i, j] : 0 <= t < n - 1 and 0 <= i, j < n }"
TORUS = """[n] -> { C[t, i, j] -> C[t + 1, k, j] : 0 <= t < n - 1 and 0 <= i, j < n and (k = i - 1 or k = i + 1 or
                    (i = 0 and k = n - 1) or (i = n - 1 and k = 0)) and 0 <= k < n;
                    C[t, i, j] -> C[t + 1, i, k] : 0 <= t < n - 1 and 0 <= i, j < n and (k = j - 1 or k = j + 1 or
                    (j = 0 and k = n - 1) or (j = n - 1 and k = 0)) and 0 <= k < n }"""

PROBLEMS = {
    "no pairs": (problem([S]), True),
    "along": (problem([S], ALONG), True),
    "skewed": (problem([S], "[n] -> { S[i, j] -> S[i + 1, j - 1] : 0 <= i < n - 1 and 0 < j < n }"), True),
    "both": (problem([S], ALONG.replace("}", ";") + DOWN.removeprefix("[n] -> {")), False),
    "both, relaxed": (problem([S], ALONG, relaxed=DOWN), False),
    "around": (problem([S], AROUND), True),
    "ahead": (problem([CUBE], AHEAD), True),
    "torus": (problem([CUBE], TORUS), False),
    "found already": (problem([S], ALONG).below([functions("[n] -> { S[i, j] -> [(i)] }")]), False),
    "one behind": (
        problem([S, T], "[n] -> { S[i, j] -> T[i, k] : j <= k and 0 <= i, j, k < n; T[i, j] -> S[i + 1, j] : "
                        "0 <= i < n - 1 and 0 <= j < n }"), False),
    "apart by one": (
        problem([S, T], "[n] -> { S[i, j] -> T[i + 1, j] : 0 <= i < n - 1 and 0 <= j < n; T[i, j] -> S[i, j + 1] : "
                        "0 <= i < n and 0 <= j < n - 1 }"), True),
    "of other depths": (problem([LINE, S], "[n] -> { L[i] -> S[i, j] : 0 <= i, j < n }"), True),
    "transposed": (problem([S, T], "[n] -> { S[i, j] -> T[j, i] : 0 <= i, j < n }"), True),
    "every second": (
        problem([LINE], "[n] -> { L[i] -> L[i + 2] : 0 <= i < n - 2 and i mod 2 = 0 }"), False),
    "out of reach": (problem([LINE], "[n] -> { L[i] -> L[i + 1] : i >= n }"), True),
    "not in this context": (
        problem([LINE], "[n] -> { L[i] -> L[i + 1] : 0 <= i < n - 1 }", context="[n] -> { : n = 1 }"), True),
    "one without loops": (problem([statement("{ P[] }"), S], "[n] -> { P[] -> S[i, j] : 0 <= i, j < n }"), False),
}  # fmt: skip


def parallel(made: SchedulingProblem) -> bool:
    """Whether isl finds a parallel row."""
    return any(flag_of(made.validity, made.relaxed, row) == "P" for row in ilp_rows(made))


@pytest.mark.parametrize("name", PROBLEMS)
def test_whether_there_may_be_a_row(name: str) -> None:
    made, wanted = PROBLEMS[name]
    assert may_keep_all_together(made) is wanted


@pytest.mark.parametrize("name", PROBLEMS)
def test_no_row_is_lost(name: str) -> None:
    made, _ = PROBLEMS[name]
    assert may_keep_all_together(made) or not parallel(made)
