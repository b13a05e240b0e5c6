"""What the model expects of the tiles of points that share what they read, and how the report tells it."""

from __future__ import annotations

import json
from functools import cache

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.gpu.report.contractions import Contraction, contractions
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
    largest, large, middle, small = contraction.sizes
    assert [(size.down, size.across) for size in contraction.sizes] == [(256, 128), (128, 128), (64, 64), (32, 32)]
    assert [size.intensity for size in contraction.sizes] == [pytest.approx(64 / 3), 16, 8, 4]
    assert (largest.registers, largest.resident) == (255, 1) and largest.share == pytest.approx(128 / 134)
    assert (large.threads, large.stages, large.registers, large.resident) == (256, 2, 128, 2)
    assert large.share == pytest.approx(64 / 68) and "load operands" in large.limit
    assert middle.share == pytest.approx(8 * 3.0e12 / 33.5e12) and "bandwidth" in middle.limit
    assert small.share is not None and middle.share is not None and small.share < middle.share


def test_a_target_with_more_bandwidth_for_its_peak_is_limited_by_other_things() -> None:
    assert "bandwidth" not in found("a[i][k] * b[k][j]", arch="sm_80").sizes[1].limit


def test_doubles_have_a_peak_of_their_own() -> None:
    """64 x 64 points have 4 elements for a byte; 16 FMA of a thread take the time of 32 of floats, beside 4 loads."""
    middle, small = found("a[i][k] * b[k][j]", "double", "double").sizes
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
    """Of other types no peak is known, and of tensor cores no model."""
    integers = found("a[i][k] * b[k][j]", "int", "int")
    assert all(size.share is None and "no peak" in size.limit for size in integers.sizes)
    halves = found("pencil_half_to_float(a[i][k]) * pencil_half_to_float(b[k][j])", "float", "pencil_half")
    assert halves.on_tensor_cores and halves.operations == 2
    assert all(size.share is None and "tensor cores" in size.limit for size in halves.sizes)


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
