"""Tables that functions declare are those of the file; what is written, or has more than constants, is none."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.frontend import FrontendOptions, parse_file
from pencilc.ir.source import TranslationUnit

FILE = """{before}
void f(int n, int a[static const restrict n])
{{
#pragma scop
    for (int i = 0; i < n; i++) {{ {body} }}
#pragma endscop
}}
"""


def parsed(body: str, before: str = "") -> TranslationUnit:
    unit, _ = parse_file(SourceFile("t.c", FILE.format(body=body, before=before)), FrontendOptions())
    return unit


def tables(body: str, before: str = "") -> list[str]:
    return [each.symbol.name for each in parsed(body, before).globals]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("static const int t[4] = {1, 2, 3, 4}; a[i] = t[i & 3];", ["f_t"]),
        ("const int t[4] = {1, 2}; a[i] = t[i & 3];", ["f_t"]),
        ("int t[] = {1, -2, 3 * 4, (int)2.5}; a[i] = t[i & 3];", ["f_t"]),
        ("const int t[2][2] = {{1, 2}, {3, 4}}; a[i] = t[i & 1][0];", ["f_t"]),
        ("const int t[2] = {1, 2}; a[i] = t[i & 1]; { const int t[2] = {3, 4}; a[i] += t[i & 1]; }", ["f_t", "f_t_1"]),
        ("const int f_t[2] = {1, 2}; const int t[2] = {1, 2}; a[i] = t[i & 1] + f_t[i & 1];", ["f_f_t", "f_t_1"]),
        ("const int t[2] = {1, i}; a[i] = t[i & 1];", []),
        ("int t[2] = {1, 2}; t[i & 1] = 3; a[i] = t[0];", []),
        ("int t[2] = {1, 2}; t[0]++; a[i] = t[i & 1];", []),
        ("int t[2] = {1, 2}; set(t); a[i] = t[i & 1];", []),
        ("int t[2][2] = {{1, 2}, {3, 4}}; set(t[i & 1]); a[i] = t[i & 1][0];", []),
        ("const int t[2] = {1, 2}; a[i] = get(t);", ["f_t"]),
        ("int t[2]; t[0] = t[1] = 1; a[i] = t[i & 1];", []),
    ],
)
def test_what_is_a_table(body: str, found: list[str]) -> None:
    before = "static void set(int t[static 2]) { t[0] = 2; }\nstatic int get(const int t[static 2]) { return t[1]; }\n"
    assert tables(body, before) == found


def test_tables_of_helpers() -> None:
    before = "static int get(int i) { static const int t[2] = {5, 6}; return t[i & 1]; }\n"
    unit = parsed("a[i] = get(i);", before)
    assert [each.symbol.name for each in unit.globals] == ["get_t"]
    (helper,) = unit.functions
    assert len(helper.body.items) == 1
