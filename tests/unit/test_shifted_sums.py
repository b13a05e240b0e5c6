"""Which sums are accumulated before their shift is known, and which wait for it."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.shapes import Kernel, Shape
from pencilc.options import CompileOptions
from pencilc.report.text import report_text

HEAD = """#include <math.h>
#include <pencil.h>
static void zero(float *v) { *v = 0.0f; }
static void lowest(float *v) { *v = -INFINITY; }
static float add(float a, float b) { return a + b; }
static float times(float a, float b) { return a * b; }
static void unit(float *v) { *v = 1.0f; }
static float larger(float a, float b) { return a > b ? a : b; }
static void no_half(pencil_half *v) { *v = pencil_float_to_half(0.0f); }
static pencil_half add_half(pencil_half a, pencil_half b) {
    return pencil_float_to_half(pencil_half_to_float(a) + pencil_half_to_float(b));
}
void f(int n, int m, float x[static const restrict n][m], const float w[static const restrict m],
       float y[static const restrict n][m], float z[static const restrict n]) {
#pragma scop
    float e[n][m];
    for (int i = 0; i < n; i++) {
        float max, sum, other;
        __pencil_reduction_var_init(&max, lowest);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&max, x[i][j], larger);
        __pencil_reduction_var_init(&sum, zero);
        %s
    }
#pragma endscop
}
"""
UPDATE = "for (int j = 0; j < m; j++) { %s __pencil_reduction(&sum, %s, add); }"
LAST = "for (int j = 0; j < m; j++) y[i][j] = x[i][j] / sum;"


def behind(body: str, options: CompileOptions | None = None) -> tuple[Kernel, ...]:
    """What runs where rows do not fit, of the function with this behind its maximum."""
    compiled = compile_source(SourceFile("f.c", HEAD % body), options or CompileOptions())
    (stitched,) = compiled.programs[0].stitched()
    return stitched.fallback.kernels


def count(body: str) -> int:
    """How many kernels that are."""
    return len(behind(body))


@pytest.mark.parametrize(
    ("before", "element"),
    [
        ("", "expf(x[i][j] - max)"),
        ("", "exp2f(2.0f * x[i][j] - max)"),
        ("", "w[j] * expf(x[i][j] - max)"),
        ("", "expf(x[i][j] - max) * (w[j] + 1.0f)"),
        ("", "(x[i][j] - max) * (x[i][j] - max)"),
        ("", "(2.0f * max - w[j]) * (2.0f * max - w[j])"),
        ("float d = x[i][j] - max;", "d * d"),
        ("float d = x[i][j] - max; float q = d * d;", "q"),
        ("if (w[j] > 0.0f)", "expf(x[i][j] - max)"),
        ("float d = 2.0f * w[j]; if (d > 0.5f)", "expf(x[i][j] - max)"),
        ("", "expf(x[i][j] - (int)max / 2)"),
    ],
)
def test_joined(before: str, element: str) -> None:
    first, last = behind(UPDATE % (before, element) + LAST)
    assert first.shape is Shape.ROW and len(first.reductions) == 2
    assert last.shape is Shape.PARALLEL


@pytest.mark.parametrize(
    ("before", "element"),
    [
        ("", "expf(max - x[i][j])"),  # what was summed would have to become larger
        ("", "expf((x[i][j] - max) * 0.5f)"),
        ("", "x[i][j] - max"),
        ("", "(x[i][j] - max) * (w[j] - max)"),
        ("", "(x[i][j] - max) * (x[i][j] - max) * (x[i][j] - max)"),
        ("", "expf(x[i][j] - max * w[j])"),  # another shift for each element
        ("", "max * expf(x[i][j] - max)"),  # the weight has to wait
        ("", "(float)exp((double)(x[i][j] - max))"),
        ("if (x[i][j] > 0.5f * max)", "expf(x[i][j] - max)"),
        ("float d = x[i][j] - max; if (d > -9.0f)", "expf(d)"),
        ("float d = x[i][j]; if (w[j] > 0.0f) d = max; ", "expf(d - max)"),
        ("float d = x[i][j] - max; if (d > 0.5f)", "expf(x[i][j] - max)"),
        ("", "expf(x[i][j] - (int)max / m)"),  # a row without elements does not divide
        ("float e = x[i][j] - max; int d = x[i][j] - max;", "e * d"),
    ],
)
def test_not_joined(before: str, element: str) -> None:
    assert count(UPDATE % (before, element) + LAST) == 3


def test_a_scale_of_the_row_is_no_shift() -> None:
    scaled = HEAD.replace("x[i][j], larger", "x[i][j] * scale, larger").replace(
        "float max, sum, other;", "float max, sum, other; float scale = z[i] * 2.0f;"
    )
    compiled = compile_source(
        SourceFile("f.c", scaled % (UPDATE % ("", "expf(x[i][j] * scale - max)") + LAST)), CompileOptions()
    )
    (stitched,) = compiled.programs[0].stitched()
    # The scale has a small kernel of its own.
    assert [len(kernel.reductions) for kernel in stitched.fallback.kernels] == [0, 2, 0]


def test_a_joined_walk_is_a_fixed_tree_where_that_is_asked_for() -> None:
    body = UPDATE % ("", "expf(x[i][j] - max)") + LAST
    done = compile_source(SourceFile("f.c", HEAD % body), CompileOptions(determinism="fixed-tree"))
    first, _ = done.programs[0].kernels()
    assert len(first.reductions) == 2 and first.fixed_tree and first.workers > 0


def test_another_reduction_keeps_the_walk() -> None:
    both = """__pencil_reduction_var_init(&other, %s);
    for (int j = 0; j < m; j++) {
        __pencil_reduction(&sum, expf(x[i][j] - max), add);
        __pencil_reduction(&other, %s);
    }
    for (int j = 0; j < m; j++) y[i][j] = x[i][j] / sum + other;"""
    assert count(both % ("unit", "x[i][j] - max, times")) == 3
    assert count(both % ("zero", "w[j] * exp2f(x[i][j] - max), add")) == 2
    # What waits for nothing goes along as it is.
    assert count(both % ("unit", "w[j], times")) == 2


def test_other_elements_keep_the_walk() -> None:
    sweep = "for (int j = 0; j < m; j++) if (j > 0) __pencil_reduction(&sum, expf(x[i][j] - max), add);"
    assert count(sweep + LAST) == 3


def test_what_later_elements_need_is_made_by_them() -> None:
    stored = UPDATE % ("e[i][j] = expf(x[i][j] - max);", "e[i][j]")
    first, last = behind(stored + "for (int j = 0; j < m; j++) y[i][j] = e[i][j] / sum;")
    assert len(last.statements) == 2 and len(first.reductions) == 2
    in_place = UPDATE % ("x[i][j] -= max; x[i][j] = expf(x[i][j]);", "x[i][j]")
    first, last = behind(in_place + "for (int j = 0; j < m; j++) x[i][j] = x[i][j] / sum;")
    assert len(last.statements) == 3 and len(first.reductions) == 2
    # Nobody sweeps over the elements behind the sum.
    stored = UPDATE % ("y[i][j] = expf(x[i][j] - max);", "y[i][j]")
    assert count(stored + "z[i] = sum;") == 2
    (only,) = behind(UPDATE % ("float d = x[i][j] - max;", "d * d") + "z[i] = sum;")
    assert len(only.reductions) == 2


def test_as_written() -> None:
    body = UPDATE % ("", "expf(x[i][j] - max)") + LAST
    assert len(behind(body, CompileOptions(shifted_sums="as-written"))) == 3


def test_report() -> None:
    body = UPDATE % ("", "expf(x[i][j] - max)") + LAST
    told = report_text(compile_source(SourceFile("f.c", HEAD % body), CompileOptions()))
    assert "(fewer sweeps: f_row3 for f_row0, f_row1)" in told
    assert "reduces `sum` with `add` (recognised as +), for any shift, before `max` is known" in told


def test_half_keeps_the_walk() -> None:
    body = """pencil_half narrow;
    __pencil_reduction_var_init(&narrow, no_half);
    for (int j = 0; j < m; j++)
        __pencil_reduction(&narrow, pencil_float_to_half(expf(x[i][j] - max)), add_half);
    for (int j = 0; j < m; j++) y[i][j] = pencil_half_to_float(narrow);"""
    assert count(body) == 3
