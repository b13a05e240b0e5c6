"""Tiles with a halo that are broken by hand: their verifier refuses each."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import islpy as isl
import pytest

from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.gpu.verifiers.halo import verify_halo
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.shapes import Halo, HeldDimension, Kernel, VectorAccess
from pencilc.options import CompileOptions

HEAT = """#include <pencil.h>
void heat(int p, int m, int n, const float a[static const restrict p][m][n], float b[static const restrict p][m][n]) {
#pragma scop
    for (int i = 1; i < p - 1; i++)
        for (int j = 1; j < m - 1; j++)
            for (int k = 1; k < n - 1; k++)
                b[i][j][k] = a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] + a[i][j][k - 1];
#pragma endscop
}
"""


@cache
def mapped() -> MappedProgram:
    (program,) = compile_source(SourceFile("heat.c", HEAT), CompileOptions(), "mapping").programs
    return program


def kernel_and_halo() -> tuple[Kernel, Halo]:
    (kernel,) = mapped().kernels()
    assert kernel.halo is not None
    return kernel, kernel.halo


def refused(changed: Halo, match: str) -> None:
    kernel, _ = kernel_and_halo()
    with pytest.raises(CompilerBug, match=match):
        verify_halo(replace(kernel, halo=changed), mapped().scop, ())


def with_dimension(position: int, changed: HeldDimension) -> Halo:
    """The tile with another reach along one subscript."""
    _, halo = kernel_and_halo()
    (held,) = halo.held
    dimensions = (*held.dimensions[:position], changed, *held.dimensions[position + 1 :])
    return replace(halo, held=(replace(held, dimensions=dimensions),))


def test_what_is_made_is_taken() -> None:
    verify_halo(kernel_and_halo()[0], mapped().scop, ())


@pytest.mark.parametrize("position", [0, 1, 2])
def test_a_halo_that_is_too_small(position: int) -> None:
    dimension = kernel_and_halo()[1].held[0].dimensions[position]
    refused(with_dimension(position, replace(dimension, low=dimension.low + 1)), "does not hold all")
    refused(with_dimension(position, replace(dimension, high=dimension.high - 1)), "does not hold all")


def test_a_subscript_that_moves_with_another_row() -> None:
    refused(with_dimension(2, HeldDimension(1, 1, -1, 1)), "does not hold all")


def test_elements_that_no_tile_fetches() -> None:
    _, halo = kernel_and_halo()
    (held,) = halo.held
    fewer = held.fetched.intersect(isl.Set("[p, m, n] -> { [i, j, k] : i >= 1 }"))
    refused(replace(halo, held=(replace(held, fetched=fewer),)), "not all that is read")


def test_sides_that_are_none() -> None:
    _, halo = kernel_and_halo()
    refused(replace(halo, down=halo.across), "no sides")
    refused(replace(halo, along=3), "no sides")


def test_a_tile_without_room() -> None:
    _, halo = kernel_and_halo()
    refused(replace(halo, points=(32, 128, 128)), "more shared memory")
    refused(replace(halo, points=()), "more shared memory")


def test_points_that_are_not_dealt_out() -> None:
    _, halo = kernel_and_halo()
    refused(replace(halo, points=(32, 8, 16)), "not dealt out")
    refused(replace(halo, points=(32, 16, 48)), "not dealt out")


def test_an_array_that_the_kernel_writes() -> None:
    _, halo = kernel_and_halo()
    refused(replace(halo, held=(replace(halo.held[0], symbol="b"),)), "of `b` what the kernel writes")


def test_reads_of_another_kernel() -> None:
    _, halo = kernel_and_halo()
    (held,) = halo.held
    strange = VectorAccess("S9", held.index)
    refused(replace(halo, held=(replace(held, reads=(strange,)),)), "another kernel")
