"""Loops whose bounds are data."""

from __future__ import annotations

import pytest

from pencilc.codegen.astgen import AstFor, AstIf, AstInstance, AstLet, AstNode
from pencilc.ir.build import ZERO
from pencilc.ir.nodes import For
from pencilc.ir.schedule import Band
from pencilc.ir.source import INT, LLONG, Name, walk
from tests.unit.codegen.programs import frame, functions, told

ROWS = "FOR(i, n - 1) { INIT(&a[i], zero); for (int j = p[i]; j < p[i + 1]; j++) UPDATE(&a[i], z[j], add); }"
INSIDE = ROWS.replace("UPDATE(&a[i], z[j]", "FOR(k, 3) UPDATE(&a[i], z[j] * k")


def ast(body: str) -> AstNode:
    """The loops over the reduced rows of the only kernel."""
    made = frame(body)
    assert made.tree is not None
    return made.ast(Band(made.reduced, made.tree), made.kept, made.kept_names, (*made.reduced_names, *made.inner_names))


def bounds(node: AstNode) -> tuple[list[tuple[str, str]], AstFor]:
    """The constants in front of a loop, and the loop."""
    found = []
    while isinstance(node, AstLet):
        found.append((node.name, told(node.value)[0]))
        node = node.body
    assert isinstance(node, AstFor)
    return found, node


def test_the_bounds_stand_right_around_the_loop() -> None:
    lets, loop = bounds(ast(ROWS))
    assert lets == [("j_first", "p[i]"), ("j_end", "p[i + 1]")]
    assert told(loop.lower, loop.upper) == ["j_first", "j_end"] and isinstance(loop.body, AstInstance)


def test_an_affine_bound_stays_in_the_loop() -> None:
    lets, loop = bounds(ast(ROWS.replace("j = p[i]", "j = 0").replace("p[i + 1]", "p[i]")))
    assert lets == [("j_end", "p[i]")] and loop.lower == ZERO and told(loop.upper) == ["j_end"]


def test_bounds_are_read_only_where_they_may_be() -> None:
    made = ast(ROWS.replace("{ INIT", "if (b[i] > 0) { INIT"))
    assert isinstance(made, AstIf) and told(made.condition) == ["b[i] > 0"] and made.otherwise is None
    assert bounds(made.then)[0][0] == ("j_first", "p[i]")


def test_a_step_begins_at_the_first_value() -> None:
    _, loop = bounds(ast(ROWS.replace("j++", "j += 2")))
    assert told(loop.lower, loop.upper) == ["j_first", "j_end"] and loop.step == 2


@pytest.mark.parametrize(("counter", "ctype"), [("int", INT), ("long long", LLONG)])
def test_a_bound_has_the_type_that_the_source_compares_it_in(counter: str, ctype: object) -> None:
    made = ast(ROWS.replace("int j", f"{counter} j"))
    assert isinstance(made, AstLet) and made.type == ctype


@pytest.mark.parametrize("counter", ["int", "unsigned", "long long"])
def test_the_loop_names_its_bounds_with_their_types(counter: str) -> None:
    made = ast(ROWS.replace("int j", f"{counter} j"))
    assert isinstance(made, AstLet) and isinstance(inner := made.body, AstLet)
    _, loop = bounds(made)
    named = [each for bound in (loop.lower, loop.upper) for each in walk(bound) if isinstance(each, Name)]
    assert {(each.name, each.type) for each in (made, inner)} == {(each.symbol.name, each.type) for each in named}


def test_a_loop_inside_of_such_a_row_is_affine_again() -> None:
    lets, loop = bounds(ast(INSIDE))
    assert len(lets) == 2 and isinstance(loop.body, AstFor) and told(loop.body.upper) == ["3"]


def test_a_point_names_the_iterators_of_its_rows() -> None:
    _, loop = bounds(ast(ROWS))
    assert isinstance(loop.body, AstInstance) and told(*loop.body.arguments) == ["i", "j"]


def test_a_loop_whose_bounds_are_affine_has_none() -> None:
    made = ast(ROWS.replace("j = p[i]", "j = i").replace("p[i + 1]", "m"))
    assert bounds(made)[0] == []


def test_a_loop_in_a_statement_that_is_not_divided_keeps_its_bounds() -> None:
    body = "FOR(i, n - 1) for (int j = p[i]; j < p[i + 1]; j++) x[i][j] = z[j];"
    (outer,) = functions(body)["f_parallel0"].body
    assert isinstance(outer, For) and isinstance(loop := outer.body[-1], For)
    assert told(loop.lower, loop.bound) == ["p[i]", "p[i + 1]"]
