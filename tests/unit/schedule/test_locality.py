"""What lines of memory decide about a schedule: which loop is in order, and which nests are not one."""

from __future__ import annotations

import json

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
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
