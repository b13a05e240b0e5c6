"""Values that an iteration computes once for what its inner loops add to many results."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.schedule_printer import schedule_line
from pencilc.ir.source import Declare, For, If, walk
from pencilc.options import CompileOptions

HEAD = """#include <pencil.h>
void f(int n, float s, const float a[static const restrict n][n], const float b[static const restrict n][n],
       const pencil_half h[static const restrict n][n], const int p[static const restrict n],
       float c[static const restrict n][n], float x[static const restrict n])
{
#pragma scop
"""
IKJ = "for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) {{ {} for (int j = 0; j < n; j++) {} }}"
OPTIONS = CompileOptions(associative_math=True)


def compiled(body: str, last: str):  # type: ignore[no-untyped-def]
    """A region with the parameters of HEAD."""
    return compile_source(SourceFile("f.c", f"{HEAD}{body}\n#pragma endscop\n}}\n"), OPTIONS, last)


def scalars_left(body: str) -> list[str]:
    """The locals that the region declares behind the front end."""
    (region,) = compiled(body, "source").parsed.regions
    return [node.symbol.spelling for node in walk(region.body) if isinstance(node, Declare)]


@pytest.mark.parametrize(
    ("before", "update", "plain"),
    [
        ("float t = s * a[i][k];", "c[i][j] += t * b[k][j];", "c[i][j] += s * a[i][k] * b[k][j];"),
        ("float u = a[i][k], t = s * u;", "c[i][j] += t * b[k][j];", "c[i][j] += s * a[i][k] * b[k][j];"),
        (
            "float t = pencil_half_to_float(h[i][k]);",
            "c[i][j] += t * b[k][j];",
            "c[i][j] += pencil_half_to_float(h[i][k]) * b[k][j];",
        ),
        ("float t = a[i][k];", "if (t + b[k][j] < c[i][j]) c[i][j] = t + b[k][j];",
         "if (a[i][k] + b[k][j] < c[i][j]) c[i][j] = a[i][k] + b[k][j];"),
    ],
)  # fmt: skip
def test_loops_change_places_as_without_the_scalar(before: str, update: str, plain: str) -> None:
    made = schedule_line(compiled(IKJ.format(before, update), "schedule").scheduled[0])
    assert made == schedule_line(compiled(IKJ.format("", plain), "schedule").scheduled[0])
    assert made.startswith("[i,j P]{ [k R]")


@pytest.mark.parametrize(
    "body",
    [
        # Each result belongs to one iteration of the loops around it: nothing is added across them.
        "for (int i = 0; i < n; i++) { float t = 2 * x[i]; for (int j = 0; j < n; j++) c[i][j] = t * a[i][j]; }",
        # It takes longer than to read it.
        IKJ.format("float t = expf(a[i][k]);", "c[i][j] += t * b[k][j];"),
        # What it is made of changes, here and in the loop that uses it.
        IKJ.format("float t = c[i][k];", "c[i][j] += t * b[k][j];"),
        IKJ.format("float t = x[k]; x[k] = 1;", "c[i][j] += t * b[k][j];"),
        # It is a place, it ends a loop, it is another value later.
        IKJ.format("int t = p[k];", "c[i][t] += b[k][j];"),
        "for (int i = 0; i < n; i++) { int t = p[i]; for (int j = 0; j < t; j++) x[j] += a[i][j]; }",
        IKJ.format("float t = a[i][k];", "{ c[i][j] += t * b[k][j]; t = b[k][j]; }"),
    ],
)
def test_other_scalars_stay(body: str) -> None:
    assert scalars_left(body) == ["t"]


def is_inside(body: str) -> bool:
    """Whether the condition is one on iterations of the innermost loop."""
    (region,) = compiled(body, "source").parsed.regions
    (condition,) = (node for node in walk(region.body) if isinstance(node, If))
    return not any(isinstance(node, For) for node in walk(condition))


def test_rows_that_are_passed_over_are_elements_that_are() -> None:
    assert is_inside(IKJ.format("if (a[i][k] != 0)", "c[i][j] += a[i][k] * b[k][j];"))
    assert is_inside(IKJ.format("float t = a[i][k]; if (t == 0) continue;", "c[i][j] += t * b[k][j];"))


@pytest.mark.parametrize(
    "body",
    [
        # Where the condition fails, the end of the loop may lie outside of an array, and its value may be another one.
        "for (int i = 0; i < n; i++) if (p[i] < n) for (int j = 0; j < p[p[i]]; j++) x[j] += a[i][j];",
        IKJ.format("if (c[i][k] > 0)", "c[i][j] += a[i][k] * b[k][j];"),
        "for (int i = 0; i < n; i++) if (x[i] > 0) for (int j = 0; j < n; j++) c[i][j] = a[i][j];",
    ],
)
def test_other_conditions_stay(body: str) -> None:
    assert not is_inside(body)
