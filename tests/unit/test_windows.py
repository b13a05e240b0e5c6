"""Loops over a window around a point are counted from the point."""

from __future__ import annotations

import re

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.frontend import parse_file
from pencilc.frontend.options import FrontendOptions
from pencilc.ir.source import For, walk
from pencilc.ir.source_printer import print_stmt

HEAD = """#include <pencil.h>
static int lesser(int a, int b) { return a < b ? a : b; }
static int lmax(int a, int b) { return a + b; }
"""


def inner(loop: str, point: str = "for (int x = 0; x < n; x++)") -> str:
    """The loop inside of `point` as it is written after the pass, in one line."""
    text = f"""{HEAD}void f(int n, int r, const int a[static const restrict n], int b[static const restrict n]) {{
#pragma scop
    {point} {loop}
#pragma endscop
}}
"""
    (region,) = parse_file(SourceFile("f.c", text), FrontendOptions())[0].regions
    last = [node for node in walk(region.body) if isinstance(node, For)][-1]
    return re.sub(r"\s+", " ", print_stmt(last)).strip()


MOVED = [
    ("i = x - r; i <= x + r", "i = -r; i <= r"),
    ("i = -r + x; i < r + x + 1", "i = -r; i < r + 1"),
    ("i = x; i < x + r", "i = 0; i < r"),
    ("i = x + 1 - r; i <= x + 1 + r", "i = 1 - r; i <= 1 + r"),
    ("i = max(0, x - r); i <= min(n - 1, x + r)", "i = max(-x, -r); i <= min(n - 1 - x, r)"),
    ("i = x - r < 0 ? 0 : x - r; i <= x + r", "i = x - r < 0 ? -x : -r; i <= r"),
    ("i = x - r; i < lesser(n, x + r)", "i = -r; i < (n < x + r ? n - x : r)"),
]


@pytest.mark.parametrize(("bounds", "wanted"), MOVED)
def test_a_loop_around_a_point(bounds: str, wanted: str) -> None:
    found = inner(f"for (int {bounds}; i++) b[x] += a[i] * (i - x + r);")
    assert found.startswith(f"for (int {wanted}; i++)") and "a[x + i] * (i + r)" in found


LEFT = [
    "for (int i = x - 1; i <= x + 1; i++) b[x] += a[i];",
    "for (int i = x; i < n; i++) b[x] += a[i];",
    "for (int i = max(0, x - 1); i <= min(n - 1, x + 1); i++) b[x] += a[i];",
    "for (int i = x; i <= (x + 3 < n ? x + 3 : n - 1); i++) b[x] += a[i];",
    "for (int i = 2 * x; i < 2 * x + r; i++) b[x] += a[i];",
    "for (unsigned i = x - r; i < x + r; i++) b[x] += a[i];",
    "for (long i = x - r; i < x + r; i++) b[x] += a[i];",
    "for (int i = x - r; i < lmax(n, x + r); i++) b[x] += a[i];",
]


@pytest.mark.parametrize("loop", LEFT)
def test_other_loops_stay_as_they_are(loop: str) -> None:
    assert "a[i]" in inner(loop)


def test_the_elements_of_a_block_stay_as_they_are() -> None:
    assert "a[i]" in inner("for (int i = x; i < x + r; i++) b[i] = a[i];", "for (int x = 0; x < n; x += 4)")


def test_what_is_taken_from_the_counter() -> None:
    found = inner("for (int i = x - r; i <= x + r; i++) b[x] += a[i - (x - r)] + a[i - x] + a[i - r];")
    assert "a[i + r] + a[i] + a[x + i - r]" in found
