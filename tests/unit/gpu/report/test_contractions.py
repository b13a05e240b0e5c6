"""What the model expects of the tiles of points that share what they read, and how the report tells it."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.gpu.report.contractions import Contraction, WorkOfTiles, contractions, tensor_share
from pencilc.options import CompileOptions
from pencilc.report.json import report_json
from pencilc.report.text import report_text
from pencilc.target import TARGETS

TEXT = """#include <pencil.h>
static void zero({t} *v) {{ *v = 0; }}
static {t} add({t} a, {t} b) {{ return a + b; }}
static float squared(float x) {{ return x * x; }}
void f(int m, int n, int p, const {s} a[static const restrict 2 * m][2 * p + 1],
       const {s} b[static const restrict p][n], {t} c[static const restrict m][n])
{{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {{
            __pencil_reduction_var_init(&c[i][j], zero);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&c[i][j], {element}, add);
        }}
#pragma endscop
}}
"""


@cache
def compiled(element: str, kind: str = "float", stored: str = "float", arch: str = "sm_90") -> Compilation:
    text = TEXT.format(element=element, t=kind, s=stored)
    return compile_source(SourceFile("f.c", text), CompileOptions(target=TARGETS[arch]), "mapping")


def found(element: str, kind: str = "float", stored: str = "float", arch: str = "sm_90") -> Contraction:
    (contraction,) = contractions(compiled(element, kind, stored, arch).programs[0])
    return contraction


def test_a_product_of_floats() -> None:
    """128 x 128 points have 16 elements for a byte; 64 FMA of a thread have four loads of shared memory, 128 six."""
    contraction = found("a[i][k] * b[k][j]")
    assert (contraction.operations, contraction.on_tensor_cores) == (2, False)
    largest, large, middle, low, high, small = contraction.sizes
    assert [(size.down, size.across) for size in contraction.sizes] == [
        (256, 128), (128, 128), (64, 64), (32, 128), (128, 32), (32, 32),
    ]  # fmt: skip
    assert [size.intensity for size in contraction.sizes] == [pytest.approx(64 / 3), 16, 8, 6.4, 6.4, 4]
    assert low.share == high.share == pytest.approx(6.4 * 3.0e12 / 33.5e12)
    assert (largest.registers, largest.resident) == (255, 1) and largest.share == pytest.approx(128 / 134)
    assert (large.threads, large.stages, large.registers, large.resident) == (256, 2, 128, 2)
    assert large.share == pytest.approx(64 / 68) and "load operands" in large.limit
    assert middle.share == pytest.approx(8 * 3.0e12 / 33.5e12) and "bandwidth" in middle.limit
    assert small.share is not None and middle.share is not None and small.share < middle.share


def test_a_target_with_more_bandwidth_for_its_peak_is_limited_by_other_things() -> None:
    assert "bandwidth" not in found("a[i][k] * b[k][j]", arch="sm_80").sizes[1].limit


def test_doubles_have_a_peak_of_their_own() -> None:
    """64 x 64 points have 4 elements for a byte; 16 FMA of a thread take the time of 32 of floats, beside 4 loads.

    Twice as many both ways take the registers of a multiprocessor, and memory keeps them from nothing.
    """
    large, middle, _, _, small = found("a[i][k] * b[k][j]", "double", "double").sizes
    assert (large.down, large.across, large.registers, large.resident) == (128, 128, 255, 1)
    assert (large.share, large.limit) == (1, "the instructions of its type")
    assert (middle.down, middle.intensity) == (64, 4)
    assert middle.share == pytest.approx(4 * 3.0e12 / (33.5e12 / 2)) and "bandwidth" in middle.limit
    assert middle.share is not None and small.share == pytest.approx(middle.share / 2)
    # One for 64 of floats: neither memory nor loads keep them from it.
    slow = found("a[i][k] * b[k][j]", "double", "double", "sm_86").sizes[0]
    assert (slow.share, slow.limit) == (1, "the instructions of its type")


@pytest.mark.parametrize(
    ("element", "operations"),
    [
        ("fabsf(a[i][k] - b[k][j])", 3),
        ("squared(a[i][k] - b[k][j])", 3),
        ("a[2 * i][2 * k + 1] * b[k][j]", 2),
    ],
    ids=["a call", "a function of the source", "what subscripts compute"],
)
def test_operations_of_an_element(element: str, operations: int) -> None:
    assert found(element).operations == operations


def test_no_share_is_made_up() -> None:
    """Of other types no peak is known."""
    integers = found("a[i][k] * b[k][j]", "long", "long")
    assert all(size.share is None and "no peak" in size.limit for size in integers.sizes)


def test_integers_have_a_peak_of_their_own() -> None:
    """64 FMA of a thread take the time of 128 of floats on sm_90; on sm_80 of 64, where four loads count."""
    large = found("a[i][k] * b[k][j]", "int", "int").sizes[1]
    assert (large.down, large.across) == (128, 128)
    assert (large.share, large.limit) == (1, "the instructions of its type")
    large = found("a[i][k] * b[k][j]", "int", "int", "sm_80").sizes[1]
    assert large.share == pytest.approx(64 / 68) and "load operands" in large.limit


@pytest.mark.parametrize(("kind", "is_known"), [("float", True), ("double", False)])
def test_structs_of_32_bits_are_taken_for_floats(kind: str, is_known: bool) -> None:
    text = TEXT.replace("static void", "typedef struct {{ {t} x; int y; }} S;\nstatic void", 1)
    text = text.format(element="made(a[i][k], b[k][j])", t=kind, s="float")
    text = text.replace(f"zero({kind} *v) {{ *v = 0;", "zero(S *v) { v->x = 0; v->y = 0;")
    text = text.replace(f"static {kind} add({kind} a, {kind} b) {{ return a + b; }}", MADE)
    text = text.replace(f"{kind} c[", "S c[")
    done = compile_source(SourceFile("f.c", text), CompileOptions(), "mapping")
    (contraction,) = contractions(done.programs[0])
    assert all((size.share is not None) == is_known for size in contraction.sizes)
    assert is_known or "no peak" in contraction.sizes[0].limit


MADE = """static S add(S a, S b) { return b.x > a.x ? b : a; }
static S made(float x, float y) { S s = { x * y, 1 }; return s; }"""
HALVES = "pencil_half_to_float(a[i][k]) * pencil_half_to_float(b[k][j])"


def test_tensor_cores_have_a_peak_of_their_own() -> None:
    """128 x 128 points have 32 elements for a byte of memory; a warp has 64 x 32 of them, for 96 halves."""
    halves = found(HALVES, "float", "pencil_half")
    assert halves.on_tensor_cores and halves.operations == 2
    large, small = halves.sizes
    assert large.share == pytest.approx(32 * 3.0e12 / 494.5e12) and "bandwidth of memory" in large.limit
    assert small.share is not None and large.share is not None and small.share < large.share
    # Where memory feeds more than the products take, shared memory may not.
    (large, _) = found(HALVES, "float", "pencil_half", "sm_89").sizes
    assert large.share == pytest.approx(32 * 0.78e12 / 181e12)


def test_what_feeds_fragments_may_be_shared_memory() -> None:
    shared = compiled(HALVES, "float", "pencil_half").programs[0].kernels()[0].tiling
    assert shared is not None
    size = shared.sizes[0]
    target = replace(TARGETS["sm_90"], bandwidth=1e15)
    share, limit = tensor_share(shared, size, WorkOfTiles(32), target)
    assert share == pytest.approx(64 * 32 / (96 * 2) * 33.5e12 / 494.5e12) and "shared memory" in limit


def test_a_device_without_such_tiles_is_told_ordinary_ones() -> None:
    halves = found(HALVES, "float", "pencil_half", "sm_75")
    assert not halves.on_tensor_cores and {size.stages for size in halves.sizes} == {2}
    assert all(size.share is not None for size in halves.sizes)


def test_factors_that_are_rounded_are_told() -> None:
    text = TEXT.format(element="a[i][k] * b[k][j]", t="float", s="float")
    done = compile_source(SourceFile("f.c", text), CompileOptions(allow_tf32=True), "mapping")
    assert "`float` is rounded to the 11 bits of tf32 and multiplied (--allow-tf32)" in report_text(done)
    assert "is multiplied exactly" in report_text(compiled(HALVES, "float", "pencil_half"))


def test_a_fixed_tree_contracts_no_product_and_other_sums_are_not_in_the_model() -> None:
    text = TEXT.format(element="a[i][k] * b[k][j]", t="float", s="float")
    file = SourceFile("f.c", text)
    pinned = compile_source(file, CompileOptions(determinism="fixed-tree"), "mapping").programs[0]
    large = next(contractions(pinned)).sizes[0]
    assert large.share == pytest.approx(256 / 262)
    summed = compile_source(file, CompileOptions(sums="kahan"), "mapping").programs[0]
    (contraction,) = contractions(summed)
    assert all(size.share is None and "--sum=kahan" in size.limit for size in contraction.sizes)


def test_the_report_has_them() -> None:
    done = compiled("a[i][k] * b[k][j]")
    text = report_text(done)
    assert "f_column0 by the model (sm_90, H100 and H200; nothing was measured): 2 operations" in text
    assert (
        "128 x 128 points: 2 stages, at most 128 registers, at least 2 blocks of a multiprocessor, 16 elements" in text
    )
    (region,) = json.loads(report_json(done))["regions"]
    (contraction,) = region["contractions"]
    assert contraction["kernel"] == "f_column0" and contraction["sizes"][1]["intensity"] == 16
