"""Scalars that iterations set before they use them become variables of these; no others do."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.exposure import exposure
from pencilc.ir.source import Block, Declare, For, Node, walk
from pencilc.ir.source_printer import print_stmt
from pencilc.options import CompileOptions

HEAD = """#include <pencil.h>
struct pair { float key; int place; };
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
static void set(float *v, float x) { *v = x; }
"""
PARAMETERS = "int n, int m, const float a[static const restrict n], float b[static const restrict n]"


def body_of(text: str, behind: str = "") -> Block:
    """The body of a region whose loops are `text`, with a result made of `behind`."""
    source = (
        f"{HEAD}float f({PARAMETERS})\n{{\nfloat t = 1, u = 2, r = 0; struct pair p; int i, k; (void)0;\n"
        f"#pragma scop\n{text}\n#pragma endscop\nreturn r{behind};\n}}\n"
    ).replace("(void)0;", "")
    (region,) = compile_source(SourceFile("f.c", source), CompileOptions(), "source").parsed.regions
    return region.body


def private(node: Node) -> list[str]:
    """The names of the variables that are declared in loops."""
    return [d.symbol.name for loop in walk(node) if isinstance(loop, For) for d in _declared(loop)]


def _declared(loop: For) -> list[Declare]:
    return [item for item in loop.body.items if isinstance(item, Declare)] if isinstance(loop.body, Block) else []


LOOP = "for (int j = 0; j < n; j++) "


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        pytest.param(f"{LOOP}{{ t = a[j]; b[j] = t * t; }}", ["t_1"], id="set_first"),
        pytest.param(f"{LOOP}{{ if (a[j] > 0) t = 1; else t = 2; b[j] = t; }}", ["t_1"], id="both_branches"),
        pytest.param(f"{LOOP}{{ if (a[j] > 0) {{ t = a[j]; b[j] = t; }} }}", ["t_1"], id="inside_of_a_branch"),
        pytest.param(f"{LOOP}{{ if (a[j] > 0) continue; t = a[j]; b[j] = t; }}", ["t_1"], id="behind_continue"),
        pytest.param(f"{LOOP}{{ t = 0; set(&t, a[j]); b[j] = t; }}", ["t_1"], id="address"),
        pytest.param(f"{LOOP}{{ p.key = a[j]; p.place = j; b[j] = p.key * p.place; }}", ["p"], id="members"),
        pytest.param(f"{LOOP}{{ for (k = 0; k < m; k++) {{ t = a[j] * k; b[j] += t; }} }}", ["t_1"], id="inner"),
        pytest.param(f"{LOOP}{{ t = 0; for (k = 0; k < m; k++) t += a[k]; b[j] = t; }}", ["t_1"], id="sum"),
        pytest.param(
            f"{LOOP}{{ __pencil_reduction_var_init(&t, zero); for (k = 0; k < m; k++)"
            " __pencil_reduction(&t, a[k], add); b[j] = t; }", ["t_1"], id="reduction",
        ),
        pytest.param(f"{LOOP}{{ t = a[j]; b[j] = t; }} {LOOP}{{ t = 2; b[j] += t; }}", ["t_1", "t_2"], id="twice"),
        pytest.param(f"{LOOP}{{ float s; {LOOP.replace('j', 'k')}{{ s = a[k]; b[k] += s; }} }}", ["s"], id="deeper"),
        pytest.param(f"{LOOP}{{ b[j] = t; t = a[j]; }}", [], id="carried"),
        pytest.param(f"{LOOP}{{ if (a[j] > 0) t = a[j]; b[j] = t; }}", [], id="one_branch"),
        pytest.param(f"{LOOP}{{ t += a[j]; b[j] = t; }}", [], id="accumulated"),
        pytest.param(f"{LOOP}{{ p.key = a[j]; b[j] = p.key * p.place; }}", [], id="one_member"),
        pytest.param(f"{LOOP}{{ for (k = 0; k < m; k++) t = a[k]; b[j] = t; }}", ["t_1"], id="inner_alone"),
        pytest.param(f"{LOOP}{{ while (t > 0) {{ t = a[j]; u = t; }} b[j] = u; }}", [], id="perhaps_no_iteration"),
        pytest.param("for (k = 0; k < n; k++) { b[k] = k; }", [], id="counter"),
    ],
)  # fmt: skip
def test_what_iterations_have_for_themselves(text: str, wanted: list[str]) -> None:
    assert private(body_of(text)) == wanted


@pytest.mark.parametrize(
    ("loop", "last"),
    [
        ("for (int j = 0; j < n; j++)", "!(j + 1 < n)"),
        ("for (int j = n - 1; j >= 0; j -= 2)", "!(j - 2 >= 0)"),
        ("for (int j = 1; j <= m; j += 3)", "!(j + 3 <= m)"),
        ("for (int j = 0; j != n; ++j)", "!(j + 1 != n)"),
    ],
)
def test_the_last_iteration_hands_on(loop: str, last: str) -> None:
    text = print_stmt(body_of(f"{loop} {{ t = a[0]; b[j] = t; }} r = t;"))
    assert f"if ({last})" in " ".join(text.split()), text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"{LOOP}{{ if (a[j] > 0) {{ t = a[j]; b[j] = t; }} }} r = t;", id="not_in_all_iterations"),
        pytest.param(f"{LOOP}{{ if (a[j] > 0) break; t = a[j]; b[j] = t; }} r = t;", id="left_early"),
        pytest.param("k = m; for (i = 0; i < k; i++) { t = a[i]; b[i] = t; if (i == 2) k = 3; } r = t;", id="bound"),
    ],
)
def test_what_is_needed_behind_and_cannot_be_handed_on_stays(text: str) -> None:
    assert private(body_of(text)) == []


def test_what_is_set_again_before_its_use_is_not_handed_on() -> None:
    text = print_stmt(body_of(f"{LOOP}{{ t = a[j]; b[j] = t; }} t = 3; r = t;"))
    assert "if (" not in text


def test_names_of_variables_that_are_gone_are_used_again() -> None:
    text = f"{HEAD}void f({PARAMETERS})\n{{\nfloat t;\n#pragma scop\n{LOOP}{{ t = a[j]; b[j] = t; }}\n"
    text += f"{LOOP}{{ t = a[j]; b[j] += t; }}\n#pragma endscop\n}}\n"
    (region,) = compile_source(SourceFile("f.c", text), CompileOptions(), "source").parsed.regions
    assert private(region.body) == ["t", "t_1"]
    assert len([node for node in walk(region.body) if isinstance(node, Declare)]) == 2


def test_what_a_statement_reads_and_sets() -> None:
    (loop,) = (node for node in walk(body_of(f"{LOOP}{{ b[j] = t; u = a[j]; t = u; }}")) if isinstance(node, For))
    found = exposure(loop.body)
    assert found.reads("t") and not found.reads("u_1") and found.sets("u_1") and found.sets("t")
    assert exposure(loop).reads("t") and not exposure(loop).sets("t")
