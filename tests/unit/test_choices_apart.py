"""Choices that one `if` makes, or two of which one stands in the `else` of the other, are reductions each."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions

HEAD = """#include <limits.h>
void f(int n, int lo0, const int x[restrict const static n + 1], int out[restrict const static 4])
{
#pragma scop
int lo, hi, at = 0, first = -1, last = -1;
"""
LOOP = "for (int i = 1; i <= n; i++)"
ELSE = "if (x[i] < lo) lo = x[i]; else if (x[i] > hi) hi = x[i];"
END = "out[0] = lo; out[1] = hi; out[2] = first; out[3] = last;\n#pragma endscop\n}\n"


def reduced(body: str) -> list[str]:
    """What of the variables is reduced."""
    done = compile_source(SourceFile("f.c", f"{HEAD}{body}\n{END}"), CompileOptions(), "mapping")
    return sorted(c.variable for c in done.candidates[0] if not c.refused)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"lo = hi = x[0]; {LOOP} {ELSE}", ["hi", "lo"]),
        (f"hi = x[0]; lo = hi; {LOOP} {{ {ELSE} }}", ["hi", "lo"]),
        (f"lo = 1; hi = 2; {LOOP} {{ {ELSE} }}", ["hi", "lo"]),
        (f"lo = hi = lo0; {LOOP} if (x[i] > hi) hi = x[i]; else if (x[i] < lo) {{ lo = x[i]; at = i; }}", ["hi", "lo"]),
        (f"lo = hi = x[0]; {LOOP} for (int j = 0; j < n; j++) {ELSE}", ["hi", "lo"]),
        (f"lo = hi = 0; {LOOP} if (x[i] > 3) {{ if (first < 0) first = i; last = i; }}", ["first", "last"]),
        (f"lo = hi = 0; {LOOP} if (x[i] > 3) {{ if (first < 0) first = i; last = i; hi++; }}", ["first", "hi", "last"]),
    ],
)
def test_choices_apart(body: str, expected: list[str]) -> None:
    assert reduced(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        f"lo = 2; hi = 1; {LOOP} {ELSE}",
        f"lo = INT_MAX; hi = INT_MIN; {LOOP} {ELSE}",
        f"lo = x[0]; hi = x[1]; {LOOP} {ELSE}",
        f"lo = hi = x[0]; lo++; {LOOP} {ELSE}",
        f"lo = hi = x[0]; out[0] = 1; {LOOP} {{ {ELSE} hi = hi - 1; }}",
        f"lo = hi = x[0]; {LOOP} if (x[i] <= lo) {{ lo = x[i]; at = i; }} else if (x[i] >= hi) hi = x[i];",
        f"lo = hi = x[0]; {LOOP} if (x[i] < lo) {{ lo = x[i]; hi = 0; }} else if (x[i] > hi) hi = x[i];",
        f"lo = hi = x[0]; {LOOP} if (x[i] < lo) lo = x[i]; else if (x[i - 1] > hi) hi = x[i - 1];",
        f"lo = hi = x[0]; {LOOP} if (x[i] < lo) lo = x[i]; else if (x[i] < hi) hi = x[i];",
    ],
)
def test_the_else_stays(body: str) -> None:
    assert "lo" not in reduced(body)
