"""Rows of one value are left out."""

from __future__ import annotations

from dataclasses import replace

from pencilc import islx
from pencilc.ir.schedule import Band, Leaf, Row, Sequence
from pencilc.schedule.elide import without_single_values
from pencilc.schedule.problem import problem_of
from pencilc.schedule.solve import solve
from tests.unit.records import dependences, modelled
from tests.unit.schedule.problems import text

LEAVES = (Leaf("S0"), Leaf("S1"))


def before_and_after(body: str) -> tuple[str, str]:
    """The tree that the search finds, and what is left of it."""
    scop = modelled(body)
    tree = solve(problem_of(scop, dependences(body)))
    return text(tree), text(without_single_values(scop, tree))


def test_a_loop_of_one_value() -> None:
    assert before_and_after("FOR(k, 1) FOR(i, n) a[i] = k;") == ("[PP]{ S0 }", "[P]{ S0 }")


def test_the_value_may_be_a_parameter() -> None:
    assert before_and_after("FOR(i, n) if (i == n - 1) a[i] = 1;") == ("[P]{ S0 }", "S0")
    assert before_and_after("FOR(i, n) if (i >= n - 2) a[i] = 1;") == ("[P]{ S0 }", "[P]{ S0 }")


def test_the_value_is_that_of_the_context() -> None:
    assert before_and_after("__pencil_assume(n == 1); FOR(i, n) a[i] = 1;") == ("[P]{ S0 }", "S0")


def test_a_loop_without_a_value_orders_nothing() -> None:
    body = "FOR(i, n) a[i] = 1;"
    scop = modelled(body)
    empty = [replace(s, domain=s.domain.subtract(s.domain)) for s in scop.statements]
    tree = solve(problem_of(scop, dependences(body)))
    assert text(without_single_values(scop.with_statements(empty), tree)) == "S0"


def test_ordinary_loops_stay() -> None:
    assert before_and_after("FOR(i, n) FOR(j, m) x[i][j] = i;") == ("[PP]{ S0 }", "[PP]{ S0 }")


def test_statements_of_different_values_need_their_row() -> None:
    scop = modelled("FOR(i, n) { if (i == 0) a[0] = 1; if (i == 1) b[0] = 2; }")
    domains = [scop.statement(name).domain for name in ("S0", "S1")]
    tree = Band((Row("s", islx.union_pw_aff(islx.row_function(d, 0) for d in domains)),), Sequence(LEAVES))
    assert text(without_single_values(scop, tree)) == "[s]{ S0; S1 }"
    one = Band((Row("s", islx.union_pw_aff([islx.row_function(domains[0], 0)])),), LEAVES[0])
    assert text(without_single_values(scop, one)) == "S0"


def test_a_row_around_one_whose_length_is_data_stays() -> None:
    body = "FOR(k, 1) { INIT(&a[k], zero); for (int j = p[k]; j < p[k + 1]; j++) UPDATE(&a[k], z[j], add); }"
    assert before_and_after(body) == ("[P]{ [R]{ S1 }; M0 }", "[P]{ [R]{ S1 }; M0 }")
