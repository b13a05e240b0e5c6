"""Results that are the same for (i, j) and (j, i) are computed once, where a point takes long."""

from __future__ import annotations

import re

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.source import Assign, For, If, Index, Region, walk
from pencilc.ir.source_printer import print_expr
from pencilc.options import CompileOptions
from pencilc.verify.command import VerifySettings, verify

HEAD = """#include <math.h>
#include <pencil.h>
#include <stdlib.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
static float product(float a, float b) { return a * b; }
static float ratio(float a, float b) { return a / b; }
static float distance(float a, float b) { float d = a - b; return d * d; }
static float square(float a) { return a * a; }
static float half(float a) { return a / 2; }
static float moved(float a, float b) { a = a + b; return a * b; }
static int counts(int a, int b) { int s = 0; for (a = 0; a < 4; a++) s += a * b; return s; }
static int even(int a) { int b = a, s = 0; for (a = 0; a < 4; a++) s += (a + b) * (a + b); return s; }
void f(int n, int p, int q, const float a[static const restrict n][p], const float b[static const restrict n][p],
       float c[static const restrict n][n], double d[static const restrict n * n],
       const int y[static const restrict n][p], const unsigned u[static const restrict n][p],
       float t[static const restrict q][n][n], const float m[static const restrict n],
       int r[static const restrict 2 * n])
{
#pragma scop
"""
SQUARE = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) "
K = "for (int k = 0; k < p; k++) "
SUM = SQUARE + "{ float s = 0; " + K + "s += ELEMENT; c[i][j] = s; }"


def file_of(body: str) -> SourceFile:
    return SourceFile("f.c", f"{HEAD}{body}\n#pragma endscop\n}}\n")


def region_of(body: str) -> Region:
    """A region, as it has been read."""
    (region,) = compile_source(file_of(body), CompileOptions(), "source").parsed.regions
    return region


def halves(body: str) -> list[str]:
    """The loops to a counter around them in a region, with what is stored in them."""
    found = []
    for loop in (each for each in walk(region_of(body).body) if isinstance(each, For) and each.relation == "<="):
        stores = [each for each in walk(loop) if isinstance(each, Assign) and isinstance(each.target, Index)]
        found.append(" ".join(f"{print_expr(each.target)} = {print_expr(each.value)};" for each in stores))
    return [re.sub(r"_\d+", "", each) for each in found if re.search(r" = \w+;", each)]


@pytest.mark.parametrize(
    "element",
    [
        "a[i][k] * a[j][k]", "a[j][k] * a[i][k]", "(a[i][k] - m[i]) * (a[j][k] - m[j])", "a[i][k] * a[j][k] * b[0][k]",
        "(a[i][k] - a[j][k]) * (a[i][k] - a[j][k])", "fabsf(a[i][k] - a[j][k])", "fabsf((a[j][k] - a[i][k]) / b[0][k])",
        "product(a[i][k], a[j][k])", "distance(a[i][k], a[j][k])",
        "square(a[i][k] - a[j][k])", "square(product(a[j][k], a[i][k]))",
        "fabs((double)(a[i][k] - a[j][k]))", "a[i][k] + a[j][k]", "(float)(y[i][k] == y[j][k])", "y[i][k] & y[j][k]",
        "abs(y[i][k] - y[j][k])", "a[i][k] > 0 && a[j][k] > 0 ? 0 : 1",
        "a[i][k] > 1 || a[j][k] > 1 ? 0 : 1", "-(a[i][k] * a[j][k])",
        "i == j ? 1 : a[i][k] * a[j][k]",
    ],
)  # fmt: skip
def test_elements_that_are_the_same(element: str) -> None:
    assert halves(SUM.replace("ELEMENT", element)) == ["c[i][j] = c; c[j][i] = c;"]


@pytest.mark.parametrize(
    "element",
    [
        "a[i][k] * b[j][k]", "q * a[i][k] * a[j][k]", "a[i][k] - a[j][k]", "a[i][k] / a[j][k]", "i * a[i][k] * a[j][k]",
        "(a[i][k] - a[j][k]) * (b[i][k] - b[j][k])", "fabsf((float)(u[i][k] - u[j][k]))", "a[i][k] * a[j][p - 1 - k]",
        "a[i][k] < a[j][k]", "(u[i][k] - u[j][k]) * (u[i][k] - u[j][k]) / 2.0f", "product(a[i][k], b[j][k])",
        "ratio(a[i][k], a[j][k])", "half(a[i][k] - a[j][k])",
        "moved(a[i][k], a[j][k])", "counts(y[i][k], y[j][k])", "even(y[i][k] - y[j][k])", "fminf(a[i][k], a[j][k])",
        "1 / ((a[i][k] - a[j][k]) / m[i] - (a[i][k] - a[j][k]) / m[j])",
        "(a[i][k] - a[j][k]) / (b[i][k] - b[j][k]) > 0 ? 1 : 2",
        "fabsf(1 / (a[i][k] - a[j][k]))", "abs((signed char)(y[i][k] - y[j][k]) + i - j)",
        "powf(a[i][k], a[j][k])", "i < j ? a[i][k] * a[j][k] : 0", "c[j][i] + a[i][k] * a[j][k]",
    ],
)  # fmt: skip
def test_elements_that_may_differ(element: str) -> None:
    assert not halves(SUM.replace("ELEMENT", element))


@pytest.mark.parametrize(
    ("body", "stored"),
    [
        (SQUARE + "{ c[i][j] = 0; " + K + "c[i][j] += a[i][k] * a[j][k]; }", "c"),
        (SQUARE + "{ c[i][j] = m[i] + m[j]; " + K + "c[i][j] += a[i][k] * a[j][k]; c[i][j] /= p; }", "c"),
        (SQUARE + "{ float s; s = 0; " + K + "{ float v = a[i][k] - a[j][k]; s += v * v; } c[i][j] = sqrtf(s); }", "c"),
        (SQUARE + "{ __pencil_reduction_var_init(&c[i][j], zero); " + K
         + "__pencil_reduction(&c[i][j], a[i][k] * a[j][k], add); }", "c"),
        (SQUARE + "{ float s; __pencil_reduction_var_init(&s, zero); " + K
         + "__pencil_reduction(&s, a[i][k] * a[j][k], add); c[j][i] = s; }", "c"),
        (SQUARE + "c[i][j] = 0; " + SQUARE + K + "c[i][j] += a[i][k] * a[j][k];", "c"),
        (SQUARE + "c[i][j] = 0; " + K + SQUARE + "c[i][j] += a[i][k] * a[j][k];", "c"),
        ("for (int v = 0; v < n; v++) for (int w = 0; w < n; w++) c[v][w] = 0; " + K + SQUARE
         + "c[i][j] += a[i][k] * a[j][k];", "c"),
        ("for (int i = 0; i <= n - 1; i++) for (int j = 0; j <= n - 1; j++) { float s = 0; " + K
         + "s += a[i][k] * a[j][k]; c[i][j] = s; }", "c"),
        ("int i, j, k; for (i = 0; i < n; i++) for (j = 0; j < n; j++) { c[i][j] = 0; for (k = 0; k < p; k++) "
         "c[i][j] += a[i][k] * a[j][k]; }", "c"),
        ("int i, j, k; float v; for (i = 0; i < n; i++) for (j = 0; j < n; j++) { c[i][j] = 0; for (k = 0; k < p; k++) "
         "{ v = a[i][k] - a[j][k]; c[i][j] += v * v; } }", "c"),
        ("int i, j; for (i = 0; i < n; i++) for (j = 0; j < n; j++) c[i][j] = 0; for (i = 0; i < n; i++) "
         "for (j = 0; j < n; j++) " + K + "c[i][j] += a[i][k] * a[j][k];", "c"),
        ("for (int i = 1; i <= n; i++) for (int j = 1; j <= n; j++) { float s = 0; " + K
         + "s += a[i - 1][k] * a[j - 1][k]; c[i - 1][j - 1] = s; }", "c"),
        ("float s; " + SQUARE + "{ s = 0; " + K + "s += a[i][k] * a[j][k]; c[i][j] = s; }", "c"),
        (SQUARE + "{ double s = 0; " + K + "s += a[i][k] * a[j][k]; d[i * n + j] = s; }", "d"),
        (SQUARE + "{ double s = 0; " + K + "s += a[i][k] * a[j][k]; d[i + n * j] = s; }", "d"),
        ("for (int b = 0; b < q; b++) " + SQUARE + "{ float s = b; " + K
         + "s += a[i][k] * a[j][k]; t[b][i][j] = s; }", "t"),
        (SQUARE + "{ float s = 0; " + K + "{ if (y[i][k] != y[j][k]) s += 1; } c[i][j] = s; }", "c"),
    ],
)  # fmt: skip
def test_ways_to_write_it(body: str, stored: str) -> None:
    (found,) = {each for each in halves(body) if each.count(" = ") == 2}
    assert found.count(f"{stored}[") == 2 and found.count(f" = {stored};") == 2


@pytest.mark.parametrize(
    "body",
    [
        SQUARE + K + "c[i][j] += a[i][k] * a[j][k];",  # what was there before may be anything
        SQUARE + "c[i][j] = i; " + SQUARE + K + "c[i][j] += a[i][k] * a[j][k];",
        SQUARE + "{ float s = 0; for (int k = 0; k < 255; k++) s += a[i][k] * a[j][k]; c[i][j] = s; }",  # short
        SQUARE.replace("< n", "< 15") + "{ float s = 0; " + K + "s += a[i][k] * a[j][k]; c[i][j] = s; }",  # few points
        SQUARE + "{ float s = 0; for (int k = i; k < p; k++) s += a[i][k] * a[j][k]; c[i][j] = s; }",
        SQUARE + "{ float s = 0; for (int k = 0; k < y[0][0]; k++) s += a[i][k] * a[j][k]; c[i][j] = s; }",
        SQUARE + "{ int s = 0; " + K + "s += y[i][k] * y[j][k]; r[i + j] = s; }",  # the last one counts
        SQUARE + "{ double s = 0; " + K + "s += a[i][k] * a[j][k]; d[i * q + j] = s; }",
        SQUARE + "{ float s = 0; " + K + "s += a[i][k] * a[j][k]; if (i != j) c[i][j] = s; }",
        SQUARE + "{ float s = 0; " + K + "s += a[i][k] * a[j][k]; c[i][j] = s; r[i] = j; }",
        "for (int i = 0; i < n; i++) for (int j = 0; j < n - 1; j++) { float s = 0; " + K
        + "s += a[i][k] * a[j][k]; c[i][j] = s; }",
        "for (int i = 0; i < n; i++) for (int j = n - 1; j >= 0; j--) { float s = 0; " + K
        + "s += a[i][k] * a[j][k]; c[i][j] = s; }",
        # What points before have left, at those where a loop has no iterations.
        "int l = 7; " + SQUARE + "{ float s = 0; " + K + "s += a[i][k] * a[j][k]; for (int k = 1; k < i + j; k++) "
        "for (l = 0; l < 5; l++) s += a[i][l] * a[j][l]; c[i][j] = s + l; }",
        "int l = 7; " + SQUARE + "{ float s = 0; " + K + "s += a[i][k] * a[j][k]; "
        "for (int k = 0; k < y[i][0] * y[j][0]; k++) for (l = 0; l < 5; l++) s += a[i][l] * a[j][l]; "
        "c[i][j] = s + l; }",
        # No iterations: -1 is a large number beside an unsigned one.
        SQUARE + "{ float s = 0; for (int k = -1; k < (unsigned)p; k++) s += a[i][k] * a[j][k]; c[i][j] = s; }",
        SQUARE + "{ int v = i - j; float s = 0; " + K + "s += a[i][k] * a[j][k]; t[v & 1][i][j] = s; }",
        SQUARE + "{ int v = 0; float s = 0; " + K + "s += a[i][k] * a[j][k]; t[v][i][j] = s; v = 1; t[v][i][j] = 2; }",
        SQUARE + "{ float s = 0, v; " + K + "{ v = a[i][k] - a[j][k]; s += v * v; } c[i][j] = s + v; }",
        SQUARE + "{ float s = 0; " + K + "s += a[i][k] * a[j][k]; c[i][n - 1 - j] = s; }",
        "int i = 5, j = 7; for (int v = 0; v < n; v++) for (int w = 0; w < n; w++) c[v][w] = i + j; "
        "for (i = 0; i < n; i++) for (j = 0; j < n; j++) " + K + "c[i][j] += a[i][k] * a[j][k];",
        "for (int k = 0; k < p; k++) " + SQUARE + "c[i][j] = a[i][k] * a[j][k];",
        SQUARE + "{ for (int k = 0; k < q; k++) c[i][j] = a[i][k] * a[j][k]; float s = 0; " + K + "s += a[i][k]; }",
        SQUARE + "for (int k = 0; k < p; k++) c[i][j] = a[i][k] * a[j][k];",
        SQUARE + "{ float s = c[j][i]; " + K + "s += a[i][k] * a[j][k]; c[i][j] = s; }",
        SQUARE + "{ float s = 0, v = 0; " + K + "{ v = a[i][k] - a[j][k]; s += v; } c[i][j] = s; }",
        SQUARE + "{ float s = 0, v = 0; " + K + "{ s += v * a[i][k] * a[j][k]; v = a[i][k] - a[j][k]; } c[i][j] = s; }",
    ],
)  # fmt: skip
def test_what_stays_a_square(body: str) -> None:
    assert not [each for each in halves(body) if each.count(" = ") == 2]


def test_a_function_of_the_program_is_none_of_the_library() -> None:
    own = "static float fabsf(float x) { return x > 0 ? x : -2 * x; }\n"
    text = f"{HEAD}{SUM.replace('ELEMENT', 'fabsf(a[i][k] - a[j][k])')}\n#pragma endscop\n}}\n"
    text = text.replace("#include <math.h>\n", own).replace("#include <pencil.h>", "float sqrtf(float);")
    text = text.replace("#include <stdlib.h>\n", "")
    (region,) = compile_source(SourceFile("f.c", text), CompileOptions(), "source").parsed.regions
    assert not [each for each in walk(region.body) if isinstance(each, For) and each.relation == "<="]


def test_few_products_are_a_square_and_many_a_triangle() -> None:
    (choice,) = (
        each for each in walk(region_of(SUM.replace("ELEMENT", "a[i][k] * a[j][k]")).body) if isinstance(each, If)
    )
    assert print_expr(choice.condition) == "p >= 256" and choice.otherwise is not None
    constant = SQUARE + "{ float s = 0; for (int k = 0; k < 256; k++) s += a[i][k] * a[j][k]; c[i][j] = s; }"
    assert not [each for each in walk(region_of(constant).body) if isinstance(each, If)] and halves(constant)


def test_locals_of_both_have_names_of_their_own() -> None:
    region = region_of(SUM.replace("ELEMENT", "a[i][k] * a[j][k]"))
    names = [each.iterator.name for each in walk(region.body) if isinstance(each, For)]
    assert len(names) == len(set(names)) == 6


def test_both_are_what_the_source_says() -> None:
    body = SQUARE + "c[i][j] = 0; " + K + SQUARE + "c[i][j] += (a[i][k] - m[i]) * (a[j][k] - m[j]);"
    sizes = {"n": (0, 1, 2, 33), "p": (1, 255, 256), "q": (1,)}
    report = verify(file_of(body), CompileOptions(), VerifySettings(sizes=sizes, orders=("rand:3",)))
    assert report.ok, report.table()
