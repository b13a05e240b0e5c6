"""Helpers that go through rows which they are given have their loops where they are called."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.source import Call, walk
from pencilc.options import CompileOptions

HEAD = """#include <pencil.h>
static int dot(int p, const short x[static p], const short y[static p]) {
    int s = 0;
    for (int k = 0; k < p; k++) s += x[k] * y[k];
    return s;
}
static int turns(int n, int least) { int s = 0; for (int k = 0; k < n; k++) s = (s * 7 + least) %% 11; return s; }
static int first(int p, const short x[static p]) { int k = 0; while (k < p && x[k] < 3) k++; return k; }
static int many(int p, const short x[static p]) {
    int of[4] = {0, 0, 0, 0};
    for (int k = 0; k < p; k++) of[x[k] & 3] += 1;
    return of[0] * of[1] + of[2];
}
void f(int m, int n, int p, const short a[static const restrict m][p], const short b[static const restrict n][p],
       int c[static const restrict m][n])
{
#pragma scop
    for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) c[i][j] = %s;
#pragma endscop
}
"""


def compiled(value: str, last: str):  # type: ignore[no-untyped-def]
    """What a stage makes of a region that computes `value` for each point."""
    return compile_source(SourceFile("f.c", HEAD % value), CompileOptions(), last)


@pytest.mark.parametrize("value", ["dot(p, a[i], b[j])", "2 * dot(p, a[i], b[j]) + i"])
def test_points_that_share_rows_go_in_tiles(value: str) -> None:
    ((kernel,),) = (region.program.kernels() for region in compiled(value, "mapping").mapped)
    assert kernel.tiling is not None


@pytest.mark.parametrize("value", ["turns(j, i)", "first(p, a[i])", "many(p, a[i])", "i > 0 ? dot(p, a[i], b[j]) : 0"])
def test_others_stay_functions(value: str) -> None:
    """Without rows to share, with a loop that data end, with an array of its own; where not every point calls it."""
    (region,) = compiled(value, "source").parsed.regions
    assert any(isinstance(node, Call) for node in walk(region.body))
