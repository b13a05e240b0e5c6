"""What `--autodetect` takes for reductions, and what stays on the host, with the reason."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions

HEAD = """typedef struct { int at; float v; } Hit;
static int plus(int a, int b) { return a + b; }
static int less(int a, int b) { return a - b; }
static int mixed(int a, int b) { return 31 * a + b; }
static float larger(float a, float b) { return a < b ? b : a; }
void compiled(int n, int a[static const restrict n]) { for (int i = 0; i < n; i++) a[i] = i; }
float f(int n, int m, const int a[static const restrict n], const float x[static const restrict n][m]) {
int s = 0, at = -1, ok = 1, most = 0; float v = -1e30f, sum = 0; Hit best = {-1, -1e30f};
"""
EACH = "for (int i = 0; i < n; i++)"
END = "return s + at + ok + most + v + sum + best.v + best.at; }\n"


def told(body: str, *, associative: bool = False) -> tuple[list[str], list[str]]:
    """The variables that are reduced, and what is said of loops that stay on the host."""
    options = CompileOptions(autodetect=True, associative_math=associative)
    done = compile_source(SourceFile("f.c", f"{HEAD}{body}\n{END}"), options, "mapping")
    reduced = [c.variable for found in done.candidates for c in found if not c.refused]
    return reduced, [d.message.partition(": ")[2] for d in done.diagnostics if d.code == "PC0110"]


@pytest.mark.parametrize(
    ("body", "variables"),
    [
        (f"{EACH} ok = ok && a[i] < m;", ["ok"]),
        (f"{EACH} s = plus(s, a[i]);", ["s"]),
        (f"{EACH} s = plus(a[i], s);", ["s"]),
        (f"{EACH} v = larger(v, x[i][0]);", ["v"]),
        (f"{EACH} if (x[i][0] > best.v) {{ best.v = x[i][0]; best.at = i; }}", ["best.v"]),
        (f"{EACH} if (at < 0 || a[i] > most) {{ most = a[i]; at = i; }}", ["most"]),
        (f"{EACH} {{ int y = a[i], k = 0; while (y > 1) {{ y /= 2; k++; }} if (k > most) most = k; }}", ["most"]),
        (f"{EACH} {{ int k = 0; for (int j = 0; j < m; j++) {{ if (x[i][j] < 0) break; k++; }} s += k; }}", ["s"]),
    ],
)
def test_reductions(body: str, variables: list[str]) -> None:
    assert told(body) == (variables, [])


@pytest.mark.parametrize(
    "body",
    [
        f"if (m) {EACH} s += a[i];",
        f"if (m) at++; else {EACH} s += a[i];",
        f"switch (m) {{ case 1: at++; {EACH} s += a[i]; break; default: break; }}",
        f"again: {EACH} s += a[i]; if (m) goto again;",
    ],
)
def test_loops_without_braces_are_looked_at(body: str) -> None:
    assert told(body) == (["s"], [])


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (f"{EACH} s = less(s, a[i]);", "`s` is used behind it, and no reduction"),
        (f"{EACH} s = mixed(s, a[i]);", "`s` is used behind it, and no reduction"),
        (f"{EACH} {{ if (a[i] < 0) break; s += a[i]; }}", "how far it goes depends on what it computes"),
        (f"{EACH} for (int j = 0; j < m; j++) {{ if (x[i][j] < 0) break; s++; }}",
         "how far it goes depends on what it computes"),
        (f"{EACH} if (at < 0 || x[i][0] > v) {{ v = x[i][0]; at = i; }}",
         "another order would change the rounding of `at` and `v` (-fassociative-math allows it)"),
    ],
)  # fmt: skip
def test_what_stays_on_the_host(body: str, reason: str) -> None:
    reduced, reasons = told(body)
    assert not reduced and reason in reasons


def test_another_order_may_be_allowed() -> None:
    body = f"{EACH} if (at < 0 || x[i][0] > v) {{ v = x[i][0]; at = i; }}"
    assert told(body, associative=True) == (["v"], [])
