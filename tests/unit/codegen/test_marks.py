"""The printer's marks: what they say, and that nothing else changes."""

from __future__ import annotations

from itertools import pairwise

from pencilc.codegen.marks import Marks, NoMarks, Origin, Piece, PlacedText, without_marks
from pencilc.codegen.render import render, render_with_places
from pencilc.diagnostics.source import UNKNOWN_SPAN, Span
from tests.unit.codegen.programs import file
from tests.unit.records import HEAD

SUM = "INIT(&b[0], zero); FOR(i, n) UPDATE(&b[0], a[i], add);\nFOR(i, n) { float t = a[i]; c[i] = t * t; }"


def test_marks_are_taken_out_again() -> None:
    marks = Marks()
    text = f"x\n{marks.begin('f')}f() {{\n  y;{marks.line(Span('a:b.c', 7, 1, 2))}\n}}{marks.end()}\n"
    expected = PlacedText("x\nf() {\n  y;\n}\n", (Piece("f", 2, 4),), (Origin(3, "a:b.c", 7),))
    assert without_marks(text) == expected
    assert marks.line(UNKNOWN_SPAN) == ""
    none = NoMarks()
    assert (none.begin("f"), none.end(), none.line(Span("a.c", 7, 1, 2))) == ("", "", "")


def test_a_file_has_the_text_that_it_has_without_places() -> None:
    made = file(SUM)
    placed = render_with_places(made)
    assert placed.text == render(made) and "\0" not in placed.text
    names = {piece.name for piece in placed.pieces}
    assert {function.name for function in made.kernels} <= names and {"f", "zero", "add"} <= names
    lines = placed.text.split("\n")
    for piece in placed.pieces:
        assert piece.name in "".join(lines[piece.first - 1 : piece.last]) and lines[piece.last - 1] == "}"
    assert all(one.last < other.first for one, other in pairwise(placed.pieces))


def test_statements_come_from_their_lines() -> None:
    placed = render_with_places(file(SUM))
    lines = placed.text.split("\n")
    first = HEAD.count("\n") + 1
    found = {(lines[origin.line - 1].strip(), origin.source_line - first) for origin in placed.origins}
    assert ("acc = add(acc, a_element);", 0) in found
    assert ("c[i] = t * t;", 1) in found
    assert {line for _, line in found} == {0, 1}


def test_functions_say_whose_work_they_do() -> None:
    assert {function.kernel for function in file(SUM).kernels} >= {"f_all0"}
    assert all(function.kernel for function in file(SUM).kernels)
