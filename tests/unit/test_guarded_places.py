"""The place of the best of those that a condition leaves: its value is read in front of the loop where it is there."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.source_printer import print_stmt
from pencilc.options import CompileOptions
from pencilc.poly.detect.best_places import with_values

HEAD = "int f(int n, int u, const int in[restrict n], const int a[restrict n])\n{\n#pragma scop\n"
END = "\n#pragma endscop\nreturn u;\n}\n"
LOOP = "for (int i = 0; i < n; i++)"
INSIDE = "if (0 <= u_1 && u_1 < n)"


def rewritten(body: str) -> str:
    text = HEAD + body + END
    unit = compile_source(SourceFile("f.c", text), CompileOptions(), "source").parsed
    found = with_values(unit.regions[0])
    return " ".join(print_stmt(found.region.body).split()) if found.places else ""


@pytest.mark.parametrize(
    ("body", "is_guarded"),
    [
        (f"{LOOP} if (a[i] < a[u]) u = i;", False),
        (f"{LOOP} if (u < 0 || a[i] < a[u]) u = i;", False),
        (f"{LOOP} if (!in[i] && a[i] < a[u]) u = i;", True),
        (f"{LOOP} if (a[i] < a[u] && in[i] > 3) u = i;", True),
        (f"{LOOP} if (!in[i] && i != 3 && (u < 0 || a[i] < a[u])) u = i;", True),
        (f"{LOOP} {{ if (in[i]) continue; if (u < 0 || a[i] < a[u]) u = i; }}", True),
        (f"{LOOP} if (in[i]) if (a[i] < a[u]) u = i;", True),
    ],
)
def test_what_is_read_before(body: str, is_guarded: bool) -> None:
    made = rewritten(body)
    assert "a_best = a[u_1];" in made
    assert (INSIDE in made) == is_guarded


@pytest.mark.parametrize(
    "body",
    [
        f"{LOOP} if (in[u] && a[i] < a[u]) u = i;",  # the condition reads the place
        f"{LOOP} if (in[i] || a[i] < a[u]) u = i;",
        f"{LOOP} if (in[i]) {{ if (a[i] < a[u]) u = i; }} else u = 0;",
        f"{LOOP} if (in[i] && a[i] + 1 < a[u] + 1) u = i;",  # no element of which it is known that it is there
    ],
)
def test_what_stays(body: str) -> None:
    assert rewritten(body) == ""
