"""Tilings that are broken by hand: the verifier of tiles refuses each."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import islpy as isl
import pytest

from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.gpu.verifiers.tiles import verify_tiling
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.shapes import Kernel, ReducingKernel, TileSize, Tiling
from pencilc.ir.source import Assign, Index
from pencilc.options import CompileOptions

PRODUCT = """#include <pencil.h>
void product(int m, int n, int p, const float a[static const restrict m][p], const float b[static const restrict p][n],
             float c[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = 0;
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
#pragma endscop
}
"""


NEAREST = """#include <math.h>
void nearest(int m, int n, int p, const float a[static const restrict m][p], const float b[static const restrict n][p],
             float c[static const restrict m]) {
#pragma scop
    for (int i = 0; i < m; i++) {
        float best = INFINITY;
        for (int j = 0; j < n; j++) {
            float distance = 0;
            for (int k = 0; k < p; k++)
                distance += fabsf(a[i][k] - b[j][k]);
            best = fminf(best, distance);
        }
        c[i] = best;
    }
#pragma endscop
}
"""


@cache
def mapped() -> MappedProgram:
    (program,) = compile_source(SourceFile("product.c", PRODUCT), CompileOptions(), "mapping").programs
    return program


def kernel_and_tiling() -> tuple[Kernel, Tiling]:
    (kernel,) = mapped().kernels()
    assert kernel.tiling is not None
    return kernel, kernel.tiling


def test_what_is_made_is_taken() -> None:
    verify_tiling(kernel_and_tiling()[0], mapped().scop)


def refused(changed: Tiling, match: str) -> None:
    kernel, _ = kernel_and_tiling()
    with pytest.raises(CompilerBug, match=match):
        verify_tiling(replace(kernel, tiling=changed), mapped().scop)


def test_a_statement_that_tiles_forget_or_repeat() -> None:
    _, tiling = kernel_and_tiling()
    refused(replace(tiling, before=()), "tiles do")
    refused(replace(tiling, after=tiling.before), "tiles do")


def test_sides_that_are_none() -> None:
    _, tiling = kernel_and_tiling()
    refused(replace(tiling, down=tiling.across), "no two sides")
    refused(replace(tiling, across=2), "no two sides")


def test_a_side_that_shares_nothing() -> None:
    _, tiling = kernel_and_tiling()
    refused(replace(tiling, operands=tiling.operands[:1]), "share nothing")


def test_an_operand_that_the_kernel_writes() -> None:
    _, tiling = kernel_and_tiling()
    update = mapped().scop.statement("S1").body
    assert isinstance(update, Assign) and isinstance(update.target, Index)
    first = replace(tiling.operands[0], index=update.target)
    refused(replace(tiling, operands=(first, tiling.operands[1])), "which the kernel writes")


def test_a_tile_without_room() -> None:
    _, tiling = kernel_and_tiling()
    refused(replace(tiling, sizes=(TileSize(8, 8, 64, 2),)), "more shared memory")


def test_a_tile_of_which_nothing_comes() -> None:
    _, tiling = kernel_and_tiling()
    refused(replace(tiling, carried=""), "nothing comes")


def test_an_operand_that_is_fetched_where_nothing_reads_it() -> None:
    text = PRODUCT.replace("k < p", "k <= i").replace("restrict p]", "restrict m]").replace("[p]", "[m]")
    (program,) = compile_source(SourceFile("product.c", text), CompileOptions(), "mapping").programs
    (kernel,) = program.kernels()
    assert kernel.tiling is not None and kernel.tiling.points is not None
    verify_tiling(kernel, program.scop)
    part, whole = sorted(kernel.tiling.operands, key=lambda each: each.read is None)
    assert part.read is not None and whole.read is None
    everywhere = replace(part, read=isl.Set.universe(part.read.get_space()))
    for changed in (
        replace(kernel.tiling, operands=(everywhere, whole)),
        replace(kernel.tiling, points=None),
        replace(kernel.tiling, is_product=True),
    ):
        with pytest.raises(
            CompilerBug, match="nothing reads it" if changed.points and not changed.is_product else "a part"
        ):
            verify_tiling(replace(kernel, tiling=changed), program.scop)


# ---- tensor cores -------------------------------------------------------------------------------------

BYTES = """#include <pencil.h>
#include <stdint.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
void bytes(int m, int n, int p, const int8_t a[static const restrict m][p], const int8_t b[static const restrict p][n],
           int c[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * b[k][j];
#pragma endscop
}
void halves(int m, int n, int p, const pencil_half a[static const restrict m][p],
            const pencil_half b[static const restrict p][n], float c[static const restrict m][n]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            __pencil_reduction_var_init(&c[i][j], zero);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&c[i][j], pencil_half_to_float(a[i][k]) * pencil_half_to_float(b[k][j]), add);
        }
#pragma endscop
}
"""


def test_tensor_cores_where_they_must_not_be() -> None:
    programs = compile_source(SourceFile("bytes.c", BYTES), CompileOptions(), "mapping").programs
    for program in programs:
        (kernel,) = program.kernels()
        shared = kernel.tiling
        assert shared is not None and shared.on_tensor_cores
        verify_tiling(kernel, program.scop)
        first = shared.operands[0]
        with pytest.raises(CompilerBug, match="other than two operands"):
            verify_tiling(replace(kernel, tiling=replace(shared, operands=(*shared.operands, first))), program.scop)
        with pytest.raises(CompilerBug, match="add up in an order"):
            verify_tiling(replace(kernel, tiling=replace(shared, carried="c")), program.scop)
    (kernel,) = programs[1].kernels()
    assert isinstance(kernel, ReducingKernel)
    with pytest.raises(CompilerBug, match="under a fixed tree"):
        verify_tiling(replace(kernel, fixed_tree=True), programs[1].scop)
    (kernel,) = programs[0].kernels()
    assert isinstance(kernel, ReducingKernel)
    verify_tiling(replace(kernel, fixed_tree=True), programs[0].scop)


@cache
def folded() -> MappedProgram:
    (program,) = compile_source(SourceFile("nearest.c", NEAREST), CompileOptions(), "mapping").programs
    return program


def folded_refused(match: str, *, fixed_tree: bool = False, **changes: object) -> None:
    (kernel,) = folded().kernels()
    assert kernel.tiling is not None and isinstance(kernel, ReducingKernel)
    changed = replace(kernel, tiling=replace(kernel.tiling, **changes), fixed_tree=fixed_tree)  # type: ignore[arg-type]
    with pytest.raises(CompilerBug, match=match):
        verify_tiling(changed, folded().scop)


def test_a_fold_that_is_made_is_taken() -> None:
    (kernel,) = folded().kernels()
    verify_tiling(kernel, folded().scop)
    assert kernel.tiling is not None and kernel.tiling.folds


def test_a_fold_along_another_row() -> None:
    folded_refused("along a row that is not reduced", across=0, down=1)


def test_a_fold_of_what_is_in_no_order() -> None:
    folded_refused("along a row that is not reduced", carried="")


def test_a_fold_of_points_that_have_no_loop() -> None:
    below = isl.Set("[m, n, p] -> { [i, j] : 0 <= j < i < m and j < n }")
    folded_refused("points that have no loop", looping=below)
    folded_refused("rows that others leave out", occupied=below)


def test_a_fold_before_the_points_are_done() -> None:
    (kernel,) = folded().kernels()
    assert kernel.tiling is not None
    tiling = kernel.tiling
    folded_refused("before their points are done", before=(*tiling.before, *tiling.after), after=())


def test_a_fold_by_places_of_what_has_none() -> None:
    (kernel,) = folded().kernels()
    assert kernel.tiling is not None
    folded_refused("no update of theirs", in_order=frozenset({"S0"}))
    folded_refused("places that do not ascend", in_order=frozenset({kernel.tiling.after[-1]}))


def test_a_fold_by_places_along_a_row_that_goes_down() -> None:
    text = """#include <math.h>
    void nearest(int m, int n, int p, const float a[static const restrict m][p],
                 const float b[static const restrict n][p], int c[static const restrict m]) {
    #pragma scop
        for (int i = 0; i < m; i++) {
            float best = INFINITY;
            int at = 0;
            for (int j = 0; j < n; j++) {
                float d = 0;
                for (int k = 0; k < p; k++) d += a[i][k] * b[j][k];
                if (d < best) { best = d; at = j; }
            }
            c[i] = at;
        }
    #pragma endscop
    }
    """
    (program,) = compile_source(SourceFile("nearest.c", text), CompileOptions(), "mapping").programs
    (kernel,) = program.kernels()
    assert kernel.tiling is not None and kernel.tiling.in_order and isinstance(kernel, ReducingKernel)
    verify_tiling(kernel, program.scop)
    (row,) = kernel.reduced
    turned = replace(kernel, reduced=(replace(row, function=row.function.neg()),))
    with pytest.raises(CompilerBug, match="places that do not ascend"):
        verify_tiling(turned, program.scop)


def test_a_fixed_tree_that_the_device_chooses() -> None:
    folded_refused("the device chooses", fixed_tree=True)
