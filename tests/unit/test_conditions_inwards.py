"""Conditions on data around loops: which loops are parallel all the same."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions

HEAD = "void f(int n, int m, const int a[static const restrict n], int b[static const restrict n])\n{\n#pragma scop\n"
PARALLEL = (
    "int s = a[0] * a[1]; if (s > 3) for (int i = 0; i < n; i++) b[i] = a[i];",
    "int s = a[0] * a[1]; if (s > 3) { for (int i = 0; i < n; i++) b[i] = 1; for (int i = 0; i < m; i++) b[i] += 2; }",
)
IN_ONE_THREAD = (
    # What the condition reads changes in the loop.
    "if (b[0] > 3) for (int i = 0; i < n; i++) b[i] = a[i];",
    "int s = a[0] * a[1]; if (s > 3) { b[0] = 1; for (int i = 0; i < n; i++) b[i] = a[i]; }",
)


def codes(body: str) -> set[str]:
    file = SourceFile("t.c", f"{HEAD}{body}\n#pragma endscop\n}}\n")
    return {each.code for each in compile_source(file, CompileOptions(), "mapping").diagnostics}


@pytest.mark.parametrize("body", PARALLEL)
def test_the_loop_is_parallel(body: str) -> None:
    assert not codes(body) & {"PC0302", "PC0701"}


@pytest.mark.parametrize("body", IN_ONE_THREAD)
def test_the_loop_is_not_and_that_is_told(body: str) -> None:
    assert "PC0302" in codes(body)
