"""What the scheduler works on: parts of a problem, what is left below rows, the linear algebra of rows."""

from __future__ import annotations

import pytest

from pencilc.analysis.vectors import independent
from pencilc.ir.scop import StatementKind
from pencilc.schedule.problem import NoSchedule, problem_of, textual_order, vector_of
from tests.unit.records import BINS, ROW_SUMS, SUM, dependences, modelled
from tests.unit.schedule.problems import functions, problem, statement

S = statement("{ S[i, j] : 0 <= i, j < 10 }", 0, 1)
T = statement("{ T[i, j] : 0 <= i, j < 10 }", 0, 2)
ROW = functions("{ S[i, j] -> [(i)] }", "{ T[i, j] -> [(i)] }")


def test_below_a_row_only_pairs_that_are_equal_on_it_are_left() -> None:
    relaxed = "{ S[i, j] -> S[i + 1, k]; T[i, j] -> T[k, j + 1] }"
    found = problem([S, T], "{ S[i, j] -> T[i, j]; S[i, j] -> S[i + 1, j]; T[i, j] -> T[i, j + 1] }", relaxed)
    below = found.below([ROW])
    assert set(found.validity) == {("S", "T"), ("S", "S"), ("T", "T")}
    assert set(below.validity) == {("S", "T"), ("T", "T")}
    assert set(below.relaxed) == {("T", "T")}
    assert below.fixed == {"S": ((1, 0),), "T": ((1, 0),)}


def test_below_no_row_nothing_changes() -> None:
    found = problem([S, T], "{ S[i, j] -> T[i, j] }", "{ S[i, j] -> S[i + 1, j] }", "{ S[i, j] -> T[i, j + 1] }")
    below = found.below([])
    assert all(below.fixed[name] == () for name in "ST")
    for kind in ("validity", "relaxed", "proximity"):
        assert getattr(below, kind).keys() == getattr(found, kind).keys()


def test_the_part_of_some_statements_has_the_pairs_between_them() -> None:
    found = problem([S, T], "{ S[i, j] -> T[i, j]; S[i, j] -> S[i + 1, j] }", proximity="{ S[i, j] -> T[i, j] }")
    only = found.divided([["S"]])[0]
    assert only.names == ("S",)
    assert set(only.validity) == {("S", "S")} and not only.proximity


def test_loops_that_rows_determine_are_not_free() -> None:
    assert problem([S, T]).free_depths("S") == (0, 1)
    assert problem([S, T]).below([ROW]).free_depths("S") == (1,)
    skewed = functions("{ S[i, j] -> [(i + j)] }", "{ T[i, j] -> [(i)] }")
    assert problem([S, T]).below([skewed]).free_depths("S") == (0, 1)
    assert problem([S, T]).below([skewed, ROW]).free_depths("S") == ()


def test_rank() -> None:
    assert independent((1, 0), [(1, 1)])
    assert not independent((2, 2), [(1, 1)])
    assert not independent((0, 1), [(1, 1), (1, 0)])
    assert not independent((0, 0), [])


def test_a_row_that_is_not_linear_has_no_vector() -> None:
    assert vector_of(functions("{ S[i, j] -> [(2i - j + 3)] }")["S"]) == (2, -1)
    with pytest.raises(NoSchedule, match="not affine"):
        vector_of(functions("{ S[i, j] -> [(i)] : i > 3; S[i, j] -> [(j)] : i <= 3 }")["S"])


def test_a_merge_node_follows_its_last_update() -> None:
    scop = modelled("float s; INIT(&s, zero); FOR(i, n) { UPDATE(&s, a[i], add); UPDATE(&s, b[i], add); } c[0] = s;")
    order = textual_order(scop)
    (reduction,) = scop.reductions
    assert sorted(order, key=lambda name: order[name])[-2:] == ["M0", "S4"]
    assert order[reduction.updates[-1]] < order["M0"] < order["S4"]


def test_initialisations_and_kills_are_not_scheduled() -> None:
    scop = modelled(SUM)
    found = problem_of(scop, dependences(SUM))
    absent = {s.name for s in scop.statements if s.kind in (StatementKind.INIT, StatementKind.KILL)}
    assert len(absent) == 2
    assert set(found.names) == {s.name for s in scop.statements} - absent


def test_an_accumulator_of_a_loop_keeps_its_updates_together() -> None:
    assert problem_of(modelled(ROW_SUMS), dependences(ROW_SUMS)).together == ((1, frozenset(("S1", "M0"))),)
    assert problem_of(modelled(SUM), dependences(SUM)).together == ()
    assert problem_of(modelled(BINS), dependences(BINS)).together == ()
