"""Where sums of squares ask whether they begin: once for sixteen elements of a chunk."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions

TEXT = """#include <pencil.h>
static void zero({type} *v) {{ *v = 0; }}
static {type} add({type} a, {type} b) {{ return a + b; }}
void f(int rows, int n, const {type} x[static const restrict rows][n], {type} mean[static const restrict rows],
       {type} squares[static const restrict rows])
{{
#pragma scop
    for (int i = 0; i < rows; i++) {{
        __pencil_reduction_var_init(&mean[i], zero);
        for (int j = 0; j < n; j++) __pencil_reduction(&mean[i], x[i][j], add);
        mean[i] /= n;
        __pencil_reduction_var_init(&squares[i], zero);
        for (int j = 0; j < n; j++) {condition}__pencil_reduction(&squares[i], {element}, add);
    }}
#pragma endscop
}}
"""
SQUARE = "(x[i][j] - mean[i]) * (x[i][j] - mean[i])"


def kernels(ctype: str = "float", element: str = SQUARE, condition: str = "") -> str:
    text = TEXT.format(type=ctype, element=element, condition=condition)
    cuda = compile_source(SourceFile("f.c", text), CompileOptions()).cuda
    return cuda[cuda.index("// ---- kernels") :]


@pytest.mark.parametrize(("ctype", "width"), [("float", 4), ("double", 2)])
def test_the_first_of_sixteen_elements_begins(ctype: str, width: int) -> None:
    found = kernels(ctype)
    assert f"acc, (l * {width} + k) % 16 == 0);" in found
    assert "const bool begins = true) {" in found and "acc.squares.add(x_element, begins);" in found
    # What fills no chunk may be the only element.
    assert "element(x_tail, acc);" in found


def test_other_sums_ask_nothing() -> None:
    assert "begins" not in kernels(element="x[i][j] * mean[i]")


def test_the_first_element_of_a_chunk_may_not_be_added_under_a_condition() -> None:
    assert "begins)" not in kernels(condition="if (x[i][j] > 0) ")
