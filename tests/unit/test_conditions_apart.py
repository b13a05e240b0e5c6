"""Loops under conditions on data are loops of the model where one thread would run them otherwise."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.ir.schedule_printer import schedule_line
from pencilc.options import CompileOptions

HEAD = """void f(int n, int m, float a[restrict const static n + 1], float b[restrict const static n + 1],
       int c[restrict const static m + 1], float x[restrict const static n][n])
{
#pragma scop
"""
ROUNDS = "for (int k = 0; k < m; k++)"
BOTH = "for (int i = 0; i < n; i++) a[i] = b[n - 1 - i] + k; for (int j = 0; j < n; j++) b[j] = a[j] / 2;"


def compiled(body: str) -> Compilation:
    return compile_source(SourceFile("f.c", f"{HEAD}{body}\n#pragma endscop\n}}\n"), CompileOptions(), "mapping")


@pytest.mark.parametrize(
    ("body", "schedule"),
    [
        (f"{ROUNDS} if (c[k] > 0) {{ {BOTH} }}", "[k s]{ [i P]{S0}; [j P]{S1} }"),
        (f"{ROUNDS} {{ if (c[k] <= 0) continue; {BOTH} }}", "[k s]{ [i P]{S0}; [j P]{S1} }"),
        # What the loops change is asked first, once.
        (f"{ROUNDS} if (a[k % 2] > 0) {{ {BOTH} }}", "[k s]{ S1; [i P]{S2}; [j P]{S3} }"),
        (f"{ROUNDS} {{ float p = x[0][0]; if (p > 0) for (int i = 0; i < n; i++) x[i][0] -= p; }}",
         "[k s]{ S1; [i P]{S2} }"),
        (f"{ROUNDS} if (c[k] > 0) {{ if (c[k + 1] > 0) {{ {BOTH} }} }}", "[k s]{ [i P]{S0}; [j P]{S1} }"),
        (f"{ROUNDS} if (c[k] > 0) {{ {BOTH} }} else for (int q = 0; q < n; q++) a[q] += b[q];",
         "[k s]{ [i P]{S0}; [j P]{S1,S2} }"),
        # Threads of a parallel loop ask once.
        ("for (int i = 0; i < n; i++) if (b[i] > 0) for (int j = 0; j < n; j++) x[i][j] += b[i];", "[i P]{S0}"),
        # Nothing in the loops is parallel, or they are too short for a launch.
        (f"{ROUNDS} if (c[k] > 0) for (int i = 0; i < n; i++) a[0] = a[0] / 3 + b[i];", "[k s]{S0}"),
        (f"{ROUNDS} if (c[k] > 0) {{ a[0] = 1; for (int i = 0; i < 9; i++) a[i] = b[8 - i] / k; }}", "[k s]{S0}"),
    ],
)  # fmt: skip
def test_schedules(body: str, schedule: str) -> None:
    assert schedule_line(compiled(body).scheduled[0]) == schedule


def told(body: str) -> list[str]:
    return [each.code for each in compiled(body).diagnostics]


def test_what_is_parallel_now_is_not_told_to_be_sequential() -> None:
    assert told(f"{ROUNDS} if (c[k] > 0) {{ {BOTH} }}") == []
    assert told(f"{ROUNDS} if (c[k] > 0) for (int i = 0; i < n; i++) a[0] = a[0] / 3 + b[i];") == ["PC0701"]
