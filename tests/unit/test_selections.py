"""The least or greatest of many with what belongs to it: which `if`s are taken as reductions."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.source import Struct
from pencilc.options import CompileOptions

HEAD = """#include <math.h>
#include <pencil.h>
typedef struct { int at; float v; } Hit;
void f(int n, int m, const float a[static const restrict n][m], const int key[static const restrict m],
       float least[static const restrict n], int at[static const restrict n], int kept[static const restrict m]) {
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
            ["value", "at0", "at1"], id="two loops",
        ),
        pytest.param(
            f"{START} {LOOP} if (a[i][j] < best) {{ best = a[i][j]; where = key[j]; }} {END}", ["value", "at0"],
            id="reads memory at the place",
        ),
        pytest.param(
            f"{START} {LOOP} if (a[i][j] < best && key[j]) {TAKES} {END}", ["value", "at0"], id="a question behind"
        ),
        pytest.param(f"int where = -1; {LOOP} if (a[i][j] > 0) where = j; at[i] = where;", ["value", "at0"], id="last"),
        pytest.param(
            f"int where = -1; {LOOP} where = a[i][j] > 0 ? j : where; at[i] = where;", ["value", "at0"], id="by ?:"
        ),
        pytest.param(
            f"{LOOP} if (a[i][j] > 0) {{ at[i] = key[j]; least[i] = 1 / a[i][j]; }}", ["value", "at0"],
            id="last with what is there",
        ),
        pytest.param(
            f"{START} {LOOP} {{ float v = a[i][j] * 2; if (v > 0) {{ where = j; best = v; }} }} {END}",
            ["value", "at0", "with1"], id="last with what belongs to it",
        ),
        pytest.param(
            f"{START} {LOOP} {{ if (a[i][j] > 0) {{ best += 1; where = j; }} }} {END}", ["value", "at0"],
            id="last beside a count",
        ),
        pytest.param(
            f"int where = -1; {LOOP} if (where < 0 && a[i][j] > 0) where = j; at[i] = where;", ["value", "at0"],
            id="first",
        ),
        pytest.param(
            f"int where = 9; {LOOP} if (a[i][j] > 0 && -1 == where) where = j; at[i] = where;", ["value", "at0"],
            id="first, behind the question",
        ),
        pytest.param(
            f"int where = -1, c = 0; {LOOP} if (a[i][j] > 0) {{ if (where < 0) where = j; c++; }} at[i] = where + c;",
            ["value", "at0"], id="first, inside of the question",
        ),
        pytest.param(
            f"int some = 0; float v = 0; {LOOP} if (!some && a[i][j] > 0) {{ some = 1; v = a[i][j]; }} "
            "at[i] = some; least[i] = v;",
            ["value", "at0"], id="first, with a flag",
        ),
        pytest.param(
            f"Hit h; h.at = -1; h.v = 1; {LOOP} if (a[i][j] < h.v) {{ Hit c = {{j, a[i][j]}}; h = c; }} "
            "at[i] = h.at; least[i] = h.v;",
            ["value", "at0"], id="a struct",
        ),
        pytest.param(
            f"Hit h = {{-1, 1}}; {LOOP} if (a[i][j] < h.v) h = (Hit){{j, a[i][j]}}; at[i] = h.at; least[i] = h.v;",
            ["value", "at0"], id="a compound literal",
        ),
        pytest.param(
            f"Hit h = {{-1, 1}}; int c = 0; {LOOP} {{ if (a[i][j] < h.v) {{ h.v = a[i][j]; h.at = j; }} "
            "c += key[j]; } at[i] = h.at + c; least[i] = h.v;",
            ["value", "at0"], id="members",
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
            f"{START} {LOOP} {{ if (a[i][j] < best) {{ best = a[i][j]; where = kept[j]; }} kept[j] = j; }} {END}",
            id="reads memory that changes",
        ),
        pytest.param(
            f"{START} {LOOP} {{ int k = key[j] & 1; if (a[i][j] < best) {{ best = a[i][j]; where = key[k]; }} }} {END}",
            id="reads memory somewhere",
        ),
        pytest.param(
            f"{START} {LOOP} if (a[i][j] < best && key[key[j]]) {TAKES} {END}", id="a question that is not always asked"
        ),
        pytest.param(
            f"int where = 0; {LOOP} if (where < 5 && a[i][j] > 0) where = j; at[i] = where;", id="again and again"
        ),
        pytest.param(
            f"unsigned where = 0; {LOOP} if (where < -1 && a[i][j] > 0) where = j; at[i] = where;", id="always unset"
        ),
        pytest.param(
            f"int where = -1; {LOOP} if (where < 0 && key[j] > 0 && key[key[j]]) where = j; at[i] = where;",
            id="a question that is asked until it holds",
        ),
        pytest.param(
            f"int k = 0, where = 0; {LOOP} if (a[i][j] > 0) {{ k += 2; where = k; }} at[i] = where;", id="follows"
        ),
        pytest.param(f"int x = 1, y = 2; {LOOP} if (a[i][j] > 0) {{ x = y; y = j; }} at[i] = x - y;", id="shifts"),
        pytest.param(f"{LOOP} if (j == m / 2) at[i] = j;", id="no data decide"),
        pytest.param(f"int where = -1; {LOOP} if (where < 0) where = j; at[i] = where;", id="the first of all"),
        pytest.param(
            f"int where = -1; {LOOP} if (a[i][j] > where) if (where < 0) where = j; at[i] = where;", id="is asked twice"
        ),
        pytest.param(f"{LOOP} if (a[i][j] > 0) at[key[j]] = j;", id="data choose the place"),
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


def test_a_selection_is_told_once() -> None:
    """What takes its result is no update that stays as it is."""
    body = f"int where = -1; {LOOP} if (where < 0 && a[i][j] > 0) where = j; at[i] = where;"
    done = compile_source(SourceFile("f.c", HEAD + body + TAIL), CompileOptions())
    assert [(each.variable, each.operator, each.refused) for each in done.candidates[0]] == [("where", "first", "")]
