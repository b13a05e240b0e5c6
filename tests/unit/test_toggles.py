"""Integers that go to and fro between 0 and 1 are what the counter of their loop says."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.queries import names_in
from pencilc.ir.source import Assign, Declare, For, Region, While, walk
from pencilc.ir.source_printer import print_expr
from pencilc.options import CompileOptions

HEAD = """#include <pencil.h>
#include <stdbool.h>
void f(int n, int m, int u[static const restrict 2][m], int out[static const restrict 4])
{
#pragma scop
"""
STEP = "for (int i = 0; i < m; i++) u[1 - p][i] = u[p][i] + 1;"


def region_of(body: str) -> Region:
    """A region, as it has been read."""
    text = f"{HEAD}{body}\n#pragma endscop\n}}\n"
    (region,) = compile_source(SourceFile("f.c", text), CompileOptions(), "source").parsed.regions
    return region


def told(body: str) -> list[str]:
    """What elements are called in the loops of a region."""
    loops = [node for node in walk(region_of(body).body) if isinstance(node, For)]
    assigns = [node for node in walk(loops[0]) if isinstance(node, Assign)]
    return [f"{print_expr(each.target)} = {print_expr(each.value)}" for each in assigns]


@pytest.mark.parametrize(
    "toggle",
    ["p = 1 - p;", "p = !p;", "p ^= 1;", "p = (p + 1) % 2;", "p = p ? 0 : 1;", "p = p == 0;", "p = (p + 1) & 1;"],
)
def test_ways_to_go_to_and_fro(toggle: str) -> None:
    assert told(f"int p = 0; for (int t = 0; t < n; t++) {{ {STEP} {toggle} }}") == [
        "u[1 - t % 2][i] = u[t % 2][i] + 1"
    ]


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("int p = 1; for (int t = 0; t < n; t++) { B p = !p; }", "(t + 1) % 2"),
        ("int p = 0; for (int t = 0; t < n; t++) { p = !p; B }", "(t + 1) % 2"),
        ("int p = 1; for (int t = 0; t < n; t++) { p = !p; B }", "t % 2"),
        ("int p = 0; for (int t = 3; t <= n; t++) { B p = !p; }", "(t - 3) % 2"),
        ("int p = 0; for (int t = n; t > 0; t--) { B p = !p; }", "(n - t) % 2"),
        ("int p; p = 0; for (int t = 0; t < n; t++) { B p = !p; }", "t % 2"),
        ("int p = 0, q = 1; for (int t = 0; t < n; t++) { B int s = p; p = q; q = s; }", "t % 2"),
        ("int p = 0; for (int t = 0; t < n; t++) { int q = 1 - p; B p = q; }", "t % 2"),
        ("int q = 0, p = 1; for (int t = 0; t < n; t++) { B int s = p; p = q; q = s; }", "(t + 1) % 2"),
    ],
)
def test_what_it_is_in_an_iteration(body: str, value: str) -> None:
    assert told(body.replace("B", "out[t] = u[p][0];")) == [f"out[t] = u[{value}][0]"]


@pytest.mark.parametrize(
    ("loop", "last"),
    [
        ("for (int t = 0; t < n; t++)", "0 < n ? n % 2 : 0"),
        ("for (int t = 0; t <= n; t++)", "0 <= n ? (n + 1) % 2 : 0"),
        ("for (int t = 2; t < n; t++)", "2 < n ? (n - 2) % 2 : 0"),
        ("for (int t = n; t > 0; t--)", "n > 0 ? n % 2 : 0"),
        ("for (int t = n; t >= 0; t--)", "n >= 0 ? (n + 1) % 2 : 0"),
    ],
)
def test_what_it_is_behind_the_loop(loop: str, last: str) -> None:
    body = region_of(f"int p = 0; {loop} {{ {STEP} p = 1 - p; }} out[0] = p;").body
    # It is a variable of its own there.
    begin, final = (node for node in body.items if isinstance(node, Declare))
    assert begin.symbol.spelling == final.symbol.spelling == "p" and final.init is not None
    assert print_expr(final.init) == last


@pytest.mark.parametrize(
    "body",
    [
        # Not in each iteration, or not alone.
        "int p = 0; for (int t = 0; t < n; t++) { B if (u[0][t] > 0) p = 1 - p; }",
        "int p = 0; for (int t = 0; t < n; t++) { B p = 1 - p; if (t > 3) p = 0; }",
        "int p = 0; for (int t = 0; t < n; t++) { B p = 1 - p; p = 1 - p; }",
        # Nothing says where it begins, or it begins elsewhere, or goes elsewhere.
        "int p = u[0][0] & 1; for (int t = 0; t < n; t++) { B p = 1 - p; }",
        "int p = 2; for (int t = 0; t < n; t++) { B p = 1 - p; }",
        "int p = 0; for (int t = 0; t < n; t++) { B p = 2 - p; }",
        "int p = 0; if (n > 3) p = u[0][0]; for (int t = 0; t < n; t++) { B p = 1 - p; }",
        # How often is not what the counter says.
        "int p = 0; for (int t = 0; t < n; t++) { B p = 1 - p; if (u[0][t] > 9) break; }",
        "int p = 0; for (int t = 0; t < n; t += 2) { B p = 1 - p; }",
        "int p = 0; int e = n; for (int t = 0; t < e; t++) { B p = 1 - p; e = u[0][0]; }",
        # The name for what comes next is changed meanwhile.
        "int p = 0; for (int t = 0; t < n; t++) { int q = 1 - p; B q = u[0][0]; p = q; }",
        # Two that are exchanged, of which one is changed besides, and a helper that is read behind.
        "int p = 0, q = 1; for (int t = 0; t < n; t++) { B int s = p; p = q; q = s; q = u[0][0]; }",
        "int p = 0, q = 1; for (int t = 0; t < n; t++) { B int s = p; p = q; q = s; out[1] = s; }",
        "int p = 1, q = 1; for (int t = 0; t < n; t++) { B int s = p; p = q; q = s; }",
    ],
)
def test_what_stays(body: str) -> None:
    region = region_of(body.replace("B", "out[0] += u[p & 1][0];"))
    loop = next(node for node in walk(region.body) if isinstance(node, For | While))
    assert any(name.startswith("p") for name in names_in(loop))


def test_a_second_loop_begins_where_the_first_one_ends() -> None:
    """What is known in front of a loop is not known behind it."""
    region = region_of(f"int p = 0; {2 * f'for (int t = 0; t < n; t++) {{ {STEP} p = 1 - p; }}'}")
    first, second = (node for node in region.body.items if isinstance(node, For))
    assert "p" not in names_in(first) and "p" in names_in(second)
