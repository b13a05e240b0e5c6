"""Arrays of accumulators that are updated one by one and in loops end as one kernel with as many accumulators."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.ir.shapes import Shape
from pencilc.options import CompileOptions

HEAD = """#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
"""


def compiled(body: str, parameters: str = "float s[static const restrict 4]") -> Compilation:
    text = f"{HEAD}void f(int n, const float a[static const restrict n][4], {parameters})\n{{\n{body}\n}}\n"
    return compile_source(SourceFile("f.c", text), CompileOptions(), "mapping")


INIT = "for (int k = 0; k < 4; k++) __pencil_reduction_var_init(&s[k], zero);\n"


@pytest.mark.parametrize(
    "updates",
    [
        "__pencil_reduction(&s[0], 1, add); for (int i = 0; i < 3; i++) __pencil_reduction(&s[1 + i], a[x][i], add);",
        "for (int i = 3; i > 0; i--) __pencil_reduction(&s[i], a[x][i], add); __pencil_reduction(&s[0], 1, add);",
        "__pencil_reduction(&s[2], a[x][1], add);",
        "int k = 0; for (int i = 0; i < 2; i++) for (int j = i; j < 2; j++) {"
        " __pencil_reduction(&s[k], a[x][j], add); k++; } __pencil_reduction(&s[3], 1, add);",
        "int k = 0; for (int i = 0; i < 4; i++) { if (i % 2) k++; __pencil_reduction(&s[k], a[x][i], add); }"
        " __pencil_reduction(&s[3], 1, add);",
        "if (a[x][0] > 0) { for (int i = 0; i < 2; i++) __pencil_reduction(&s[i], a[x][i], add);"
        " __pencil_reduction(&s[2], 1, add); } else __pencil_reduction(&s[3], 1, add);",
    ],
    ids=["shifted", "downward", "one", "counted", "counted_sometimes", "conditions"],
)  # fmt: skip
def test_one_kernel(updates: str) -> None:
    (program,) = compiled(f"{INIT}for (int x = 0; x < n; x++) {{ {updates} }}").programs
    assert [kernel.shape for kernel in program.kernels()] == [Shape.ALL]


def test_local_array_ends_in_the_kernel() -> None:
    body = f"float s[4];\n{INIT}for (int x = 0; x < n; x++) {{ __pencil_reduction(&s[0], a[x][3], add);\n"
    body += "for (int i = 0; i < 3; i++) __pencil_reduction(&s[1 + i], a[x][i], add); }\n"
    body += "for (int k = 0; k < 4; k++) o[k] = s[k] * 2;"
    (program,) = compiled(body, "float o[static const restrict 4]").programs
    assert [kernel.shape for kernel in program.kernels()] == [Shape.ALL]


@pytest.mark.parametrize(
    "updates",
    [
        "for (int i = 0; i < 4; i++) __pencil_reduction(&s[i], a[x][i], add);",
        "for (int i = 0; i < 4; i++) { float t = a[x][i]; __pencil_reduction(&s[i], t * t, add); }",
    ],
)
def test_a_few_columns_are_one_kernel_of_all(updates: str) -> None:
    (program,) = compiled(f"{INIT}for (int x = 0; x < n; x++) {{ {updates} }}").programs
    (kernel,) = program.kernels()
    assert kernel.shape is Shape.ALL and all(vector.count == 4 for vector in kernel.loads.vectors)
    assert len(kernel.loads.vectors) == 4


@pytest.mark.parametrize(
    "updates",
    [
        "for (int i = 0; i < 4; i++) { __pencil_reduction(&s[i], a[x][i], add); b[x][i] = 1; }",
        "for (int i = 0; i < 4; i++) __pencil_reduction(&s[i], x * i, add);",
    ],
)
def test_others_keep_their_loop(updates: str) -> None:
    """Beside stores that would lie apart for each, and where nothing is read."""
    parameters = "float s[static const restrict 4], float b[static const restrict n][4]"
    (program,) = compiled(f"{INIT}for (int x = 0; x < n; x++) {{ {updates} }}", parameters).programs
    assert not {Shape.COLUMN, Shape.ROW}.isdisjoint(kernel.shape for kernel in program.kernels())


def test_a_counter_that_data_changes_stays() -> None:
    body = (
        f"{INIT}for (int x = 0; x < n; x++) {{ int k = 0; if (a[x][0] > 0) k = 1; __pencil_reduction(&s[k], 1, add); }}"
    )
    (scop,) = compiled(body).scops
    assert len(scop.reductions) == 1
