"""Loops over all elements of a flattened array are split where its dimensions are needed and that is right."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.source_printer import print_stmt
from pencilc.options import CompileOptions

NEST = "for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) a[y * w + x] += x;"
HEAD = """#include <stddef.h>
#include <pencil.h>
void f(int w, int h, int c, int n, int a[static const restrict h * w], int b[static const restrict h * w],
       int v[static const restrict c * h * w], int d[static const restrict n], int rgb[static const restrict 3 * h * w])
{
#pragma scop
"""


def model(body: str) -> str:
    """The region as the model has it, each run of spaces one."""
    done = compile_source(SourceFile("f.c", f"{HEAD}{body}\n#pragma endscop\n}}\n"), CompileOptions(), "scop")
    return " ".join(print_stmt(done.scops[0].region.body).split())


def generated(body: str, sizes: str = "int w, int h", arrays: str = "int a[static const restrict h * w]") -> str:
    text = f"#include <stddef.h>\n#include <pencil.h>\nvoid f({sizes}, {arrays}) {{\n#pragma scop\n{body}\n"
    return compile_source(SourceFile("f.c", f"{text}#pragma endscop\n}}\n"), CompileOptions()).cuda or ""


ROWS, COLUMNS = "for (int k_h = 0; k_h < h; k_h++)", "for (int k_w = 0; k_w < w; k_w++)"


@pytest.mark.parametrize(
    ("flat", "wanted"),
    [
        ("for (int k = 0; k < w * h; k++) a[k]++;", f"{ROWS} {COLUMNS} a[k_h][k_w] ="),
        ("for (int k = 0; k <= h * w - 1; ++k) a[k]++;", f"{ROWS} {COLUMNS} a[k_h][k_w] ="),
        ("int m = w * h; for (int k = 0; k < m; k++) a[k]++;", f"{ROWS} {COLUMNS} a[k_h][k_w] ="),
        ("int k; for (k = 0; k < w * h; k++) a[k]++;", f"+ x; {ROWS} {COLUMNS} a[k_h][k_w] ="),
        (
            "for (int k = w * h - 1; k >= 0; k--) a[k]++;",
            "for (int k_h = h - 1; k_h >= 0; k_h--) for (int k_w = w - 1; k_w >= 0; k_w--) a[k_h][k_w] =",
        ),
        (
            "for (int k = h * w; k > w; k--) a[k - 1]++;",
            "for (int k = h * w; k > w; k--) a[k - 1] =",  # begins in the row behind the last one
        ),
        (
            "for (int k = w; k < (h - 1) * w; k++) a[k] = b[k - w] + b[k + w];",
            f"for (int k_h = 1; k_h < h - 1; k_h++) {COLUMNS} a[k_h][k_w] = b[k_h - 1][k_w] + b[k_h + 1][k_w]",
        ),
        ("for (int k = 0; k < 2 * w; k++) a[k] = k;", f"for (int k_h = 0; k_h < 2; k_h++) {COLUMNS} a[k_h][k_w] ="),
        (
            "for (int k = 0; k < h * w; k++) a[k] = rgb[3 * k + 1];",
            f"{ROWS} {COLUMNS} a[k_h][k_w] = rgb[k_h][k_w][1];",
        ),
        (
            "for (int k = 0; k < w * h; k++) { int y = k / w, x = k % w; if (x > 0) a[y * w + x] = b[k - 1]; }",
            f"{ROWS} {COLUMNS} {{ int y_1 = k_h; int x_1 = k_w; if (x_1 > 0) a[k_h][k_w] = b[k_h][k_w - 1]; }}",
        ),
        ("for (int k = 0; k < w * h; k++) if (k % w == w - 1) a[k] = k / w;", "if (k_w == w - 1) a[k_h][k_w] = k_h;"),
        (
            "#pragma pencil independent\nfor (int k = 0; k < w * h; k++) a[k] = 1;",
            f"#pragma pencil independent {ROWS} #pragma pencil independent {COLUMNS} a",
        ),
    ],
)  # fmt: skip
def test_loops_over_all_elements(flat: str, wanted: str) -> None:
    assert wanted in model(f"{NEST} {flat}")


def test_the_order_of_three_sizes() -> None:
    body = "for (int k = 0; k < w * h * c; k++) { int x = k % w, y = k / w % h, z = k / (w * h); v[k] = x - y - z; }"
    found = model(body)
    assert "v[k_c][k_h][k_w] = x - y - z" in found
    assert "int x = k_w; int y = k_h; int z = k_c;" in found


def test_parts_of_an_array() -> None:
    found = model(f"{NEST} for (int i = 0; i < c; i++) for (int k = 0; k < h * w; k++) v[i * h * w + k] = a[k];")
    assert f"{ROWS} {COLUMNS} v[i][k_h][k_w] = a[k_h][k_w];" in found


@pytest.mark.parametrize(
    "flat",
    [
        pytest.param("for (int k = 1; k < w * h; k++) a[k] += a[k - 1];", id="the_element_before"),
        pytest.param("for (int k = 0; k < w * h; k++) if (k < 5) a[k] = 0;", id="a_condition"),
        pytest.param("for (int k = 0; k < w * h; k++) { a[k] = 0; d[k] = 1; }", id="an_array_of_another_size"),
        pytest.param("for (int k = 0; k < w * h; k++) if (k % c) a[k] = 0;", id="a_remainder_of_another_size"),
        pytest.param("for (int k = 0; k < w * h - 1; k++) a[k] = 0;", id="not_the_last_element"),
        pytest.param("for (int k = 0; k < w * h; k += 2) a[k] = 0;", id="steps_of_two"),
        pytest.param("for (int k = 0; k < n * c; k++) a[k] = 0;", id="another_product"),
        pytest.param("for (int k = 0; k < w * h; k++) for (int i = 0; i < k; i++) a[k] += b[i];", id="a_bound"),
    ],
)
def test_what_stays(flat: str) -> None:
    found = model(f"{NEST} {flat}")
    assert "int k = " in found and "k_w" not in found


def test_what_is_affine_stays() -> None:
    assert "for (int k = 0; k < w * h; k++) a[k] = b[k]" in model("for (int k = 0; k < w * h; k++) a[k] = b[k];")


@pytest.mark.parametrize(
    ("sizes", "extent", "wanted"),
    [
        ("int w, int h", "h * w", "if (h < 0 && w < 0) return cudaErrorInvalidValue;"),
        ("int w", "w * w", "if (w < 0) return cudaErrorInvalidValue;"),
        ("int w, int h, int c", "c * h * w",
         "if ((c < 0 || h < 0 || w < 0) && (long long)c * h * w > 0) return cudaErrorInvalidValue;"),
        ("int w, size_t h", "h * w", None),
    ],
)  # fmt: skip
def test_sizes_of_which_two_are_negative_are_refused(sizes: str, extent: str, wanted: str | None) -> None:
    """Their product is positive: the source has elements then, the arrays of the model have none."""
    sides = {"h * w": "y * w + x", "w * w": "y * w + x", "c * h * w": "(z * h + y) * w + x"}[extent]
    ends = {"x": "w", "y": "w" if extent == "w * w" else "h", "z": "c"}
    loops = "".join(f"for (int {i} = 0; {i} < {e}; {i}++) " for i, e in reversed(ends.items()) if i in sides)
    text = generated(f"{loops} a[{sides}] = 0;", sizes, f"int a[static const restrict {extent}]")
    assert (wanted in text) if wanted else ("< 0" not in text.split("f_device")[-1])
