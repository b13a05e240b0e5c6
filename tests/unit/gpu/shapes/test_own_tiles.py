"""Loops of a point that get kernels of their own."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.shapes import Kernel
from pencilc.options import CompileOptions

HEAD = """void f(int m, int n, const double a[static const restrict m][m], const double b[static const restrict m][n],
       double c[static const restrict m][n], double d[static const restrict m][n], double scale)
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
"""
END = """
        }
#pragma endscop
}
"""
SUM = "double s = 0; for (int k = 0; k < i; k++) s += a[i][k] * b[k][j];"
IN_PLACE = "for (int k = 0; k < m; k++) d[i][j] += a[k][i] * b[k][j];"


def kernels(body: str) -> list[Kernel]:
    (program,) = compile_source(SourceFile("f.c", HEAD + body + END), CompileOptions(), "mapping").programs
    return list(program.kernels())


def test_two_products_of_a_point_have_tiles_each() -> None:
    found = kernels(f"{SUM} c[i][j] = scale * s; {IN_PLACE}")
    assert [each.tiling is not None for each in found] == [True, True]
    assert [each.tiling.carried for each in found if each.tiling is not None] == ["s", "d"]


def test_symm_is_two_products_in_the_order_of_the_source() -> None:
    """What an iteration adds to rows above comes behind what these rows begin with, whichever thread does it."""
    body = (
        "double s = 0; for (int k = 0; k < i; k++) { c[k][j] += scale * b[i][j] * a[i][k]; s += b[k][j] * a[i][k]; }"
        " c[i][j] = scale * c[i][j] + b[i][j] * a[i][i] + s;"
    )
    found = kernels(body)
    assert [each.tiling is not None and each.tiling.points is not None for each in found] == [True, True]


@pytest.mark.parametrize(
    "body",
    [
        f"{SUM} {IN_PLACE} c[i][j] = s;",  # handed on behind the second loop
        f"{SUM} c[i][j] = s; for (int k = 0; k < m; k++) d[i][j] += a[i][k];",  # whose points share nothing
        f"{SUM} c[i][j] = s;",  # one loop alone
    ],
)
def test_a_point_that_one_thread_does(body: str) -> None:
    assert len(kernels(body)) == 1
