"""Integers that name a place in an array make way for what the place is."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.source import Declare, walk
from pencilc.options import CompileOptions

HEAD = """#include <pencil.h>
void f(int n, int m, const int a[static const restrict n][m], const int of[static const restrict n],
       int b[static const restrict n][m])
{
#pragma scop
"""
LOOPS = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)"


def names_left(body: str) -> list[str]:
    """The locals that a region declares when it has been read."""
    text = f"{HEAD}{body}\n#pragma endscop\n}}\n"
    (region,) = compile_source(SourceFile("f.c", text), CompileOptions(), "source").parsed.regions
    return [node.symbol.spelling for node in walk(region.body) if isinstance(node, Declare)]


@pytest.mark.parametrize(
    "body",
    [
        "{ int at = j - 1; if (at >= 0) b[i][j] = a[i][at]; }",
        "{ const int at = 2 * j + 1; if (at < m) b[i][j] = a[i][at] + at; }",
        "{ int up = i - 1; int left = up + j; if (up >= 0 && left < m) b[i][j] = a[up][left]; }",
        "{ int at; at = clamp(j - 1, 0, m - 1); b[i][j] = a[i][at]; }",
        "{ int up = i - 1; if (up < 0) continue; for (int k = 0; k < 2; k++) b[i][j] = a[up][j]; }",
        "{ int half = j % 2, other = 1 - half; if (n > 1) b[half][i] = a[other][i]; }",
        "{ long at = (long)j + 2; if (at < m) b[i][j] = a[i][at]; }",
    ],
)
def test_a_name_for_a_place_goes(body: str) -> None:
    assert names_left(f"{LOOPS} {body}") in ([], ["at"] if "long" in body else [])


@pytest.mark.parametrize(
    "body",
    [
        "{ int v = j - 1; b[i][j] = v; }",  # no place
        "{ int at = of[i]; b[i][j] = a[at][j]; }",  # data
        "{ int at = i % 27; b[at][j] = a[i][at]; }",  # no plane
        "{ int at = i * j; if (at < n) b[i][j] = a[at][j]; }",  # no sum
        "{ int at = j; if (at < m - 1) at++; b[i][j] = a[i][at]; }",  # another place later
        "{ unsigned at = (unsigned)j - 1u; if (at < (unsigned)m) b[i][j] = a[i][at]; }",  # that may wrap
        "{ signed char at = (signed char)(j - 1); if (at >= 0) b[i][j] = a[i][at]; }",  # other values
        "{ const int at = j + 1; float t[at]; t[j] = a[i][j]; b[i][j] = t[at - 1]; }",  # an array is as long
    ],
)
def test_any_other_value_keeps_its_name(body: str) -> None:
    assert names_left(f"{LOOPS} {body}") != []


def test_a_place_is_what_it_was_when_it_got_its_name() -> None:
    """`k` has moved on where the name is read."""
    body = "int k = 0; for (int i = 0; i < n; i++) { int at = k + 1; k = of[i] & 1; if (at < m) b[i][at] = k; }"
    assert "at" in names_left(body)
