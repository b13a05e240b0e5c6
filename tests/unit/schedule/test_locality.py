"""What lines of memory decide about a schedule: which loop is in order, and which nests are not one."""

from __future__ import annotations

import json

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.schedule import Sequence
from pencilc.ir.schedule_printer import schedule_line
from pencilc.options import CompileOptions
from pencilc.report.json import report_json
from pencilc.report.text import report_text
from tests.conftest import ROOT

PROGRAM = ROOT / "tests" / "diff" / "programs" / "rows_by_lines.c"
ARRAYS = """#include <pencil.h>
void f(int n, int m, int a[static const restrict n][m], int b[static const restrict n][m],
       int c[static const restrict m][n], int s[static const restrict m])
{
#pragma scop
    %s
#pragma endscop
}
"""


def schedule_of(body: str, **sizes: int) -> str:
    options = CompileOptions(sizes=tuple(sizes.items()))
    (found,) = compile_source(SourceFile("test.c", ARRAYS % body), options, "schedule").scheduled
    return schedule_line(found)


@pytest.mark.parametrize(
    ("left", "right", "row"),
    [
        ("a[i][j]", "a[i - 1][j - 1] + a[i - 1][j - 2]", "i"),  # the source's, whose inner loop goes along memory
        ("a[j][i]", "a[j - 1][i - 1] + a[j - 2][i - 1]", "j"),
        ("a[i][j]", "a[i - 1][j - 1] + a[i - 1][j - 2] + b[j][i]", "i"),  # more lines that way
        ("a[i][j]", "a[i - 1][j - 1] + a[i - 1][j - 2] + b[j][i] + b[j][i + 1] + c[j][i]", "i"),  # as many either way
        ("a[i][j]", "a[i - 1][j - 1] + a[i - 1][j - 2] + b[j][i] + b[j][i + 1] + c[j][i] + c[j][i + 1]", "j"),
    ],
)
def test_the_loop_in_order_is_the_one_that_leaves_the_fewest_lines(left: str, right: str, row: str) -> None:
    body = f"for (int i = 1; i < 999; i++) for (int j = 2; j < 999; j++) {left} = {right};"
    assert schedule_of(body).startswith(f"[{row} s]{{"), schedule_of(body)


def test_a_loop_that_has_to_be_parallel_is_not_in_order() -> None:
    body = "for (int i = 1; i < m; i++) for (int j = 1; j < n - 1; j++) a[j][i] = a[j - 1][i - 1] + a[j + 1][i - 1];"
    assert schedule_of(body) == "[i s]{ [j P]{S0} }"


def test_twice_the_steps_weigh_more_than_lines() -> None:
    body = "for (int i = 1; i < m; i++) for (int j = 2; j < n; j++) a[j][i] = a[j - 1][i - 1] + a[j - 2][i - 1];"
    assert schedule_of(body, n=1000, m=600).startswith("[j s]")
    assert schedule_of(body, n=1000, m=400).startswith("[i s]")


@pytest.mark.parametrize(
    ("left", "right", "row"), [("a[i][j]", "a[i - 1][j - 1]", "i"), ("a[j][i]", "a[j - 1][i - 1]", "j")]
)
def test_a_thread_goes_down_its_diagonal_beside_its_neighbours(left: str, right: str, row: str) -> None:
    body = f"for (int i = 1; i < 99; i++) for (int j = 1; j < 999; j++) {left} = {right} + 1;"
    assert schedule_of(body) == f"[i-j P]{{ [{row} s]{{S0}} }}"


NESTS = """
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = b[i][j] * s[j];
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {0} = {1};
"""


def test_nests_whose_threads_lie_along_other_rows_are_not_one() -> None:
    assert schedule_of(NESTS.format("c[j][i]", "s[j]")) == "[i,j P]{S0}; [i,j P]{S1}"
    assert schedule_of(NESTS.format("c[j][i]", "b[i][j]")) == "[i,j P]{S0,S1}"  # b is read once


def test_nests_of_few_points_are_one_launch() -> None:
    text = NESTS.format("c[j][i]", "s[j]")
    assert schedule_of(text, n=64, m=64) == "[i,j P]{S0,S1}"


LINES = """#include <pencil.h>
typedef struct { int x; double z[20]; int y; } Far;
typedef struct { int x, y; } Near;
void f(int n, int m, Near o[static const restrict n], Far q[static const restrict n],
       int a[static const restrict n][2 * m], int b[static const restrict n][m], int c[static const restrict n][m])
{
#pragma scop
    %s
#pragma endscop
}
"""
OF_ROWS = "for (int i = 0; i < n; i++) for (int j = 0; j < m - 40; j++)"


@pytest.mark.parametrize(
    ("body", "groups"),
    [
        ("FOR(i, n) { o[i].x = i; o[i].y = 2; }", 1),
        ("FOR(i, n) o[i].x = i; FOR(k, n) o[k].y = 2;", 1),
        ("FOR(i, n) o[i].x = i; FOR(k, n - 1) o[k].y = 2;", 2),  # other iterations
        ("FOR(i, n) { q[i].x = i; q[i].y = 2; }", 2),  # another line
        ("FOR(i, n) { q[i].x = i; q[i].z[14] = 2; }", 1),
        ("FOR(i, n) { o[i].x = i; q[i].x = 2; }", 2),
        (f"{OF_ROWS} {{ a[i][2 * j] = i; a[i][2 * j + 1] = j; }}", 1),
        (f"{OF_ROWS} {{ b[i][j] = a[i][j]; c[i][j] = a[i][j + 31]; }}", 1),
        (f"{OF_ROWS} {{ b[i][j] = a[i][j]; c[i][j] = a[i][j + 40]; }}", 2),
        (f"{OF_ROWS} {{ b[i][j] = a[i][j]; c[i][j] = a[i][2 * j + 1]; }}", 2),  # they part
        ("FOR(i, n) { FOR(j, m) { o[i].x = o[i].x / 2 + j; } FOR(j, m) { o[i].y = o[i].y / 2 + j; } }", 1),
    ],
)
def test_loops_that_touch_the_same_lines_are_one(body: str, groups: int) -> None:
    text = "#define FOR(i, n) for (int i = 0; i < n; i++)\n" + LINES % body
    (found,) = compile_source(SourceFile("test.c", text), CompileOptions(), "schedule").scheduled
    line = schedule_line(found)
    assert (len(found.tree.children) if isinstance(found.tree, Sequence) else 1) == groups, line


def test_what_two_accesses_find_in_one_line_comes_once() -> None:
    """Members of o are half of the line each: as one nest 8 + 2 + 1 lines, apart 9 + 4."""
    body = "FOR(i, n) FOR(j, m) { o[i][j].x = b[j][i]; o[i][j].y = 0; }"
    of_rows = LINES.replace("o[static const restrict n]", "o[static const restrict n][m]")
    turned = of_rows.replace("b[static const restrict n][m]", "b[static const restrict m][n]")
    text = "#define FOR(i, n) for (int i = 0; i < n; i++)\n" + turned % body
    (found,) = compile_source(SourceFile("test.c", text), CompileOptions(), "schedule").scheduled
    assert schedule_line(found) == "[i,j P]{S0,S1}" and not found.apart


def test_the_report_tells_what_decided() -> None:
    done = compile_source(SourceFile("rows_by_lines.c", PROGRAM.read_text()), CompileOptions(), "mapping")
    told = report_text(done)
    assert "`j` runs in order: lines of memory of 32 points 3, with `i` 24 (n = 2048 nominal, m = 2048 nominal)" in told
    assert "`-j` runs in order: lines of memory of 32 points 2, with `i` 16" in told
    assert "are not one: lines of memory of 32 points 6, as one 19 (n = 2048 nominal)" in told
    regions = {region["name"]: region for region in json.loads(report_json(done))["regions"]}
    assert regions["either"]["rows_in_order"] == [
        {
            "row": "j",
            "candidates": [{"row": "j", "lines": 3.0}, {"row": "i", "lines": 24.0}],
            "sizes": [
                {"name": "n", "value": 2048, "source": "nominal"},
                {"name": "m", "value": 2048, "source": "nominal"},
            ],
        }
    ]
    (apart,) = regions["apart"]["kept_apart"]
    assert (apart["apart"], apart["together"]) == (6.0, 19.0)
    assert not regions["apart"]["rows_in_order"] and not regions["either"]["kept_apart"]
