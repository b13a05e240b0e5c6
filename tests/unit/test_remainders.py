"""Remainders of sizes as comparisons: what is known to go round at most once, and what stays a division."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.source_printer import print_stmt
from pencilc.options import CompileOptions

FILE = """#include <pencil.h>
void f(int n, int m, int k, const int a[static const restrict n], int b[static const restrict n])
{{
#pragma scop
    __pencil_assume(k >= 0);
    __pencil_assume(k <= n);
    for (int i = 0; i < n; i++) b[i] = {value};
#pragma endscop
}}
"""


def made(value: str) -> str:
    """What a statement of the model computes."""
    done = compile_source(SourceFile("t.c", FILE.format(value=value)), CompileOptions(), "scop")
    (statement,) = [s for s in done.scops[0].statements if s.body is not None and s.loops]
    assert statement.body is not None
    return print_stmt(statement.body).strip().removeprefix("b[i] = ").removesuffix(";")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a[(i + 1) % n]", "a[i + 1 < n ? i + 1 : 0]"),
        ("a[(i + 2) % n]", "a[(i + 2) % n]"),  # n may be 1
        ("a[(i - 1 + n) % n]", "a[i - 1 < 0 ? i - 1 + n : i - 1]"),
        ("a[(n + i - 1) % n]", "a[i - 1 < 0 ? n + i - 1 : i - 1]"),
        ("a[(i + 1 + n) % n]", "a[i + 1 < n ? i + 1 : 0]"),
        ("a[(i + n) % n]", "a[i]"),
        ("a[i % n]", "a[i]"),
        ("a[(i + k) % n]", "a[i + k < n ? i + k : i + k - n]"),
        ("a[(i - k + n) % n]", "a[i - k < 0 ? i - k + n : i - k]"),
        ("(i - n) % n", "(i - n) % n"),  # 0 for the first one
        ("(i - n + 1) % n", "i - n + 1"),
        ("(i - 2 * n + 1 + n) % n", "i - 2 * n + 1 + n"),  # negative itself
        ("a[i] % n", "a[i] % n"),
        ("i * i % n", "i * i % n"),
        ("i % 8", "i % 8"),
        ("(i + 1) % m", "(i + 1) % m"),
    ],
)
def test_what_a_remainder_is(value: str, text: str) -> None:
    assert made(value) == text
