"""What loops that data end change of variables from outside: a variable of the iteration, and one update behind."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.source import Region
from pencilc.ir.source_printer import print_stmt
from pencilc.options import CompileOptions
from pencilc.poly.detect.inner_totals import with_inner_totals

HEAD = """#include <math.h>
typedef struct { int n; float least; } Stats;
static int half(int x) { if (x > 8) return x / 2; return x - 1; }
void f(int n, const int x[static const restrict n], const float y[static const restrict n],
       const int at[static const restrict n], int h[static const restrict n], Stats s[static const restrict 1])
{
int c = 0, d = 0, found = 0; float t = 0;
#pragma scop
for (int i = 0; i < n; i++) {
"""
END = "\n}\nh[0] = c + d + found; s[0].least = t;\n#pragma endscop\n}\n"
WHILE = "int v = x[i]; while (v > 0) {"


def rewritten(body: str, associative: bool = False) -> str:
    """The region with what has been rewritten, without line breaks."""
    text = HEAD + body + END
    unit = compile_source(SourceFile("f.c", text), CompileOptions(), "source").parsed
    region: Region = with_inner_totals(unit, unit.regions[0], associative)
    return "" if region is unit.regions[0] else " ".join(print_stmt(region.body).split())


@pytest.mark.parametrize(
    ("body", "before", "behind"),
    [
        (f"{WHILE} c++; v = half(v); }}", "int c_inside = 0;", "c = c + c_inside;"),
        (f"{WHILE} c += v; v--; c -= 2; }}", "int c_inside = 0;", "c = c + c_inside;"),
        (f"{WHILE} if (v > c) c = v; v--; }}", "int c_inside = -2147483647 - 1;", "c = c_inside > c ? c_inside : c;"),
        (f"{WHILE} t = y[i] * v < t ? y[i] * v : t; v--; }}", "float t_inside = 1e999f;", ""),
        (f"{WHILE} c ^= v; v--; }}", "int c_inside = 0;", "c = c ^ c_inside;"),
        (f"{WHILE} c = c & v; v--; }}", "int c_inside = ~0;", "c = c & c_inside;"),
        (f"{WHILE} c = c && v % 3; v--; }}", "int c_inside = 1;", "c = c && c_inside;"),
        (f"{WHILE} s[0].n++; v--; }}", "int n_inside = 0;", "if (is_n_set) s[0].n = s[0].n + n_inside;"),
        (f"{WHILE} h[at[i]]++; v--; }}", "int is_h_set = 0;", "if (is_h_set) h[at[i]] = h[at[i]] + h_inside;"),
        (
            f"{WHILE} if (x[i] > 3 && h[at[i]] < v) h[at[i]] = v; v--; }}",
            "if (x[i] > 3) is_h_set = 1;",
            "if (is_h_set)",
        ),
        (f"{WHILE} if (v == 7) found = 1; v--; }}", "int is_found_set = 0;", "if (is_found_set) found = 1;"),
        ("for (int j = 0; j < n; j++) if (x[j] == i) { found = 1; break; }", "int is_found_set = 0;", ""),
        ("int v = 0; do { c++; v += x[i]; } while (v < 9 && v > 0);", "int c_inside = 0;", ""),
        ("if (x[i] > 3) for (int v = x[i]; v > 1; v /= 2) c++;", "int c_inside = 0;", "c = c + c_inside;"),
        ("for (int j = 0; j < n; j++) for (int v = x[j]; v > i; v /= 3) c++;", "int c_inside = 0;", ""),
        (f"{WHILE} c++; d += v; v--; }}", "int d_inside = 0;", "d = d + d_inside;"),
    ],
)
def test_the_update_stands_behind(body: str, before: str, behind: str) -> None:
    made = rewritten(body)
    assert before in made
    assert behind in made


@pytest.mark.parametrize(
    "body",
    [
        f"{WHILE} c++; v -= c; }}",  # it is read
        f"{WHILE} c++; v--; }} h[i] = c;",  # and here, by the iteration
        f"{WHILE} c = 2 * c + 1; v--; }}",  # no operator of the old value
        f"{WHILE} c += v; c *= 3; v--; }}",  # two of them
        f"{WHILE} h[v] += 1; v--; }}",  # another element each time
        f"{WHILE} t += y[i]; v--; }}",  # another order rounds otherwise
        f"{WHILE} t = fminf(t, y[i] * v); v--; }}",  # which has no identity that is a number
        f"{WHILE} found = v % 2 ? 1 : 2; v--; }}",  # the last one stays
        f"{WHILE} found = 1; if (v > 3) found = 2; v--; }}",
        f"int k = 0; {WHILE} k++; v--; }} h[i] = k;",  # it is the iteration's own
        "c++;",
    ],
)
def test_what_stays_as_it_is(body: str) -> None:
    assert rewritten(body) == ""


def test_floating_sums_where_their_order_does_not_matter() -> None:
    body = f"{WHILE} t += y[i]; v--; }}"
    assert "float t_inside = -0.0f;" in rewritten(body, associative=True)
    text = HEAD.replace("#pragma scop\n", "#pragma scop\n#pragma pencil independent reduction(+: t)\n")
    unit = compile_source(SourceFile("f.c", text + body + END), CompileOptions(), "source").parsed
    assert with_inner_totals(unit, unit.regions[0], False) is not unit.regions[0]


def test_a_loop_on_the_host_stays() -> None:
    """Without a parallel loop around it nothing is gained."""
    body = "} int v = n; while (v > 0) { c++; v = half(v); } {"
    assert rewritten(body) == ""
