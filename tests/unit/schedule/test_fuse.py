"""Groups of loops that are fused by aligning their rows."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
import pytest

from pencilc.ir.schedule import Flag, Row
from pencilc.schedule.fuse import fuse, join
from tests.unit.records import modelled
from tests.unit.schedule.problems import factors, functions, group, problem, statement, summaries

S = statement("{ S[i] : 0 <= i < 10 }", 0)
T = statement("{ T[i] : 0 <= i < 10 }", 1)
U = statement("{ U[i] : 0 <= i < 10 }", 2)
SHORT = statement("{ T[i] : 0 <= i < 9 }", 1)
S_ROW, T_ROW, U_ROW = (functions(f"{{ {name}[i] -> [(i)] }}") for name in "STU")
PARALLEL = [group("P", S_ROW), group("P", T_ROW)]
S2 = statement("{ S[i, j] : 0 <= i, j < 10 }", 0, 1)
T2 = statement("{ T[i, j] : 0 <= i, j < 10 }", 2, 3)
S_ROWS = [functions(f"{{ S[i, j] -> [({it})] }}") for it in "ij"]
T_ROWS = [functions(f"{{ T[i, j] -> [({it})] }}") for it in "ij"]


def test_parallel_loops_whose_dependences_stay_in_an_iteration_are_one() -> None:
    assert summaries(fuse(problem([S, T], "{ S[i] -> T[i] }"), PARALLEL)) == ["P S T"]


def test_a_dependence_between_iterations_forbids_it() -> None:
    for pairs in ("{ S[i] -> T[j] : 0 <= i, j < 10 }", "{ S[i] -> T[i]; S[i] -> T[i + 1] }"):
        assert summaries(fuse(problem([S, T], pairs), PARALLEL)) == ["P S", "P T"]


def test_loops_between_whose_iterations_there_is_one_distance_are_moved() -> None:
    assert summaries(fuse(problem([S, T], "{ S[i] -> T[i + 1] }"), PARALLEL)) == ["P S T"]


def test_loops_that_have_nothing_to_do_with_each_other_stay_apart() -> None:
    assert summaries(fuse(problem([S, T]), PARALLEL)) == ["P S", "P T"]


def test_loops_that_read_the_same_are_one_if_they_run_over_the_same() -> None:
    shared = "{ S[i] -> T[i] }"
    assert summaries(fuse(problem([S, T], proximity=shared), PARALLEL)) == ["P S T"]
    assert summaries(fuse(problem([S, SHORT], proximity=shared), PARALLEL)) == ["P S", "P T"]


def test_the_iterations_are_compared_within_the_context() -> None:
    one = statement("[n] -> { S[i] : 0 <= i < n }", 0)
    other = statement("[n, m] -> { T[i] : 0 <= i < m }", 1)
    same = problem([one, other], proximity="{ S[i] -> T[i] }", context="[n, m] -> { : n = m }")
    unknown = problem([one, other], proximity="{ S[i] -> T[i] }", context="[n, m] -> { : }")
    assert summaries(fuse(same, PARALLEL)) == ["P S T"]
    assert summaries(fuse(unknown, PARALLEL)) == ["P S", "P T"]


def test_loops_without_iterations_are_one() -> None:
    empty = [statement(f"{{ {name}[i] : 0 <= i < 0 }}", number) for number, name in enumerate("ST")]
    assert summaries(fuse(problem(empty, proximity="{ S[i] -> T[i] }"), PARALLEL)) == ["P S T"]


def test_what_both_reduce_into_one_element_is_in_one_iteration() -> None:
    """a[i] and a[9 - i]: side by side both rows would not be parallel; a dependence does not make them so."""
    for validity in ("{ }", "{ S[i] -> T[i] }"):
        mirrored = problem([S, T], validity, relaxed="{ S[i] -> T[9 - i] }", proximity="{ S[i] -> T[i] }")
        assert summaries(fuse(mirrored, PARALLEL)) == ["P S", "P T"]


@pytest.mark.parametrize(
    ("second", "pairs", "around", "wanted"),
    [
        ("{ T[i] -> [(i)] }", "{ }", "P", ["s S T"]),
        ("{ T[i] -> [(i)] }", "{ S[i] -> T[i + 1]; T[i] -> S[i] }", "P", ["s S T"]),
        ("{ T[i] -> [(i)] }", "{ S[i] -> T[i - 1] }", "P", ["s S", "s T"]),  # backwards
        ("{ T[i] -> [(-i)] }", "{ }", "P", ["s S", "s T"]),  # in the other direction
        ("{ T[i] -> [(i)] }", "{ }", "s", ["s S", "s T"]),  # the host does them
    ],
)
def test_a_loop_in_order_of_a_thread_is_not_cut(second: str, pairs: str, around: Flag, wanted: list[str]) -> None:
    beside = statement("{ T[i] : 0 <= i < 10 }", 0)
    row = Row(around, isl.UnionPwAff("{ S[i] -> [(0)]; T[i] -> [(0)] }"))
    inside = replace(problem([S, beside], pairs), around=(row,))
    assert summaries(fuse(inside, [group("s", S_ROW), group("s", functions(second))])) == wanted


def test_two_loops_in_order_are_two() -> None:
    row = Row("P", isl.UnionPwAff("{ S[i] -> [(0)]; T[i] -> [(0)] }"))
    inside = replace(problem([S, T]), around=(row,))
    assert summaries(fuse(inside, [group("s", S_ROW), group("s", T_ROW)])) == ["s S", "s T"]


def test_a_group_may_pass_others_that_it_does_not_depend_on() -> None:
    groups = [group("P", S_ROW), group("P", T_ROW), group("P", U_ROW)]
    assert summaries(fuse(problem([S, T, U], "{ S[i] -> U[i] }"), groups)) == ["P S U", "P T"]
    assert summaries(fuse(problem([S, T, U], "{ S[i] -> U[i]; T[i] -> U[j] : 0 <= i, j < 10 }"), groups)) == [
        "P S",
        "P T",
        "P U",
    ]


def test_what_has_grown_is_tried_again() -> None:
    """Each reduction joins the loop that makes its values; only then both are reductions over the same elements."""
    last = statement("{ V[i] : 0 <= i < 10 }", 3)
    groups = [*PARALLEL, group("R", U_ROW), group("R", functions("{ V[i] -> [(i)] }"))]
    assert summaries(fuse(problem([S, T, U, last], "{ S[i] -> U[i]; T[i] -> V[i] }"), groups)) == ["R S T U V"]


def test_rows_are_permuted_until_their_dependences_stay_in_an_iteration() -> None:
    swapped = join(problem([S2, T2], "{ S[i, j] -> T[j, i] }"), group("P", *S_ROWS), group("P", *T_ROWS))
    assert swapped is not None and swapped.names == ("S", "T")
    assert [factors(row) for row in swapped.rows] == [{"S": (1, 0), "T": (0, 1)}, {"S": (0, 1), "T": (1, 0)}]


def test_a_band_that_keeps_fewer_rows_than_both_have_is_none() -> None:
    """Only the outer row of each stays in an iteration."""
    found = join(
        problem([S2, T2], "{ S[i, j] -> T[i, k] : 0 <= i, j, k < 10 }"), group("P", *S_ROWS), group("P", *T_ROWS)
    )
    assert found is None
    inner = join(
        problem([S2, T2], "{ S[i, j] -> T[i, k] : 0 <= i, j, k < 10 }"), group("P", *S_ROWS), group("P", T_ROWS[0])
    )
    assert inner is not None and len(inner.rows) == 1


def test_reductions_over_the_same_elements_are_one() -> None:
    groups = [group("R", S_ROW), group("R", T_ROW)]
    assert summaries(fuse(problem([S, T]), groups)) == ["R S T"]
    assert summaries(fuse(problem([S, SHORT]), groups)) == ["R S", "R T"]


def test_what_makes_the_values_of_a_reduction_is_part_of_it() -> None:
    groups = [group("P", S_ROW), group("R", T_ROW)]
    assert summaries(fuse(problem([S, T], "{ S[i] -> T[i] }"), groups)) == ["R S T"]
    assert summaries(fuse(problem([S, T]), groups)) == ["P S", "R T"]


def test_what_a_reduction_leaves_is_used_behind_it() -> None:
    assert summaries(fuse(problem([S, T], "{ S[i] -> T[i] }"), [group("R", S_ROW), group("P", T_ROW)])) == [
        "R S",
        "P T",
    ]


def test_a_sequential_loop_is_never_part_of_another() -> None:
    for flags in ("ss", "sP", "Ps", "sR"):
        groups = [group(flags[0], S_ROW), group(flags[1], T_ROW)]
        assert len(fuse(problem([S, T], "{ S[i] -> T[i] }"), groups)) == 2


def test_rows_whose_lengths_are_the_same_data_are_one() -> None:
    loop = "INIT(&%s[i], zero); for (int j = p[i]; j < %s; j++) UPDATE(&%s[i], z[j], add);"
    for end, found in (("p[i + 1]", ["R S1 S3"]), ("p[i] + 3", ["R S1", "R S3"])):
        body = f"FOR(i, n - 1) {{ {loop % ('a', 'p[i + 1]', 'a')} {loop % ('b', end, 'b')} }}"
        ragged = [s for s in modelled(body).statements if s.is_ragged]
        groups = [group("R", functions(f"{{ {s.name}[i, j] -> [(j)] }}")) for s in ragged]
        assert summaries(fuse(problem(ragged), groups)) == found
