"""Plain kernels of which a block has several rows below each other: every point is done, and once."""

from __future__ import annotations

import re

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions, TileChoice, Tuning
from pencilc.verify.command import VerifySettings, verify
from pencilc.verify.forms import SEVERAL_ROWS, forms_of

PROGRAM = """
void scaled(int n, int m, float a[static const restrict n][m], const float b[static const restrict m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = a[i][j] * 2 + b[j] + i;
#pragma endscop
}

/* every third row of a triangle, upwards from the second */
void triangle(int n, float a[static const restrict n][n]) {
#pragma scop
    for (int i = 1; i < n; i += 3)
        for (int j = 0; j < i; j++)
            a[i][j] = a[i][j] + i - j;
#pragma endscop
}

void cube(int n, int m, int l, int a[static const restrict l][n][m], const int b[static const restrict n]) {
#pragma scop
    for (int k = 0; k < l; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[k][i][j] ^= b[i] + k;
#pragma endscop
}

/* two ranges of rows in one kernel, of which a condition parts one */
void parts(int n, int m, int c, int a[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (i < c)
                a[i][j] += 1;
            if (i > c + 3)
                a[i][j] -= j;
        }
#pragma endscop
}

/* two kernels in a launch, one of which has a third direction, that may be less than empty */
void inner(int l, int n, int m, int a[static const restrict l][n][m], int b[static const restrict n][m]) {
#pragma scop
    for (int k = 1; k < l; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[k][i][j] = i + j;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = i - j;
#pragma endscop
}
"""
KERNELS = ("scaled", "triangle", "cube", "parts", "inner")


@pytest.mark.parametrize("rows", [4, pytest.param(2, marks=pytest.mark.full), pytest.param(16, marks=pytest.mark.full)])
def test_a_block_has_so_many_rows(rows: int) -> None:
    values = (("rows", rows), ("full_blocks_per_sm", 0))
    kernels = (*(f"{name}_parallel0" for name in KERNELS), "parts_parallel1", "inner_parallel1")
    options = CompileOptions(tuning=Tuning(tuple((name, values) for name in kernels)))
    file = SourceFile("rows.c", PROGRAM)
    assert f"block.y, {rows}, 0ll * multiprocessors)" in compile_source(file, options).cuda
    sizes = {"n": (0, 1, 31, 33, 70, 131), "m": (1, 33), "l": (0, 2), "c": (0, 40)}
    report = verify(file, options, VerifySettings(sizes=sizes, orders=("rand:3",)))
    assert report.ok, report.table()
    assert {row.function for row in report.rows if row.status == "ok"} == set(KERNELS)


def test_a_thread_has_one_row_where_blocks_are_few() -> None:
    text = compile_source(SourceFile("rows.c", PROGRAM), CompileOptions()).cuda
    # `parts` and `inner` have two kernels, which share a launch.
    assert text.count("pencilc_block_rows(") == len(KERNELS) + 3
    assert "block.y, 4, 8ll * multiprocessors)" in text


LOOP = """
void smoothed(int n, int t, float a[static const restrict n][n], float b[static const restrict n][n]) {
#pragma scop
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = 0.2f * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j];
    }
#pragma endscop
}
"""


def test_verify_runs_the_form_that_few_points_do_not_take() -> None:
    (form,) = forms_of(compile_source(SourceFile("rows.c", PROGRAM), CompileOptions()))
    assert form.name == SEVERAL_ROWS and "block.y, 4, 0ll * multiprocessors)" in form.cuda


def test_forms_of_a_loop_are_there_beside_tiles_that_the_user_asks_for() -> None:
    asked = CompileOptions(tiles=(TileChoice("smoothed_loop0", (32, 64)),))
    forms = forms_of(compile_source(SourceFile("loop.c", LOOP), asked))
    plain = forms_of(compile_source(SourceFile("loop.c", LOOP), CompileOptions()))
    assert [form.name for form in forms] == [form.name for form in plain]


# What a row loads waits in `*_ahead` while other rows are loaded: `k` is an array, `first_row` a size, rows are written
# in place, divided, taken by a subscript that is loaded itself, asked for on a condition, made in two statements.
AHEAD = """
struct Pair { float x, y; };
static float half_of(float v) { return v / 2; }
static float set(int n, int m, float r[static const restrict n][m], int i, int j) { r[i][j] = 9; return 1; }

void in_place(int n, int m, float a[static const restrict n][m], const float s[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] /= s[i];
#pragma endscop
}

void widened(int first_row, int m, float k[static const restrict first_row][m],
             const double d[static const restrict m][first_row]) {
#pragma scop
    for (int i = 0; i < first_row; i++)
        for (int j = 0; j < m; j++)
            k[i][j] += d[j][i];
#pragma endscop
}

void taken(int n, int m, const int at[static const restrict n], const float x[static const restrict n][m],
           float y[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[i][j] = x[at[i] % n][j] + half_of(x[i][j]);
#pragma endscop
}

void bordered(int n, int m, const float x[static const restrict n][m], float y[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[i][j] = x[i][j] * (i > 0 ? x[i - 1][j] : 1) - (i < n - 1 && x[i + 1][j] > 0);
#pragma endscop
}

void twice(int n, int m, const float x[static const restrict n][m], float y[static const restrict n][m],
           float z[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            const float v = x[i][j] * x[i][j];
            y[i][j] = v + y[i][j];
            z[i][j] = y[i][j] / (1 + v);
        }
#pragma endscop
}

void pairs(int n, int m, const struct Pair p[static const restrict n][m], struct Pair q[static const restrict n][m],
           unsigned char b[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            q[i][j] = p[i][j];
            b[i][j] += 3;
        }
#pragma endscop
}

/* a function sets what is read behind it */
void set_by_a_function(int n, int m, float x[static const restrict n][m], float y[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            const float v = set(n, m, x, i, j);
            y[i][j] = x[i][j] + v;
        }
#pragma endscop
}

void deep(int l, int n, int m, const short x[static const restrict l][n][m], int y[static const restrict l][n][m]) {
#pragma scop
    for (int k = 0; k < l; k++)
        for (int i = n - 1; i >= 0; i--)
            for (int j = 0; j < m; j++)
                y[k][i][j] = 2 * x[k][n - 1 - i][j] + y[k][i][j] / 3;
#pragma endscop
}
"""


def test_what_several_rows_load_is_there_before_the_first_is_done() -> None:
    names = ("in_place", "widened", "taken", "bordered", "twice", "pairs", "set_by_a_function", "deep")
    values = (("rows", 4), ("full_blocks_per_sm", 0))
    options = CompileOptions(tuning=Tuning(tuple((f"{name}_parallel0", values) for name in names)))
    file = SourceFile("ahead.c", AHEAD)
    text = compile_source(file, options).cuda
    loaded = re.findall(r"(\w+)_ahead\[k_?\] = ", text)
    assert {name: loaded.count(name) for name in set(loaded)} == {
        "a": 1, "s": 1, "k": 1, "d": 1, "at": 1, "x": 4, "y": 2, "p": 1,
    }  # fmt: skip
    sizes = {"n": (0, 1, 31, 33, 131), "first_row": (0, 9, 131), "m": (1, 33), "l": (0, 2)}
    report = verify(file, options, VerifySettings(sizes=sizes, orders=("rand:3",)))
    assert report.ok, report.table()
    assert {row.function for row in report.rows if row.status == "ok"} == set(names)
