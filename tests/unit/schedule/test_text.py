"""What the text of a schedule says, before any region is looked at, and where it is at fault."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.diagnostic import SourceErrors
from pencilc.diagnostics.source import SourceFile
from pencilc.schedule.text import (
    GivenBand,
    GivenLeaf,
    GivenSchedule,
    GivenSequence,
    GivenTree,
    read_schedule_file,
    read_schedules,
)


def read(*lines: str) -> tuple[GivenSchedule, ...]:
    """The schedules of a text."""
    return read_schedules(SourceFile("f.txt", "\n".join(lines)))


def tree(*lines: str) -> GivenTree:
    """The tree of the only one."""
    (made,) = read("schedule of f", *lines)
    assert made.name == "f" and made.tree is not None
    return made.tree


def told(made: GivenTree) -> object:
    """Statements by name, sequences as lists, bands as their rows with what stands below."""
    match made:
        case GivenLeaf(statement=name):
            return name
        case GivenSequence(children=children):
            return [told(child) for child in children]
        case GivenBand(rows=rows, child=child):
            return tuple((row.flag, *((v.statements, v.value) for v in row.values)) for row in rows), told(child)


def refused(message: str, line: int, *lines: str) -> SourceErrors:
    """The fault is told of the line, counted from the head."""
    with pytest.raises(SourceErrors) as error:
        read("schedule of f", *lines)
    (found,) = error.value.diagnostics
    assert message in found.message and (found.code, found.span.line) == ("PC0811", line + 1)
    return error.value


def test_rows_have_marks_values_and_statements() -> None:
    made = tree("  band", "    P i: S3, M0 -> i; S6 -> j_2 + 1", "    R k: S3 -> k", "    S3[i]: t = a[i];")
    rows = (("P", (("S3", "M0"), "i"), (("S6",), "j_2 + 1")), ("R", (("S3",), "k")))
    assert told(made) == (rows, "S3")


@pytest.mark.parametrize(
    ("row", "flag", "statements"),
    [
        ("S3 -> i", None, ("S3",)),
        ("i: S3 -> i", None, ("S3",)),
        ("s i: S3 -> i", "s", ("S3",)),
        ("R: S3 -> i", "R", ("S3",)),
        ("Pi: S3 -> i", None, ("S3",)),
        ("P i: S3 -> i;  # a remark", "P", ("S3",)),
        ("P S: S -> i", "P", ("S",)),
    ],
)
def test_marks_and_names_may_be_left_out(row: str, flag: str | None, statements: tuple[str, ...]) -> None:
    assert told(tree("  band", f"    {row}", "    S3")) == (((flag, (statements, "i")),), "S3")


def test_what_stands_below_rows_is_one_after_the_other() -> None:
    rows = ((("P", (("S0",), "i"))),)
    below = tree("  band", "    P i: S0 -> i", "    S0", "    band", "      s j: S1 -> j", "      S1", "    M0")
    assert told(below) == (rows, ["S0", ((("s", (("S1",), "j")),), "S1"), "M0"])
    assert told(tree("  sequence", "    S0")) == ["S0"]
    assert told(tree("  sequence", "    S0", "    sequence", "      S1", "      S2")) == ["S0", ["S1", "S2"]]
    assert told(tree("  S0", "  S1")) == ["S0", "S1"] and told(tree()) == []


@pytest.mark.parametrize("leaf", ["S3", "S3[i, j]", "S3[i]: p->x = 1;", "S3  # p -> x", "S3 : M0 -> k"])
def test_text_of_statements_is_not_read(leaf: str) -> None:
    assert told(tree(f"  {leaf}")) == "S3"


def test_some_lines_say_nothing() -> None:
    made = tree("", "# remark", "  parameters: n, m", "  source order kept: no", "  S0", "   # remark")
    assert told(made) == "S0"


def test_tabs_count_as_eight() -> None:
    assert told(tree("\tband", "\t    P i: S0 -> i", "            S0")) == ((("P", (("S0",), "i")),), "S0")


def test_regions_have_schedules_of_their_own() -> None:
    first, second = read("schedule of f: of something", "  source order  # as it was", "schedule of g", "  S0")
    assert (first.name, first.tree) == ("f", None) and (second.name, second.span.line) == ("g", 3)
    with pytest.raises(SourceErrors, match="there is a schedule of `f` already"):
        read("schedule of f", "  S0", "schedule of f", "  S0")


@pytest.mark.parametrize("lines", [(), ("S0",), ("S0", "schedule of f"), ("schedule of",), ("schedule of f g",)])
def test_another_file_is_none(lines: tuple[str, ...]) -> None:
    with pytest.raises(SourceErrors, match="this is no schedule file"):
        read(*lines)


@pytest.mark.parametrize(
    ("message", "line", "lines"),
    [
        ("indented like none of those", 2, ("    S0", "  S1")),
        ("nothing can stand inside of the statement `S0`", 2, ("  S0", "    S1")),
        ("a row stands here without a `band`", 1, ("  P i: S0 -> i",)),
        ("this is no `band`, no `sequence` and no statement", 1, ("  S0 and more",)),
        ("this is no `band`, no `sequence` and no statement", 1, ("  source order", "  S0")),
        ("nothing is inside of this band", 1, ("  band", "  S0")),
        ("this band has no row", 1, ("  band", "    S0")),
        ("this band has no statement", 1, ("  band", "    P i: S0 -> i")),
        ("what a row runs stands below all rows", 3, ("  band", "    P i: S0 -> i", "      S0")),
        ("a row is written", 2, ("  band", "    P i: S0 ->", "    S0")),
        ("a row is written", 2, ("  band", "    P i: S0 -> i; S1", "    S0")),
        ("a row is written", 2, ("  band", "    P i: S0 S1 -> i", "    S0")),
        ("nested more than 100 deep", 101, tuple("  " * (depth + 1) + "sequence" for depth in range(102))),
    ],
)
def test_faults_are_told_of_their_line(message: str, line: int, lines: tuple[str, ...]) -> None:
    refused(message, line, *lines)


def test_the_place_of_a_value_is_told() -> None:
    error = refused("a row is written", 2, "  band", "    P i: S0 -> i; S1 => j", "    S0")
    span = error.diagnostics[0].span
    assert (span.column, span.end_column) == (19, 26)
    made = tree("  band", "    P i: S0 -> i; S1 -> j + 1", "    S0")
    assert isinstance(made, GivenBand)
    assert [(v.span.column, v.span.end_column) for v in made.rows[0].values] == [(10, 17), (19, 30)]


def test_a_file_that_cannot_be_read_is_told(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("schedules")
    (folder / "binary").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(SourceErrors, match="it is not UTF-8"):
        read_schedule_file(str(folder / "binary"))
    with pytest.raises(SourceErrors, match="cannot read the schedule file"):
        read_schedule_file(str(folder / "none"))
