"""Sizes that are promised to be products are these, where subscripts of flattened arrays count in their parts."""

from __future__ import annotations

import pytest

from pencilc.ir.source_printer import print_expr, print_stmt
from tests.unit.test_flat_arrays import compiled, shapes

SIZES = "int n, int c, int g, int d"
ARRAYS = "const float a[static const restrict n * c], float b[static const restrict n * c]"
PARTS = "for (int i = 0; i < n; i++) for (int k = 0; k < g; k++) for (int j = 0; j < d; j++) "
COPIED = "b[i * c + k * d + j] = a[i * c + k * d + j];"


@pytest.mark.parametrize(
    "promise",
    [
        "__pencil_assume(c == g * d);",
        "__pencil_assume(d * g == c && n > 0);",
        "__pencil_assume(d == c / g); __pencil_assume(c % g == 0);",
        "__pencil_assume(c % g == 0 && c / g == d);",
    ],
)
def test_what_is_promised(promise: str) -> None:
    done = compiled(f"{promise} {PARTS}{COPIED}", ARRAYS, SIZES)
    assert shapes(done) == {"a": 3, "b": 3}
    assert "b[i][k][j] = a[i][k][j]" in print_stmt(done.scops[0].region.body)


@pytest.mark.parametrize(
    ("promise", "parts"),
    [
        ("", COPIED),
        ("__pencil_assume(c >= g * d);", COPIED),
        ("__pencil_assume(c == g * d || n < 5);", COPIED),
        ("if (n > 2) __pencil_assume(c == g * d);", COPIED),
        ("__pencil_assume(d == c / g);", COPIED),
        ("__pencil_assume(c % d == 0 && d == c / g);", COPIED),
        ("__pencil_assume(c % g == 1); __pencil_assume(d == c / g);", COPIED),
        ("__pencil_assume(c == g * d);", "b[i * c + k * (d + 1) + j] = a[i * c + k * d + j];"),
    ],
)
def test_what_is_not(promise: str, parts: str) -> None:
    assert shapes(compiled(f"{promise} {PARTS}{parts}", ARRAYS, SIZES))["b"] == 1


@pytest.mark.parametrize(
    "body",
    [
        f"__pencil_assume(c % g == 0); int d = c / g; {PARTS}{COPIED}",
        f"int d = c / g; __pencil_assume(g * d == c); {PARTS}{COPIED}",
        "__pencil_assume(c % g == 0); for (int i = 0; i < n; i++) for (int k = 0; k < g; k++) "
        "{ int w = c / g, at = i * c + k * w; for (int j = 0; j < w; j++) b[at + j] = a[at + j]; }",
        "__pencil_assume(c % g == 0); for (int i = 0; i < n; i++) for (int k = 0; k < g; k++) "
        "for (int j = 0; j < c / g; j++) b[i * c + k * (c / g) + j] = a[i * c + k * (c / g) + j];",
    ],
)
def test_quotients_are_sizes_that_the_host_computes(body: str) -> None:
    (scop,) = compiled(body, ARRAYS, "int n, int c, int g").scops
    assert [print_expr(each) for each in scop.array("b").extents] == ["n", "g", "c_per_g"]
    # Of a negative quotient both sizes are asked for: there nothing may be divided by 0.
    assert [[print_expr(each) for each in sizes] for sizes in scop.region.multiplied] == [["c", "g", "g", "n"]] * 2


def test_rows_as_a_whole_have_the_same_parts() -> None:
    whole = "for (int i = 0; i < n; i++) for (int e = 0; e < c; e++) b[i * c + e] *= 2;"
    done = compiled(f"__pencil_assume(c == g * d); {PARTS}{COPIED} {whole}", ARRAYS, SIZES)
    assert "b[i_1][e_g][e_d]" in print_stmt(done.scops[0].region.body)


def test_where_nothing_counts_in_parts_sizes_stay() -> None:
    done = compiled(
        "__pencil_assume(c == g * d); for (int i = 0; i < n; i++) for (int e = 0; e < c; e++) b[i * c + e] = 1;",
        ARRAYS, SIZES,
    )  # fmt: skip
    assert shapes(done)["b"] == 2


@pytest.mark.parametrize(
    ("start", "promise"),
    [
        ("", "__pencil_assume(c == g * d);"),
        ("__pencil_assume(d == c / g);", "__pencil_assume(c % g == 0);"),
        ("__pencil_assume(c == g * d);", ""),
    ],
)
def test_the_promise_is_told(start: str, promise: str) -> None:
    done = compiled(f"{start} {PARTS}{COPIED}", ARRAYS, SIZES)
    helps = " ".join(each for told in done.diagnostics for each in told.helps)
    assert promise in helps and ("whole parts" in helps) == bool(promise)
