"""The source order as a tree."""

from __future__ import annotations

import pytest

from pencilc.schedule.fallback import source_tree
from pencilc.schedule.problem import NoSchedule, problem_of
from tests.unit.records import dependences, modelled
from tests.unit.schedule.problems import factors, problem, statement, text


def tree_of(body: str) -> str:
    """The tree of a region."""
    return text(source_tree(problem_of(modelled(body), dependences(body))))


def test_loops_as_the_source_has_them() -> None:
    assert tree_of("FOR(i, n) a[i] = 1; FOR(i, n) b[i] = a[i];") == "[P]{ S0 }; [P]{ S1 }"
    assert tree_of("FOR(i, n) { a[i] = 1; FOR(j, m) y[i][j] = a[i]; c[i] = 2; }") == "[P]{ S0; [P]{ S1 }; S2 }"


def test_a_merge_node_stands_behind_its_last_update() -> None:
    assert tree_of("FOR(i, n) { INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], x[i][j], add); b[i] = a[i]; }") == (
        "[P]{ [R]{ S1 }; M0; S2 }"
    )


def test_a_merge_node_does_not_cut_the_loop_of_its_updates() -> None:
    body = """float s; INIT(&s, zero);
    FOR(i, n) { UPDATE(&s, a[i], add); b[i] = 1; }
    c[0] = s;"""
    assert tree_of(body) == "[R]{ S2; S3 }; M0; S4"


def test_what_a_dependence_orders_is_sequential() -> None:
    assert tree_of("for (int i = 1; i < n; i++) a[i] = a[i - 1];") == "[s]{ S0 }"


def test_an_inner_loop_is_seen_inside_an_iteration() -> None:
    nest = statement("{ S[i, j] : 0 <= i, j < 10 }", 0, 1)
    assert text(source_tree(problem([nest], "{ S[i, j] -> S[i + 1, k] }"))) == "[s]{ [P]{ S } }"


def test_a_loop_that_counts_down_is_run_backwards() -> None:
    line = statement("{ S[i] : 0 <= i < 10 }", 0, step=-1)
    tree = source_tree(problem([line], "{ S[i] -> S[i - 1] : 0 < i < 10 }"))
    assert text(tree) == "[s]{ S }" and factors(tree.rows[0]) == {"S": (-1,)}  # type: ignore[union-attr]


def test_statements_without_loops_are_a_sequence() -> None:
    assert tree_of("a[0] = 1; a[1] = a[0]; a[0] = 2;") == "S0; S1; S2"


def test_an_order_that_is_not_that_of_the_source_is_no_schedule() -> None:
    with pytest.raises(NoSchedule, match="beyond the iteration"):
        source_tree(problem([statement("{ S[i] : 0 <= i < 10 }", 0)], "{ S[i] -> S[i - 1] : 0 < i < 10 }"))
