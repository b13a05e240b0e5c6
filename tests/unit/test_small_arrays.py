"""Small arrays of an iteration become scalars (poly/small_arrays.py), and rows of sums are written out for them."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.ir.source import Declare, walk
from pencilc.ir.source_verifier import verify_unit
from pencilc.options import CompileOptions

HEAD = """#include <pencil.h>
static void zero(float *e) { *e = 0; }
static float add(float a, float b) { return a + b; }
static float dot(const float a[3], const float b[3]) {
    float s = 0;
    for (int k = 0; k < 3; k++) s += a[k] * b[k];
    return s;
}
static const int back[3] = {0, 2, 1}, signs[3] = {-1, 0, +1}, far[3] = {2, 3, 9};
static const signed char pairs[2][3] = {{0, 1, 2}, {2, 1, 0}};
static const float weights[3] = {1, 2, 3};
void f(int n, float x[restrict static n][3], float y[restrict static n], float s[restrict static n][3])
{
#pragma scop
"""

FILLED = "for (int k = 0; k < 3; k++) d[k] = x[i][k] * 2; y[i] = d[0] + d[1] * d[2];"


def compiled(body: str) -> Compilation:
    return compile_source(SourceFile("small.c", f"{HEAD}{body}\n#pragma endscop\n}}\n"), CompileOptions(), "mapping")


def arrays(body: str) -> set[str]:
    """The local arrays that the model of the program has."""
    scop = compiled(body).scops[0]
    return {a.symbol.spelling for a in scop.arrays if a.symbol.kind == "local" and a.extents}


def shapes(body: str) -> list[str]:
    return [kernel.shape.value for kernel in compiled(body).programs[0].kernels()]


@pytest.mark.parametrize(
    "body",
    [
        f"for (int i = 0; i < n; i++) {{ float d[3]; {FILLED} }}",
        f"float d[3]; for (int i = 0; i < n; i++) {{ {FILLED} }}",
        f"int i; float d[3]; for (i = 0; i < n; i++) {{ if (y[i] > 0) {{ {FILLED} }} }}",
        "for (int i = 0; i < n; i++) { const float d[3] = {1, 2, x[i][0]}; y[i] = d[0] + d[2]; }",
        "for (int i = 0; i < n; i++) { float d[3] = {0}; for (int q = 0; q < n; q++) y[i] += d[1] * q; }",
        "for (int i = 0; i < n; i++) { float d[2][2]; for (int a = 0; a < 2; a++) for (int b = 0; b <= a; b++)"
        " d[a][b] = x[i][a] * b; y[i] = d[1][0] + d[1][1]; }",
        "for (int i = 0; i < n; i++) { float d[3], e[3]; for (int k = 0; k < 3; k++) { d[k] = x[i][k]; e[k] = k; }"
        " y[i] = dot(d, e); }",
        "for (int i = 0; i < n; i++) { float d[3]; for (int k = 2; k >= 0; k--) d[(k + 1) % 3] = x[i][k];"
        " y[i] = d[0] / d[1]; }",
        f"for (int i = 0; i < n; i++) {{ float d[3]; {FILLED} for (int k = 0; k < 3; k++) s[i][k] = d[back[k]]; }}",
        f"for (int i = 0; i < n; i++) {{ float d[3]; {FILLED} for (int k = 0; k < 3; k++)"
        " s[i][k] = d[back[pairs[1][back[k]]]] + d[1 + signs[k]]; }",
        f"for (int i = 0; i < n; i++) {{ float d[3]; {FILLED} if (y[i] > 1) for (int k = 0; k < 3; k++)"
        " s[i][k] = weights[k] * d[pairs[k % 2][k]]; }",
        f"for (int i = 0; i < n; i++) {{ float d[3]; {FILLED} for (unsigned long k = 0; k < 3; k++)"
        " s[i][k] = d[back[k] * 1ul]; }",
    ],
)
def test_elements_are_scalars(body: str) -> None:
    assert arrays(body) == set()
    assert shapes(body) == ["parallel"]


@pytest.mark.parametrize(
    "body",
    [
        # Data choose the element.
        "for (int i = 0; i < n; i++) { float d[3] = {1, 2, x[i][1]}; y[i] = d[(int)x[i][0] & 1]; }",
        # More elements than registers are for.
        "for (int i = 0; i < n; i++) { float d[17]; for (int k = 0; k < 17; k++) d[k] = x[i][0] + k; y[i] = d[3]; }",
        # A loop that is left.
        "for (int i = 0; i < n; i++) { float d[3] = {0}; for (int k = 0; k < 3; k++) { if (x[i][k] > 0) break;"
        " d[k] = 1; } y[i] = d[1]; }",
        # As many as the parameter says.
        "for (int i = 0; i < n; i++) { float d[3] = {0}; for (int k = 0; k < n && k < 3; k++) d[k] = 1; y[i] = d[1]; }",
        # Sums over a long loop: reductions of a row.
        "for (int i = 0; i < n; i++) { float d[3] = {0}; for (int j = 0; j < n; j++) for (int k = 0; k < 3; k++)"
        " d[k] += x[j][k]; y[i] = d[i & 1]; }",
        # An iteration reads what the one before has left.
        "float d[2] = {0, 1}; for (int i = 0; i < n; i++) { d[0] = d[1] + x[i][0]; d[1] = d[0] * 2; y[i] = d[1]; }",
        # A table of numbers that are no places, and others of which data or a counter choose the element.
        f"for (int i = 0; i < n; i++) {{ float d[3]; {FILLED} for (int k = 0; k < 3; k++) if (far[k] < 3)"
        " s[i][k] = d[far[k]]; }",
        f"for (int i = 0; i < n; i++) {{ float d[3]; {FILLED} s[i][0] = d[back[(int)x[i][0] & 1]]; }}",
        f"for (int i = 0; i < n; i++) {{ float d[3]; {FILLED} s[i][0] = d[back[i % 3]]; }}",
    ],
)
def test_what_stays_an_array(body: str) -> None:
    assert arrays(body) == {"d"}


def test_the_last_iteration_hands_elements_on() -> None:
    body = f"float d[3] = {{0}}; for (int i = 0; i < n; i++) {{ {FILLED} }} s[0][0] = d[2];"
    assert arrays(body) == set()
    assert shapes(body).count("parallel") == 1 and "single" in shapes(body)


PAIRS = """for (int i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++) __pencil_reduction_var_init(&s[i][k], zero);
    for (int j = 0; j < n; j++) { %s }
}"""


@pytest.mark.parametrize(
    "update",
    [
        "float d[3], r = 1; for (int k = 0; k < 3; k++) { d[k] = x[j][k] - x[i][k]; r += d[k] * d[k]; }"
        " for (int k = 0; k < 3; k++) __pencil_reduction(&s[i][k], d[k] / r, add);",
        "float r = 1; for (int k = 0; k < 3; k++) r += x[j][k] * x[i][k];"
        " for (int k = 0; k < 3; k++) __pencil_reduction(&s[i][k], x[j][k] / r, add);",
        "float r = 1, t; for (int k = 0; k < 3; k++) r += x[j][k] * x[i][k]; t = 1 / r;"
        " for (int k = 0; k < 3; k++) __pencil_reduction(&s[i][k], x[j][k] * t, add);",
        "__pencil_reduction(&s[i][0], x[j][0], add); __pencil_reduction(&s[i][2], x[j][1] * x[i][0], add);"
        " __pencil_reduction(&s[i][1], x[j][1], add);",
    ],
)
def test_rows_of_sums_that_share_a_value_are_written_out(update: str) -> None:
    """They stood in bins, behind arrays with values for all pairs."""
    done = compiled(PAIRS % update)
    assert len(done.scops[0].reductions) == 3
    assert shapes(PAIRS % update) == ["column"]


def test_a_row_of_sums_that_share_nothing_stays() -> None:
    update = "for (int k = 0; k < 3; k++) __pencil_reduction(&s[i][k], x[j][k] * y[i], add);"
    assert len(compiled(PAIRS % update).scops[0].reductions) == 1


def test_copies_of_a_body_have_variables_of_their_own() -> None:
    """One name for all of them would tie the copies together."""
    text = """#include <pencil.h>
void f(int n, const float p[static const restrict n][3], float o[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float d[3];
        for (int k = 0; k < 3; k++) { float t = p[i][k] * 2; d[k] = t * t + 1; }
        o[i] = d[0] + d[1] * d[2];
    }
#pragma endscop
}
"""
    done = compile_source(SourceFile("f.c", text), CompileOptions(), "mapping")
    verify_unit(done.parsed)
    names = [node.symbol.name for node in walk(done.parsed.regions[0].body) if isinstance(node, Declare)]
    assert sorted(names) == ["d_0", "d_1", "d_2", "t_1", "t_2", "t_3"]
