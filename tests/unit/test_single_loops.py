"""Loops of one iteration are none in the model, where that cannot change what is meant."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.source_printer import print_stmt
from pencilc.options import CompileOptions

HEAD = """#include <pencil.h>
void f(int n, int m, unsigned u, int a[static const restrict n], int b[static const restrict n])
{
#pragma scop
"""


def model(body: str) -> str:
    """The region as the model has it, each run of spaces one."""
    done = compile_source(SourceFile("f.c", f"{HEAD}{body}\n#pragma endscop\n}}\n"), CompileOptions(), "scop")
    return " ".join(print_stmt(done.scops[0].region.body).split())


OUTER = "for (int i = 0; i < n; i++)"


@pytest.mark.parametrize(
    "loop",
    [
        "int r = i; r <= i; r++", "int r = i; r < i + 1; r++", "int r = i; r != 1 + i; ++r", "int r = i; r >= i; r--",
        "int r = i; r < i + 3; r += 3", "int r = i; r > i - 1; r--",
    ],
)  # fmt: skip
def test_a_counter_is_another_name_of_where_its_loop_begins(loop: str) -> None:
    assert "a[i] = b[i];" in model(f"{OUTER} for ({loop}) a[r] = b[r];")


def test_loops_inside_of_such_loops_too() -> None:
    assert "a[i] = i;" in model(f"{OUTER} for (int r = i; r <= i; r++) for (int q = r; q <= r; q++) a[q] = r;")


def test_the_value_has_the_type_of_the_counter() -> None:
    assert "(long long)i" in model(f"{OUTER} for (long long r = i; r <= i; r++) a[i] = (int)(r * 70000 / 70000);")


@pytest.mark.parametrize(
    "loop",
    [
        "int r = i; r < i; r++", "int r = i; r <= i + 1; r++", "int r = i; r < n; r++", "int r = 0; r < 1; r++",
        "int r = i; r < i + 3; r += 2", "int r = i; r >= i - 1; r--",
    ],
)  # fmt: skip
def test_other_loops_stay(loop: str) -> None:
    assert f"for ({loop.replace('++r', 'r++')})" in model(f"{OUTER} for ({loop}) if (r < n && r >= 0) a[r] = b[r];")


def test_a_bound_that_may_wrap_is_none() -> None:
    assert "for (unsigned int r" in model(f"{OUTER} for (unsigned r = u; r < u + 1u; r++) a[i] = b[i] + (int)r;")


def test_loops_stay_that_change_where_they_began() -> None:
    assert "r = t" in model(f"{OUTER} {{ int t = i; for (int r = t; r <= t; r++) {{ t = 0; a[i] = r + t; }} }}")
