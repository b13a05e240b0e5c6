"""Which statements are one component, and in which order components come."""

from __future__ import annotations

from pencilc.schedule.components import components, dependence_graph
from tests.unit.schedule.problems import functions, problem, statement

S, T, U = (statement(f"{{ {name}[i] : 0 <= i < 10 }}", number) for number, name in enumerate("STU"))


def test_statements_that_wait_for_each_other_are_one() -> None:
    found = problem([S, T, U], "{ S[i] -> T[i]; T[i] -> S[i + 1]; S[i] -> U[i] }")
    assert components(found) == [("S", "T"), ("U",)]


def test_statements_without_dependences_keep_the_order_of_the_text() -> None:
    assert components(problem([S, T, U])) == [("S",), ("T",), ("U",)]
    assert components(problem([U, T, S])) == [("U",), ("T",), ("S",)]


def test_a_dependence_decides_against_the_text() -> None:
    """Of what is ready the first of the text comes first: U waits for nothing."""
    assert components(problem([S, T, U], "{ T[i] -> S[i] }")) == [("T",), ("S",), ("U",)]
    assert components(problem([S, T, U], "{ U[i] -> S[i] }")) == [("T",), ("U",), ("S",)]


def test_a_statement_that_depends_on_itself_is_no_edge() -> None:
    found = problem([S], "{ S[i] -> S[i + 1] }")
    assert dependence_graph(found) == {"S": set()}
    assert components(found) == [("S",)]


def test_what_must_share_rows_is_one_until_it_has_them() -> None:
    found = problem([S, T, U], together=[(1, "S U")])
    assert components(found) == [("S", "U"), ("T",)]
    row = functions("{ S[i] -> [(i)] }", "{ T[i] -> [(i)] }", "{ U[i] -> [(i)] }")
    assert components(found.below([row])) == [("S",), ("T",), ("U",)]


def test_what_shares_fewer_rows_than_it_has_is_apart_below_them() -> None:
    inner = [statement(f"{{ {name}[i, j] : 0 <= i, j < 10 }}", 0, number) for number, name in enumerate("ST", 1)]
    found = problem(inner, together=[(1, "S T")])
    assert components(found) == [("S", "T")]
    assert components(found.below([functions("{ S[i, j] -> [(i)] }", "{ T[i, j] -> [(i)] }")])) == [("S",), ("T",)]


def test_what_stands_between_two_that_are_together_is_drawn_in() -> None:
    found = problem([S, T, U], "{ S[i] -> T[i]; T[i] -> U[i] }", together=[(1, "S U")])
    assert components(found) == [("S", "T", "U")]


def test_nothing_to_schedule() -> None:
    assert components(problem([])) == []
