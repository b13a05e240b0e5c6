"""Which bounds of ragged rows are loaded while the row before is worked on: declarations that are written by hand."""

from __future__ import annotations

import pytest

from pencilc.codegen.forms import ReductionParts
from pencilc.codegen.row_bounds import bounds_apart
from pencilc.ir.build import ONE, binary, declare, element, plus, variable
from pencilc.ir.combining import RowBound
from pencilc.ir.nodes import Node
from pencilc.ir.source import FLOAT, INT, ArrayType, PointerType
from tests.unit.codegen.by_hand import GRID, SUM, store

START, ROW = variable("start", PointerType(INT)), variable("i")
FIRST, END = element(START, ROW, INT), element(START, plus(ROW, ONE), INT)
BODY = (store(variable("n")),)


POST = (store(variable("m")),)


def apart(*prologue: Node, body: tuple[Node, ...] = BODY) -> tuple[tuple[RowBound, ...], ReductionParts]:
    """The bounds of rows `i` in a kernel that writes `y`, and what is left."""
    made = ReductionParts(SUM, 1, GRID, prologue, (), body, POST, variable("n"), None, True, False, 0)
    return bounds_apart(made, ("i",), ("y",))


def test_bounds_that_memory_has_are_loaded_ahead() -> None:
    first, end = declare("first", INT, FIRST, is_const=True), declare("end", INT, END)
    bounds, left = apart(first, body=(end, *BODY))
    assert bounds == (RowBound("first", INT, FIRST, True), RowBound("end", INT, END, False))
    assert left.prologue == () and left.body == BODY


def test_what_a_row_stores_stays_where_it_is() -> None:
    first, zero = declare("first", INT, FIRST), store(element(variable("y", PointerType(FLOAT)), ROW, FLOAT))
    bounds, left = apart(zero, first)
    assert [each.name for each in bounds] == ["first"] and left.prologue == (zero,) and left.post == POST


@pytest.mark.parametrize(
    "declaration",
    [
        declare("first", INT),
        declare("first", INT, plus(ROW, ONE)),
        declare("first", INT, element(START, variable("k"), INT)),
        declare("first", INT, element(variable("y", PointerType(INT)), ROW, INT)),
        declare("first", INT, plus(FIRST, element(variable("y", PointerType(INT)), ROW, INT))),
        declare("first", ArrayType(INT, ONE), FIRST),
    ],
    ids=["no value", "no memory", "the same for all rows", "written", "written too", "no scalar"],
)
def test_what_is_no_bound_of_memory_is_declared_by_its_row(declaration: Node) -> None:
    bounds, left = apart(declaration)
    assert bounds == () and left.prologue == (declaration,) and left.body == BODY


def test_what_follows_from_others_of_the_row_is_there_no_earlier_than_these() -> None:
    first = declare("first", INT, FIRST)
    length = declare("length", INT, binary("-", END, variable("first")))
    again = declare("next", INT, element(START, variable("length"), INT))
    bounds, left = apart(first, body=(length, again, *BODY))
    assert [each.name for each in bounds] == ["first"] and left.body == (length, again, *BODY)


def test_a_value_that_rests_on_itself_is_that_of_the_row_before() -> None:
    assert apart(declare("i", INT, FIRST))[0] == ()
