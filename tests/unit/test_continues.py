"""A `continue` becomes a condition around what it skips."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.ir.source import For, Jump, walk
from pencilc.ir.source_printer import print_stmt
from pencilc.options import CompileOptions


def compiled(body: str, stage: str = "source") -> Compilation:
    text = (
        "void f(int n, const int p[static const restrict n], const float a[static const restrict n],"
        f" int x[static const restrict n], long s[static const restrict 1])\n{{\n#pragma scop\n{body}\n"
        "#pragma endscop\n}\n"
    )
    return compile_source(SourceFile("f.c", text), CompileOptions(), stage)


def loop(body: str) -> str:
    """The body of the loop over `i`, as it is printed, in one line."""
    (region,) = compiled(f"for (int i = 0; i < n; i++) {{ {body} }}").parsed.regions
    found = next(node for node in walk(region.body) if isinstance(node, For))
    assert not any(isinstance(node, Jump) and node.keyword == "continue" for node in walk(found))
    return " ".join(print_stmt(found.body).split())


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("if (p[i] < 0) continue; x[i] = 1;", "{ if (p[i] >= 0) { x[i] = 1; } }"),
        ("if (a[i] < 0) continue; x[i] = 1;", "{ if (!(a[i] < 0)) { x[i] = 1; } }"),
        ("if (p[i]) { x[i] = 2; continue; } x[i] = 1;", "{ if (p[i]) { x[i] = 2; } else { x[i] = 1; } }"),
        ("if (p[i]) x[i] = 2; else continue; x[i] = 1;", "{ if (p[i]) { x[i] = 2; x[i] = 1; } }"),
        ("if (p[i]) continue; else x[i] = 2; x[i] = 1;", "{ if (!p[i]) { x[i] = 2; x[i] = 1; } }"),
        ("x[i] = 1; if (p[i]) continue;", "{ x[i] = 1; }"),
        ("x[i] = 1; continue; x[i] = 2;", "{ x[i] = 1; }"),
        (
            "if (p[i] > 1) continue; if (p[i] > 0) continue; x[i] = 1;",
            "{ if (p[i] <= 1) { if (p[i] <= 0) { x[i] = 1; } } }",
        ),
        (
            "if (p[i] > 0) { if (p[i] > 9) continue; x[i] = 1; } x[i] = 2;",
            "{ int skips = 0; if (p[i] > 0) { if (p[i] > 9) { skips = 1; } else { x[i] = 1; } }"
            " if (!skips) { x[i] = 2; } }",
        ),
    ],
)
def test_what_is_skipped_stands_under_a_condition(body: str, wanted: str) -> None:
    assert loop(body) == wanted


def test_a_continue_of_an_inner_loop_stays_with_it() -> None:
    text = loop(
        "for (int k = 0; k < 3; k++) { if (p[i] == k) continue; x[i] = x[i] + k; } if (p[i]) continue; x[i] = 0;"
    )
    assert text.count("if (") == 2 and text.endswith("if (!p[i]) { x[i] = 0; } }"), text


def test_what_is_skipped_is_parallel_and_reduced() -> None:
    done = compiled(
        "long sum = 0; for (int i = 0; i < n; i++) { x[i] = 0; if (p[i] < 0) continue; sum += p[i]; x[i] = p[i]; }"
        " s[0] = sum;", "mapping",
    )  # fmt: skip
    assert not done.diagnostics
    (scop,) = done.scops
    assert len(scop.reductions) == 1


PARALLEL = (
    "for (int i = 0; i < n; i++) { if (p[i] < 0) { x[i] = 1; continue; } x[i] = p[i]; }",
    "for (int i = 0; i < n; i++) { if (p[i] < 0) x[i] = 2; else continue; x[i]++; }",
    "for (int i = 0; i < n; i++) { x[i] = 0; if (p[i] < 0) continue; if (p[i] > 9) continue; x[i] = p[i]; }",
    "for (int i = 0; i < n; i++) { if (p[i] < 0) { if (p[i] < -9) continue; x[i] = 1; } x[i] += p[i]; }",
    "int k = p[0] * p[1]; if (k > 3) for (int i = 0; i < n; i++) x[i] = p[i];",
    "int k = p[0] * p[1]; if (k > 3) { for (int i = 0; i < n; i++) x[i] = 1; for (int i = 0; i < n; i++) x[i] += 2; }",
)
IN_ONE_THREAD = (
    "for (int i = 0; i < n; i++) { if (p[i] < 0) break; x[i] = p[i]; }",
    # What the condition reads changes in the loop.
    "if (x[0] > 3) for (int i = 0; i < n; i++) x[i] = p[i];",
)


@pytest.mark.parametrize("body", PARALLEL)
def test_the_loop_is_parallel(body: str) -> None:
    assert not {each.code for each in compiled(body, "mapping").diagnostics} & {"PC0302", "PC0701"}


@pytest.mark.parametrize("body", IN_ONE_THREAD)
def test_the_loop_is_not_and_that_is_told(body: str) -> None:
    assert "PC0302" in {each.code for each in compiled(body, "mapping").diagnostics}
