"""Loops in blocks: which are one loop over all values, and what keeps others as they are."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.schedule_printer import schedule_line
from pencilc.options import CompileOptions

PRELUDE = """#include <pencil.h>
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define BLOCKS(i) for (int i##b = 0; i##b < n; i##b += 16)
#define BLOCK(i) for (int i = i##b; i < MIN(i##b + 16, n); i++)
"""


def schedule_of(
    body: str, params: str = "const int a[static const restrict n][n], int b[static const restrict n][n]"
) -> str:
    text = f"{PRELUDE}void f(int n, {params}) {{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
    (scheduled,) = compile_source(SourceFile("f.c", text), CompileOptions(), stop_after="schedule").scheduled
    return schedule_line(scheduled)


WHOLE = {
    "both": "BLOCKS(i) BLOCKS(j) BLOCK(i) BLOCK(j) b[j][i] = a[i][j];",
    "one": "BLOCKS(i) BLOCK(i) for (int j = 0; j < n; j++) b[j][i] = a[i][j];",
    "builtin": "BLOCKS(i) for (int i = ib; i < min(n, ib + 16); i++) for (int j = 0; j < n; j++) b[j][i] = a[i][j];",
    "two conditions":
        "BLOCKS(i) for (int i = ib; i < ib + 16 && i < n; i++) for (int j = 0; j < n; j++) b[j][i] = a[i][j];",
    "an end of its own":
        "BLOCKS(i) { int end = MIN(ib + 16, n); for (int j = 0; j < n; j++)"
        " for (int i = ib; i < end; i++) b[j][i] = a[i][j]; }",
    "by numbers":
        "for (int x = 0; x < (n + 15) / 16; x++) for (int i = 16 * x; i < MIN(16 * x + 16, n); i++)"
        " for (int j = 0; j < n; j++) b[j][i] = a[i][j];",
    "whole blocks":
        "__pencil_assume(n % 16 == 0); BLOCKS(i) for (int i = ib; i < ib + 16; i++)"
        " for (int j = 0; j < n; j++) b[j][i] = a[i][j];",
}  # fmt: skip


@pytest.mark.parametrize("name", WHOLE)
def test_blocks_are_one_loop(name: str) -> None:
    assert schedule_of(WHOLE[name]) in ("[i,j P]{S0}", "[j,i P]{S0}")


APART = {
    "blocks that are not whole": "BLOCKS(i) for (int i = ib; i < ib + 16; i++) if (i <= n) b[0][i] = a[0][i];",
    "another use of the counter": "BLOCKS(i) BLOCK(i) b[0][i] = a[0][i] + ib;",
    "a statement of each block": "BLOCKS(i) { b[1][ib] = 0; BLOCK(i) b[0][i] = a[0][i]; }",
    "gaps": "for (int ib = 0; ib < n; ib += 32) BLOCK(i) b[0][i] = a[0][i];",
    "an order that counts":
        "BLOCKS(i) BLOCKS(j) BLOCK(i) BLOCK(j) if (i > 0 && j < n - 1) b[i][j] = b[i - 1][j + 1] * 3;",
    "a promise about blocks": "\n#pragma pencil independent\nBLOCKS(i) BLOCK(i) b[0][i] = b[a[0][i]][0];",
}  # fmt: skip


@pytest.mark.parametrize("name", APART)
def test_what_is_more_than_blocks_stays(name: str) -> None:
    assert "ib" in schedule_of(APART[name])


def test_an_order_that_does_not_count() -> None:
    """The element above and the one before are there in either order."""
    body = "BLOCKS(i) BLOCKS(j) BLOCK(i) BLOCK(j) if (i > 0 && j > 0) b[i][j] = b[i - 1][j] + b[i][j - 1];"
    assert "ib" not in schedule_of(body)
