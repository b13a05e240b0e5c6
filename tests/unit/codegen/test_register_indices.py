"""Elements of small arrays of a function's own are selected where the index is found at run time."""

from __future__ import annotations

import pytest

from pencilc.codegen.definitions import functions
from pencilc.codegen.render import FunctionScope
from pencilc.ir.definitions import DeviceFunction
from tests.unit.codegen.programs import program_of, unit

HEAD = """#include <pencil.h>
struct top { float v[4]; int n; float w[2][4]; };
static const float table[4] = { 1, 2, 3, 4 };
"""
REGION = """
void f(int n, const int a[static const restrict n], float y[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = g(a[i]);
#pragma endscop
}
"""


def lines(body: str, before: str = "") -> str:
    """The lines of a function `g` of an integer `p`."""
    text = f"{HEAD}{before}\nstatic float g(int p) {{ struct top t = {{ {{0}}, 0, {{{{0}}}} }}; {body} }}\n{REGION}"
    found = {each.name: each for each in functions(unit(text), (program_of(text),))}
    made = found["g"]
    assert isinstance(made, DeviceFunction)
    return "\n".join(FunctionScope().definition(made))


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("return t.v[p];", "return pencilc_element(t.v, 4, p);"),
        ("float own[3] = {0, 1, t.v[2]}; return own[p + 1];", "return pencilc_element(own, 3, p + 1);"),
        ("t.v[p] = 2; return t.v[0];", "pencilc_set(t.v, 4, p, 2.0f);"),
        ("t.v[p] += 2; return t.v[0];", "pencilc_set(t.v, 4, p, pencilc_element(t.v, 4, p) + 2);"),
        ("for (int k = 0; k < p; k++) t.v[k] = 1; return t.v[0];", "pencilc_set(t.v, 4, k, 1.0f);"),
        ("int at[2] = {0, p}; return t.v[at[p]];", "pencilc_element(t.v, 4, pencilc_element(at, 2, p))"),
    ],
)
def test_what_the_run_finds_is_selected(body: str, told: str) -> None:
    assert told in lines(body)


@pytest.mark.parametrize(
    ("body", "before"),
    [
        ("for (int k = 0; k < 4; k++) t.v[k] = 1; return t.v[3];", ""),  # nvcc unrolls it
        ("float own[17]; for (int k = 0; k < 17; k++) own[k] = 0; return own[p];", ""),  # too many
        ("return table[p];", ""),  # in memory
        ("return t.w[p][p];", ""),  # of two dimensions
        (
            "return h(&t, p);",
            "static float h(const struct top *t, int p) { return t->v[p]; }",
        ),  # what a pointer leads to
    ],
)
def test_other_elements_are_not(body: str, before: str) -> None:
    assert "pencilc_" not in lines(body, before)
