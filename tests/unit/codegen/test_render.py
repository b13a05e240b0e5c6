"""The stage `cuda`: scopes of functions, blank lines."""

from __future__ import annotations

from itertools import pairwise

import pytest

from pencilc.codegen.render import FunctionScope, render, runtime_header, tidy
from pencilc.codegen.tree import kernel_file
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.definitions import DeviceFunction
from pencilc.ir.entry_nodes import CallDevice
from pencilc.ir.host import KernelFile
from pencilc.options import CompileOptions
from tests.conftest import ROOT
from tests.unit.codegen.programs import entry, file, functions, program_of, unit
from tests.unit.records import BINS, COLUMN_SUMS, ROW_SUMS, SOFTMAX, SUM


def sample(name: str) -> KernelFile:
    """The tree of a sample."""
    file = SourceFile(f"{name}.c", (ROOT / "samples" / f"{name}.c").read_text())
    kernels = compile_source(file, CompileOptions(), "kernels").kernels
    assert kernels is not None
    return kernels


def text_of(field: object) -> str:
    """What a template is given for a field of a record."""
    assert isinstance(field, str)
    return field


@pytest.mark.parametrize(
    ("text", "tidied"),
    [
        ("a  \n\n\n\nb\n", "a\n\nb\n"),
        ("f()\n{\n    x;\n    \n  \n    y;\n}\n\n\n", "f()\n{\n    x;\n\n    y;\n}\n"),
        ("\n\na;\t\n", "a;\n"),
    ],
)
def test_blank_lines_part_what_belongs_together_and_nothing_else(text: str, tidied: str) -> None:
    assert tidy(text) == tidied


def test_each_function_has_a_scope_of_its_own() -> None:
    scope = FunctionScope()
    (kernel,) = functions(SUM).values()
    assert text_of(scope.kernel(kernel).parameters[0]) == "int n" and scope["n"] == "n_"
    assert scope["index"] == kernel.index
    of_entry = {each.node: scope.of_entry(entry(SUM), each) for each in entry(SUM).functions}
    assert [text_of(each) for each in of_entry["queue"].parameters[-2:]] == [
        "pencilc_call &call",
        "cudaStream_t stream",
    ]
    assert (scope["n"], scope["s"]) == ("n_", "s")
    (given,) = (each for each in of_entry["host"].body if isinstance(each, CallDevice))
    assert text_of(given.arguments[-1]) == "stream"


def test_a_function_of_the_source_has_one_too() -> None:
    (operator,) = (each for each in file(SUM).helpers if isinstance(each, DeviceFunction) and each.name == "add")
    scope = FunctionScope()
    assert scope.definition(operator)[0].endswith("add(float a, float b)") and scope["a"] == "a_"


def test_a_file_has_no_name_left_open() -> None:
    assert "@" not in render(file(SUM))


@pytest.mark.parametrize("body", [SUM, ROW_SUMS, COLUMN_SUMS, BINS, SOFTMAX])
def test_templates_leave_no_blank_lines_beside_braces(body: str) -> None:
    """Nobody takes them out: what may be empty in braces has a condition around it."""
    lines = render(file(body)).split("\n")
    pairs = [(one.strip(), other.strip()) for one, other in pairwise(lines)]
    assert not [one for one, other in pairs if one.endswith("{") and not other]
    assert not [other for one, other in pairs if other.startswith("}") and not one]


@pytest.mark.parametrize("name", ["softmax", "gemm_tensor", "sum_bfloat16", "centroids", "csr", "welford"])
def test_a_file_and_its_header_have_what_a_file_has_alone(name: str) -> None:
    """Each line stands in one of both; what rests on a header of CUDA's stays in the file."""
    found, header = sample(name), runtime_header()
    alone, file = (render(found, shared).splitlines() for shared in (None, header))
    of_header = header.text.splitlines()
    named = {line for line in alone if line.startswith("inline namespace")}
    assert set(alone) - set(file) - set(of_header) == named
    included = {line for line in of_header if line.startswith("#include")}
    assert included == {f"#include <{each}.h>" for each in ("cuda_runtime", "pthread", "stdio", "stdlib", "string")}
    definitions = {line for line in of_header if line.startswith(("static __device__", "struct pencilc_"))}
    assert definitions and definitions.isdisjoint(file)


def test_kernels_of_rows_on_the_chip_are_short_beside_a_header() -> None:
    assert len(render(sample("softmax"), runtime_header()).splitlines()) <= 1000


BFLOATS = """#include <pencil.h>
typedef struct { float v[4]; } four;
static float both(pencil_bfloat16 x, float y) { return pencil_bfloat16_to_float(x) * y; }
static float of(float y, int k) { four t = {{y, 2 * y, 3 * y, y}}; t.v[k / 2] = 1; return t.v[k]; }
void f(int n, const pencil_bfloat16 a[static const restrict n], float s[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        s[i] = both(a[i], of(s[i], i % 4));
#pragma endscop
}
"""


def test_what_functions_of_the_source_call_stands_above_them() -> None:
    text = render(kernel_file(unit(BFLOATS), (program_of(BFLOATS),)))
    above, source, below = text.partition("// ---- functions of the source")
    assert source and above.index("// ---- building blocks of the functions of the source\n")
    for name in ("pencilc_from_bfloat16(", "pencilc_element(", "pencilc_set("):
        assert above.count(name) == 1 and name in below
    plain = render(file(SUM))
    assert "building blocks of the functions" not in plain and "// ---- building blocks\n" in plain
