"""A loop on the host whose iterations go in tiles, as nodes, for tests of these and of the rules for them."""

from __future__ import annotations

from functools import cache

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.host import KernelFile
from pencilc.ir.kernel import KernelFunction
from pencilc.options import CompileOptions

JACOBI = """#include <pencil.h>
void jacobi(int steps, int n, float a[static const restrict n][n], float b[static const restrict n][n]) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j - 1] + b[i][j + 1];
    }
#pragma endscop
}
"""


@cache
def made() -> tuple[KernelFile, KernelFunction]:
    """The file, and the function whose blocks have tiles."""
    kernels = compile_source(SourceFile("f.c", JACOBI), CompileOptions(), "kernels").kernels
    assert kernels is not None
    (found,) = (each for each in kernels.kernels if each.shape == "time")
    return kernels, found
