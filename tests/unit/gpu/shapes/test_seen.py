"""For which points of a tile elements may be computed that the source has not."""

from __future__ import annotations

import islpy as isl
import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.gpu.shapes.seen import asks_for_elements, only_computes, seen_points
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.shapes import Tiling
from pencilc.options import CompileOptions

TEXT = """#include <pencil.h>
static void zero(int *v) {{ *v = 0; }}
static int add(int a, int b) {{ return a + b; }}
void f(int n, const int a[static const restrict n][n], const int b[static const restrict n][n],
       const int w[static const restrict 16], int c[static const restrict n][n])
{{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= {last}; j++) {{
            __pencil_reduction_var_init(&c[i][j], zero);
            for (int k = j; k <= i; k++)
                __pencil_reduction(&c[i][j], {element}, add);
        }}
#pragma endscop
}}
"""


def tiled(element: str, last: str = "i") -> tuple[MappedProgram, Tiling]:
    text = TEXT.format(element=element, last=last)
    (program,) = compile_source(SourceFile("f.c", text), CompileOptions(), "mapping").programs
    (kernel,) = program.kernels()
    assert kernel.tiling is not None
    return program, kernel.tiling


@pytest.mark.parametrize(
    ("element", "computes"),
    [("a[i][k] * b[j][k]", True), ("a[i][k] / b[j][k]", False), ("a[i][k] * b[j][k] * w[3]", False)],
    ids=["arithmetic", "a division that may be undefined", "memory"],
)
def test_what_only_computes(element: str, computes: bool) -> None:
    program, tiling = tiled(element)
    assert only_computes(program.scop, tiling) is computes
    assert (seen_points(program.scop, tiling) is not None) is computes


def test_points_that_have_results_are_seen() -> None:
    """Where the others have results too, which no element may change, all points of the box count."""
    program, tiling = tiled("a[i][k] * b[j][k]")
    seen = seen_points(program.scop, tiling)
    assert seen is not None and seen.is_subset(isl.Set("[n] -> { [i, j] : j <= i }"))
    program, tiling = tiled("a[i][k] * b[j][k]", "n - 1")
    assert tiling.looping is not None and seen_points(program.scop, tiling) is None


MASKED = """#include <pencil.h>
void f(int n, int m, const float a[static const restrict n][m], const float b[static const restrict n][m],
       int c[static const restrict n][n], int d[static const restrict n])
{{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {{
            float t = {start};
            for (int k = 0; k < m; k++)
                if (j <= i)
                    t += {element};
            c[i][j] = t;
        }}
#pragma endscop
}}
"""


@pytest.mark.parametrize(
    ("start", "element", "asks"),
    [
        ("-1", "a[i][k] * b[j][k]", False),
        ("d[i]", "a[i][k] * b[j][k]", False),
        ("c[i][j]", "a[i][k] * b[j][k]", True),
        ("-1", "a[i][k] * b[j][k] * d[0]", True),
    ],
    ids=["a number", "what nobody writes", "what is written behind the loop", "memory"],
)
def test_which_elements_are_asked_for(start: str, element: str, asks: bool) -> None:
    """A point of the upper half has a result and no elements: what it begins with, which is found again."""
    text = MASKED.format(start=start, element=element)
    (program,) = compile_source(SourceFile("f.c", text), CompileOptions(), "mapping").programs
    (kernel,) = program.kernels()
    found = kernel.tiling
    assert found is not None and found.is_product and found.has_others
    assert asks_for_elements(program.scop, found) is asks and found.is_light is not asks
