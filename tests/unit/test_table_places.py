"""Loops whose counter chooses places in tables are written out; others stay, and so do tables of other things."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.frontend import FrontendOptions, parse_file
from pencilc.ir.source import For, walk
from pencilc.ir.source_printer import print_stmt
from pencilc.poly.table_places import with_places_of_tables

FILE = """static const int dx[4] = {{1, -1, 0, 2}}, order[4] = {{3, 2, 1, 0}};
static const float w[4] = {{1, 2, 3, 4}};
static const struct {{ int x; float weight; }} at[2] = {{{{1, 2}}, {{-1, 3}}}};
void f(int n, int m, const float a[static const restrict n][m], float out[static const restrict n][m])
{{
#pragma scop
    for (int i = 2; i < n - 2; i++) {{ {body} }}
#pragma endscop
}}
"""


def made(body: str) -> str:
    """The region after the pass, in one line."""
    unit, _ = parse_file(SourceFile("t.c", FILE.format(body=body)), FrontendOptions())
    return " ".join(print_stmt(with_places_of_tables(unit, unit.regions[0]).body).split())


@pytest.mark.parametrize(
    ("body", "parts"),
    [
        ("for (int k = 0; k < 4; k++) out[i][k] = a[i + dx[k]][0];",
         ("out[i][0] = a[i + 1][0];", "out[i][1] = a[i - 1][0];", "out[i][2] = a[i][0];", "out[i][3] = a[i + 2][0];")),
        ("for (int k = 0; k < 4; k++) out[i][k] = a[i - dx[k]][0];", ("a[i - 1][0];", "a[i + 1][0];", "a[i][0];")),
        ("for (int k = 0; k < 2; k++) out[i][k] = a[i + dx[order[k]]][0];", ("a[i + 2][0];", "a[i][0];")),
        ("for (int k = 0; k < 2; k++) out[i][k] = at[k].weight * a[i + at[k].x][0];", ("a[i + 1][0];", "a[i - 1][0];")),
        ("for (int k = 0; k < 2; k++) { int r = i + dx[k]; if (r < n) out[i][k] = a[r][0]; }", ("i + 1;", "i - 1;")),
        ("for (int j = 0; j < 2; j++) for (int k = 0; k < 2; k++) out[i][j] += a[i + dx[k]][dx[j] + 1];",
         ("a[i + 1][2];", "a[i - 1][0];")),
    ],
)  # fmt: skip
def test_places_are_numbers(body: str, parts: tuple[str, ...]) -> None:
    text = made(body)
    assert all(part in text for part in parts), text
    assert text.count("for (") == 1


@pytest.mark.parametrize(
    "body",
    [
        "for (int k = 0; k < 4; k++) out[i][k] = w[k] * a[i + k][0];",  # no place is told by a table
        "for (int k = 0; k < 4; k++) for (int j = 0; j < m; j++) out[i][j] += a[i + dx[k]][j];",  # a long loop inside
        "for (int k = 0; k < m; k++) out[i][k] = a[i + dx[k & 3]][0];",  # as many as a parameter says
        "for (int k = 0; k < 4; k++) { if (a[i][k] > 0) break; out[i][k] = a[i + dx[k]][0]; }",
        "for (int k = 0; k < 4; k++) out[i][k] = a[i][0] * dx[k];",
    ],
)
def test_what_stays_a_loop(body: str) -> None:
    assert made(body).count("for (") > 1


def test_places_outside_of_a_table_are_left() -> None:
    assert "dx[4]" in made("for (int k = 3; k < 5; k++) out[i][k] = a[i + dx[k]][0];")


def test_a_region_without_such_loops_is_the_same_one() -> None:
    unit, _ = parse_file(SourceFile("t.c", FILE.format(body="out[i][0] = a[i + dx[1]][0];")), FrontendOptions())
    assert with_places_of_tables(unit, unit.regions[0]) is unit.regions[0]
    assert sum(isinstance(node, For) for node in walk(unit.regions[0].body)) == 1
