"""Places of a row that its elements use are declared in the loop over these; what else a row has stays where it is."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.frontend import FrontendOptions, parse_file
from pencilc.ir.source_printer import print_stmt

FILE = """void f(int n, const float a[static const restrict n][n], float b[static const restrict n][n])
{{
#pragma scop
    for (int i = 0; i < n; i++) {{ {body} }}
#pragma endscop
}}
"""
UP = "int up = i == 0 ? n - 1 : i - 1;"


def made(body: str) -> str:
    unit, _ = parse_file(SourceFile("t.c", FILE.format(body=body)), FrontendOptions())
    return " ".join(print_stmt(unit.regions[0].body).split())


@pytest.mark.parametrize(
    ("body", "part"),
    [
        (f"{UP} for (int j = 0; j < n; j++) b[i][j] = a[up][j];", "for (int j = 0; j < n; j++) { int up_1 ="),
        (f"{UP} for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) b[i][j] += a[up][k];",
         "for (int k = 0; k < n; k++) { int up_2 ="),
        ("int up = (i + 1) % n; for (int j = 0; j < n; j++) b[i][j] = a[up][j];", "{ int up_1 = (i + 1) % n;"),
        (f"{UP} b[i][0] = a[up][0]; for (int j = 1; j < n; j++) b[i][j] = a[up][j];",
         "int up = i == 0 ? n - 1 : i - 1; b[i][0] = a[up][0]; for (int j = 1; j < n; j++) { int up_1 ="),
        (f"{UP} for (int j = 0; j < n; j++) b[i][j] = a[up][j]; for (int j = 0; j < n; j++) b[i][j] += a[up][j];",
         "{ int up_2 ="),
    ],
)  # fmt: skip
def test_places_are_found_by_each_element(body: str, part: str) -> None:
    assert part in made(body)


@pytest.mark.parametrize(
    "body",
    [
        f"{UP} for (int j = 0; j < n; j++) b[i][j] = up;",  # no place
        f"{UP} for (int j = up; j < n; j++) b[i][j] = a[up][j];",  # the loop begins there
        f"{UP} for (int j = 0; j < n; j++) {{ b[i][j] = a[up][j]; up = 0; }}",
        "int up = a[i][0] > 0 ? 1 : 0; for (int j = 0; j < n; j++) b[i][j] = a[up][j];",  # data
        f"{UP} b[i][0] = a[up][0];",
    ],
)
def test_what_stays_outside(body: str) -> None:
    assert "up_1" not in made(body)


def test_values_of_all_iterations_stay_outside_of_all_loops() -> None:
    text = FILE.replace("for (int i", "int up = n > 3 ? 1 : 0;\n    for (int i").format(body="b[i][0] = a[up][i];")
    unit, _ = parse_file(SourceFile("t.c", text), FrontendOptions())
    assert "up_1" not in print_stmt(unit.regions[0].body)
