"""Which tiles tensor cores do."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.gpu.shapes.tiles import tensor_bytes, tensor_depth, tensor_unrolled
from pencilc.ir.shapes import Tiling
from pencilc.options import CompileOptions, Tuning
from pencilc.target import STATIC_SHARED

HEAD = """#include <pencil.h>
#include <stdint.h>
static void zero(float *v) { *v = 0; }
static void zero_int(int *v) { *v = 0; }
static void zero_double(double *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
static int add_int(int a, int b) { return a + b; }
static double add_double(double a, double b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }
static float from(pencil_half v) { return pencil_half_to_float(v); }
#define H(x) pencil_half_to_float(x)
"""


def tiling(
    element: str, types: str = "pencil_half pencil_half float", add: str = "add", zero: str = "zero",
    loop: str = "for (int k = 0; k < p; k++)", before: str = "", options: CompileOptions | None = None,
) -> Tiling:  # fmt: skip
    """That of `c[i][j] = sum over k of element`, for arrays `a` (m x p), `b` (p x n) and `c` of these types."""
    a, b, c = types.split(" ")
    text = f"""{HEAD}
void f(int m, int n, int p, const {a} a[static const restrict m][p], const {b} b[static const restrict p][n],
       const int w[static const restrict p], {c} c[static const restrict m][n]) {{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {{
            {c} s;
            __pencil_reduction_var_init(&s, {zero});
            {loop} {{ {before} __pencil_reduction(&s, {element}, {add}); }}
            c[i][j] = s;
        }}
#pragma endscop
}}
"""
    (program,) = compile_source(SourceFile("f.c", text), options or CompileOptions(), "mapping").programs
    (kernel,) = program.kernels()
    assert kernel.tiling is not None
    return kernel.tiling


HALVES = "H(a[i][k]) * H(b[k][j])"
BYTES = {"types": "int8_t int8_t int", "add": "add_int", "zero": "zero_int"}


def test_products_of_halves() -> None:
    found = tiling(HALVES)
    assert found.on_tensor_cores and [size.down for size in found.sizes] == [8, 4]
    assert (tensor_depth(found), tensor_unrolled(found)) == (32, 2)
    assert all(tensor_bytes(found, size) <= STATIC_SHARED for size in found.sizes)


@pytest.mark.parametrize(
    ("element", "changes"),
    [
        ("H(b[k][j]) * H(a[i][k])", {}),
        ("y * x", {"before": "float x = H(a[i][k]), y = H(b[k][j]);"}),
        ("x", {"before": "float x = H(a[i][k]) * H(b[k][j]);"}),
        (
            "pencil_bfloat16_to_float(a[i][k]) * pencil_bfloat16_to_float(b[k][j])",
            {"types": "pencil_bfloat16 pencil_bfloat16 float"},
        ),
        ("a[i][k] * b[k][j]", BYTES),
        ("(int)a[i][k] * (short)b[k][j]", BYTES),
        ("x * b[k][j]", {**BYTES, "before": "short x = a[i][k];"}),
        ("a[i][k] * b[k][j]", {**BYTES, "types": "uint8_t uint8_t int"}),
    ],
)
def test_as_people_write_it(element: str, changes: dict[str, str]) -> None:
    assert tiling(element, **changes).on_tensor_cores  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("element", "changes"),
    [
        (f"0.5f * {HALVES}", {}),
        (f"{HALVES} + 1.0f", {}),
        ("H(a[i][k]) + H(b[k][j])", {}),
        ("from(a[i][k]) * from(b[k][j])", {}),
        (HALVES, {"add": "larger"}),
        (HALVES, {"loop": "for (int k = 0; k < p; k++) if (w[k] > 3)"}),
        (HALVES, {"types": "pencil_half pencil_half double", "add": "add_double", "zero": "zero_double"}),
        ("a[i][k] * b[k][j]", {"types": "float float float"}),
        ("a[i][k] * b[k][j]", {**BYTES, "types": "int8_t uint8_t int"}),
        ("(int8_t)(a[i][k] * 3) * b[k][j]", BYTES),
        ("(unsigned char)a[i][k] * b[k][j]", BYTES),
        ("a[i][k] * b[k][j]", {**BYTES, "types": "short short int"}),
    ],
)
def test_what_ordinary_instructions_do(element: str, changes: dict[str, str]) -> None:
    assert not tiling(element, **changes).on_tensor_cores  # type: ignore[arg-type]


def test_sums_of_floats_in_an_order_are_not_for_tensor_cores() -> None:
    fixed = CompileOptions(determinism="fixed-tree")
    for options in (fixed, CompileOptions(sums="kahan"), CompileOptions(sums="pairwise")):
        assert not tiling(HALVES, options=options).on_tensor_cores
        assert tiling("a[i][k] * b[k][j]", **BYTES, options=options).on_tensor_cores


FLOATS = {"types": "float float float"}


def test_products_of_floats_where_rounding_is_allowed() -> None:
    found = tiling("a[i][k] * b[k][j]", FLOATS["types"], options=CompileOptions(allow_tf32=True))
    assert found.on_tensor_cores and (tensor_depth(found), tensor_unrolled(found)) == (16, 2)
    assert all(tensor_bytes(found, size) <= STATIC_SHARED for size in found.sizes)
    assert not tiling("a[i][k] * b[k][j]", "float float float").on_tensor_cores


@pytest.mark.parametrize(
    ("element", "changes"),
    [
        ("a[i][k] * b[k][j]", {"options": CompileOptions(allow_tf32=True, determinism="fixed-tree")}),
        ("a[i][k] * b[k][j]", {"options": CompileOptions(allow_tf32=True, sums="kahan")}),
        ("a[i][k] + b[k][j]", {}),
        ("a[i][k] * b[k][j]", {"add": "larger"}),
        ("a[i][k] * b[k][j]", {"types": "double double double", "add": "add_double", "zero": "zero_double"}),
    ],
)
def test_what_is_no_product_of_tf32(element: str, changes: dict[str, object]) -> None:
    found = tiling(element, **{**FLOATS, "options": CompileOptions(allow_tf32=True), **changes})  # type: ignore[arg-type]
    assert not found.on_tensor_cores


def test_a_search_that_wants_small_tiles_has_no_fragments() -> None:
    small = CompileOptions(tuning=Tuning((("f_column0", (("tile_down", 2),)),)))
    assert not tiling(HALVES, options=small).on_tensor_cores
