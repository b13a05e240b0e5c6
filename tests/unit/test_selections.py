"""The least or greatest of many with what belongs to it: which `if`s are taken as reductions."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.source import Struct
from pencilc.options import CompileOptions

HEAD = """#include <math.h>
#include <pencil.h>
void f(int n, int m, const float a[static const restrict n][m], const int key[static const restrict m],
       float least[static const restrict n], int at[static const restrict n]) {
#pragma scop
for (int i = 0; i < n; i++) {
"""
TAIL = "\n}\n#pragma endscop\n}\n"
TAKES = "{ best = a[i][j]; where = j; }"
DOWN = "for (int j = m - 1; j >= 0; j--)"
LOOP = "for (int j = 0; j < m; j++)"
START = "float best = INFINITY; int where = -1;"
END = "least[i] = best; at[i] = where;"


def chosen(body: str) -> tuple[Struct, ...]:
    """The types of what is reduced in a region, where that is a struct."""
    done = compile_source(SourceFile("f.c", HEAD + body + TAIL), CompileOptions(), "mapping")
    (program,) = done.programs
    return tuple(r.element_type for r in program.scop.reductions if isinstance(r.element_type, Struct))


@pytest.mark.parametrize(
    ("body", "members"),
    [
        pytest.param(f"{START} {LOOP} if (a[i][j] < best) {TAKES} {END}", ["value", "at0"], id="least"),
        pytest.param(
            f"{START} {LOOP} if (best > a[i][j]) {TAKES} {END}", ["value", "at0"], id="turned"
        ),
        pytest.param(
            f"{START} {DOWN} if (a[i][j] > best) {TAKES} {END}", ["value", "at0"], id="downwards"
        ),
        pytest.param(
            f"{START} {LOOP} if (key[j] > 0 && a[i][j] <= best) {TAKES} {END}", ["value", "at0"],
            id="last of those that may be",
        ),
        pytest.param(
            f"{LOOP} if (a[i][j] >= least[i]) {{ at[i] = j; least[i] = a[i][j]; }}", ["value", "at0"],
            id="elements",
        ),
        pytest.param(
            f"{START} {LOOP} {{ int k = key[j]; if (a[i][j] < best) {{ best = a[i][j]; where = k; }} }} {END}",
            ["value", "at0", "with0"], id="what belongs to it",
        ),
        pytest.param(
            f"{START} {LOOP} for (int k = 0; k < m; k++) "
            f"if (a[i][j] * a[i][k] < best) {{ best = a[i][j] * a[i][k]; where = j * m + k; }} {END}",
            ["value", "at0", "at1", "with0"], id="two loops",
        ),
    ],
)  # fmt: skip
def test_taken(body: str, members: list[str]) -> None:
    (struct,) = chosen(body)
    assert [member.name for member in struct.members] == members


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"{START} {LOOP} {{ if (a[i][j] < best) {TAKES} at[i] += where; }}", id="is read"),
        pytest.param(
            f"{START} {LOOP} if (a[i][j] < best) {{ best = a[i][j]; where = key[j]; }} {END}",
            id="reads memory",
        ),
        pytest.param(f"{START} {LOOP} if (a[i][j] < best && key[j]) {TAKES} {END}", id="a question behind"),
        pytest.param(f"{START} {LOOP} if (a[i][j] < best) {TAKES} else where = 0; {END}", id="an else"),
        pytest.param(
            f"{START} {LOOP} if (a[i][j] < best) {{ best = 2 * a[i][j]; where = j; }} {END}",
            id="takes another value",
        ),
        pytest.param(
            f"{START} for (int j = m; j > 0; j--) if (a[i][j - 1] <= best) {TAKES} {END}", id="last, downwards"
        ),
        pytest.param(
            f"{START} {LOOP} {{ if (a[i][j] < best) {TAKES} if (key[j]) break; }} {END}",
            id="is left",
        ),
        pytest.param(f"{START} for (int j = 0; j < 16; j++) if (a[i][j] < best) {TAKES} {END}", id="few"),
        pytest.param(
            f"{START} {LOOP} if (a[i][j] < best) {{ best = a[i][j]; where = where + j; }} {END}",
            id="counts on",
        ),
    ],
)
def test_left_alone(body: str) -> None:
    assert chosen(body) == ()


def test_two_of_one_kind_share_their_type() -> None:
    both = f"if (a[i][j] < best) {TAKES} if (a[i][j] + 1 < other) {{ other = a[i][j] + 1; there = j; }}"
    first, second = chosen(f"{START} float other = 1; int there = 0; {LOOP} {{ {both} }} {END} at[i] += there;")
    assert first == second
