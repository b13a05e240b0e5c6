"""Loops that stay sequential, with what keeps them so, and what helps."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.options import CompileOptions

HEAD = """#include <pencil.h>
static void zero(int *c) { *c = 0; }
static int upto(int a, int b) { return a + b < 99 ? a + b : 99; }
int f(int n, int m, const unsigned a[static const restrict n], const unsigned t[static const restrict m])
{
    int c = 0;
"""
BITS = "for (unsigned v = a[i]; v; v &= v - 1)"
PROBES = "for (int s = 0; s < m; s++)"


def compiled(body: str) -> Compilation:
    return compile_source(SourceFile("f.c", f"{HEAD}{body}\n    return c;\n}}\n"), CompileOptions(), "mapping")


MARKED = "__pencil_reduction_var_init(&c, zero); for (int i = 0; i < n; i++)"


@pytest.mark.parametrize(
    ("told", "helped"),
    [
        (f"{MARKED} {BITS} __pencil_reduction(&c, 1, upto);",
         f"{MARKED} {{ int k = 0; {BITS} k = upto(k, 1); __pencil_reduction(&c, k, upto); }}"),
        (f"{MARKED} {PROBES} {{ __pencil_reduction(&c, 1, upto); if (t[s] == a[i]) break; }}",
         f"{MARKED} {{ int k = 0; {PROBES} {{ k = upto(k, 1); if (t[s] == a[i]) break; }} "
         "__pencil_reduction(&c, k, upto); }"),
    ],
)  # fmt: skip
def test_what_a_loop_changes_that_data_end(told: str, helped: str) -> None:
    (first, *_) = compiled(told).diagnostics
    assert first.code == "PC0302"
    assert first.message.endswith("the loop inside of it goes on until data say so, and changes `c`")
    done = compiled(helped)
    assert not done.diagnostics
    assert [kernel.shape.value for kernel in done.programs[0].kernels()] == ["all"]
