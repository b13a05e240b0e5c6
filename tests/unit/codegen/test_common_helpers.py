"""Functions that two kernels would bring alike stand once in a file."""

from __future__ import annotations

import re
from dataclasses import replace

from pencilc.codegen.common_helpers import with_common_helpers
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.accumulators import Accumulator
from pencilc.ir.build import generated_type
from pencilc.ir.kernel import HelperCall, KernelFunction
from pencilc.ir.nodes import Parameter
from pencilc.ir.source import FLOAT, PointerType
from pencilc.options import CompileOptions
from tests.unit.codegen.programs import functions
from tests.unit.records import ROW_SUMS


def summing(name: str, threads: int = 256, *, is_struct: bool = False) -> tuple[Accumulator, KernelFunction]:
    """A kernel that sums, with the functions of its accumulator."""
    made = next(iter(functions(ROW_SUMS).values()))
    called = next(each for each in made.helpers if each.macro == "accumulator")
    first = called.arguments[0]
    assert isinstance(first, Accumulator)
    kind = generated_type(f"{name}_accumulator") if is_struct else FLOAT
    found = replace(first, name=name, is_struct=is_struct, type=kind, carried=kind)
    partials = Parameter("@partials", PointerType(kind))
    helpers = (HelperCall("accumulator", (found,)), HelperCall("block", (found, threads)))
    return found, replace(made, name=name, body=(), parameters=(partials,), accumulator=found, helpers=helpers)


def test_the_second_kernel_brings_nothing_and_calls_the_first_ones() -> None:
    first, second = summing("f_row0"), summing("g_row0")
    (one, other), entries = with_common_helpers((first[1], second[1]), ())
    assert one == first[1] and other.helpers == () and entries == ()
    assert other.accumulator == first[0] and other.name == "g_row0"


def test_types_go_with_their_names() -> None:
    first, second = summing("f_row0", is_struct=True), summing("g_row0", is_struct=True)
    (_, other), _ = with_common_helpers((first[1], second[1]), ())
    assert other.parameters[0].type == PointerType(first[0].type)


def test_what_differs_stays_apart() -> None:
    first, second, third = summing("f_row0"), summing("g_row0", 512), summing("h_row0", is_struct=True)
    kernels = (first[1], second[1], third[1])
    assert with_common_helpers(kernels, ())[0] == kernels


def test_the_first_one_has_what_any_of_them_calls() -> None:
    found, made = summing("f_row0", 512)
    second, other = summing("g_row0", 512)
    combining = replace(other, helpers=(HelperCall("accumulator", (second,)), HelperCall("warp", (second, 512))))
    (one, two), _ = with_common_helpers((made, combining), ())
    assert one == made and two.helpers == (HelperCall("warp", (found, 512)),)


BINS = """#include <pencil.h>
static void none(int *c) { *c = 0; }
static int add(int a, int b) { return a + b; }
static int more(int a, int b) { return a > b ? a : b; }
void NAME(int n, int m, const int a[static const restrict n], int c[static const restrict m]) {
#pragma scop
    for (int j = 0; j < m; j++) __pencil_reduction_var_init(&c[j], none);
    for (int i = 0; i < n; i++) __pencil_reduction(&c[a[i]], 1, OPERATOR);
#pragma endscop
}
"""


def bins_of(*operators: str) -> str:
    """A file with a function for each operator on bins."""
    head, body = BINS.split("void NAME")
    return head + "".join(
        ("void NAME" + body).replace("NAME", f"f{k}").replace("OPERATOR", each) for k, each in enumerate(operators)
    )


def test_bins_on_which_the_same_is_done_have_one_set_of_functions() -> None:
    text = compile_source(SourceFile("bins.c", bins_of("add", "add", "more")), CompileOptions()).cuda
    assert re.findall(r"\b(\w+_put)\((?:int \*)bin, int value\)\n\{", text) == [
        "f0_indirect1_c_put",
        "f2_indirect1_c_put",
    ]
    assert "f1_indirect1_c_" not in text and "f0_indirect1_c_is_start(total)" in text
