"""Files whose definitions are broken by hand: what stands twice, or behind what names it, is refused."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from pencilc.codegen.kernel_verifier import verify_kernels
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.build import THREAD, ZERO, binary, evaluate
from pencilc.ir.host import KernelFile
from pencilc.ir.nodes import If
from tests.unit.codegen.broken import tree

TEXT = """#include <pencil.h>
typedef struct { float low, high; } Range;
typedef struct { Range of[2]; } Ranges;
static const float weights[4] = {1, 2, 3, 4};
static float wide(Ranges r) { float s = 0; for (int k = 0; k < 2; k++) s += r.of[k].high; return s; }
static float weight(Ranges r, int k)
{
    float s = 0;
    for (int j = 0; j < 3; j++) s += weights[(k + j) & 3];
    return s * wide(r);
}
void f(int n, const Ranges r[static const restrict n], float s[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) s[i] = weight(r[i], i);
#pragma endscop
}
"""


def refused(message: str, made: KernelFile) -> None:
    """The verifier says so."""
    with pytest.raises(CompilerBug, match=re.escape(message)):
        verify_kernels(made)


@pytest.mark.parametrize("part", ["types", "helpers", "kernels", "entries"])
def test_what_stands_in_a_file_stands_there_once(part: str) -> None:
    made = tree(TEXT)
    verify_kernels(made)
    (first, *_) = getattr(made, part)
    changed: dict[str, Any] = {part: (*getattr(made, part), first)}
    refused("is defined twice", replace(made, **changed))


def test_a_kernel_has_no_name_of_a_helper_or_entry_point() -> None:
    made = tree(TEXT)
    for name in ("weight", "f", "f_device", "weights"):
        (kernel,) = made.kernels
        refused(f"`{name}` is defined twice", replace(made, kernels=(replace(kernel, name=name),)))


def test_no_name_of_the_language_is_defined() -> None:
    made = tree(TEXT)
    (kernel,) = made.kernels
    for name in ("class", "threadIdx", "float3"):
        refused(f"`{name}` is a name of C++ or CUDA", replace(made, kernels=(replace(kernel, name=name),)))


def test_types_stand_before_what_consists_of_them() -> None:
    made = tree(TEXT)
    refused("nothing above defines `Range`", replace(made, types=made.types[::-1]))
    refused("nothing above defines `Ranges`", replace(made, types=made.types[:1] + made.types[2:]))


def test_helpers_stand_before_who_calls_them() -> None:
    made = tree(TEXT)
    assert [each.name for each in made.helpers] == ["wide", "weight"]
    refused("`weight`: `wide` is called, and nothing above defines it", replace(made, helpers=made.helpers[::-1]))
    refused("`weight` is called, and nothing above defines it", replace(made, helpers=made.helpers[:1]))
    alone = tuple(each for each in made.types if each.name != "weights")
    refused("`weights` is not declared", replace(made, types=alone))


def test_what_is_called_is_there() -> None:
    made = tree(TEXT)
    (kernel,) = made.kernels
    for name in ("nobody", "clamp", "f_all0_is_start"):
        broken = replace(kernel, body=(If(binary("<", THREAD["x"], ZERO), (evaluate(name),)), *kernel.body))
        refused(f"`{name}` is called, and nothing above defines it", replace(made, kernels=(broken,)))


def test_stages_stand_before_the_kernel_that_calls_them() -> None:
    text = """#include <pencil.h>
static void zero(float *x) { *x = 0; }
static float add(float a, float b) { return a + b; }
static void none(int *x) { *x = 0; }
static int plus(int a, int b) { return a + b; }
void f(int n, int m, const float a[static const restrict n], const int at[static const restrict n],
       float s[static const restrict 1], int c[static const restrict m], float t[static const restrict 1])
{
    __pencil_reduction_var_init(&s[0], zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&s[0], a[i], add);
    __pencil_reduction_var_init(&t[0], zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&t[0], a[i] * a[i], add);
    for (int k = 0; k < m; k++) __pencil_reduction_var_init(&c[k], none);
    for (int i = 0; i < n; i++) __pencil_reduction(&c[at[i]], 1, plus);
}
"""
    made = tree(text)
    parts = [each.name for each in made.kernels if each.layout]
    assert parts
    verify_kernels(made)
    refused("is called, and nothing above defines it", replace(made, kernels=made.kernels[::-1]))


def test_functions_of_kernels_are_brought_once() -> None:
    text = """#include <pencil.h>
static void zero(float *x) { *x = 0; }
static float add(float a, float b) { return a + b; }
void f(int n, const float a[static const restrict n], float s[static const restrict 1])
{
    __pencil_reduction_var_init(&s[0], zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&s[0], a[i], add);
}
"""
    made = tree(text)
    (kernel,) = made.kernels
    twice = replace(kernel, helpers=kernel.helpers * 2)
    refused("`f_all0 by accumulator` is defined twice", replace(made, kernels=(twice,)))
