"""Which sums are added four bytes at a time, and which are not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.codegen.kernel_verifier import verify_kernels
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.segments import ByteSum, Segment
from pencilc.options import CompileOptions
from tests.unit.codegen.programs import file
from tests.unit.records import SUM

TEXT = """#include <pencil.h>
static void zero({sum} *v) {{ *v = 0; }}
static {sum} add({sum} a, {sum} b) {{ return a + b; }}
{sum} f(int n, const {left} a[static const restrict n], const {right} b[static const restrict n]) {{
    {sum} s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&s, {element}, add);
    return s;
}}
"""
BYTE, OTHER = "signed char", "unsigned char"


def added(total: str, left: str, right: str, element: str) -> set[str]:
    """What is added by fours in the file for such a sum."""
    text = TEXT.format(sum=total, left=left, right=right, element=element)
    cuda = compile_source(SourceFile("f.c", text), CompileOptions()).cuda
    kernel = cuda[cuda.index("// ---- kernels") :]
    return {line.strip() for line in kernel.splitlines() if "pencilc_add_bytes" in line}


@pytest.mark.parametrize(
    ("total", "left", "right", "element", "expected"),
    [
        ("int", BYTE, BYTE, "a[i]", "acc[l], a_elements[l]"),
        ("unsigned", BYTE, BYTE, "a[i]", "acc[l], a_elements[l]"),
        ("long long", OTHER, OTHER, "a[i]", "acc[l], a_elements[l]"),
        ("int", BYTE, BYTE, "a[i] * b[i]", "acc[l], a_elements[l], b_elements[l]"),
        ("long long", OTHER, OTHER, "(long long)a[i] * a[i]", "acc[l], a_elements[l], a_elements[l]"),
    ],
)
def test_bytes_and_their_products_are_added_by_fours(
    total: str, left: str, right: str, element: str, expected: str
) -> None:
    assert added(total, left, right, element) == {f"pencilc_add_bytes({expected});"}


@pytest.mark.parametrize(
    ("total", "left", "right", "element"),
    [
        ("int", BYTE, OTHER, "a[i] * b[i]"),  # no instruction of CUDA C++ takes both
        ("long long", BYTE, BYTE, "(unsigned)a[i]"),  # not what the byte is
        ("long long", OTHER, OTHER, "(signed char)a[i]"),
        ("int", BYTE, BYTE, "a[i] + b[i]"),
        ("int", BYTE, BYTE, "a[i] * 2"),
        ("float", BYTE, BYTE, "a[i]"),
        ("int", "short", "short", "a[i]"),
        ("int", BYTE, BYTE, "a[i] * i"),
    ],
)
def test_everything_else_is_added_one_by_one(total: str, left: str, right: str, element: str) -> None:
    assert added(total, left, right, element) == set()


def test_what_is_no_byte_is_not_added_as_one() -> None:
    made = file(SUM)
    (kernel,) = made.kernels
    run = next(node for node in kernel.body if isinstance(node, Segment))
    wrong = replace(run, byte_sums=(ByteSum("", (run.loads[0].registers,)),))
    body = tuple(wrong if node is run else node for node in kernel.body)
    with pytest.raises(CompilerBug, match="a_elements` are added as bytes, which they are not"):
        verify_kernels(replace(made, kernels=(replace(kernel, body=body),)))
