"""Planes that take turns, as versions: the same dependences as with remainders, and what has none."""

from __future__ import annotations

import pytest

from pencilc import quotas
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.scop import Scop
from pencilc.options import CompileOptions
from pencilc.poly.dependences import relaxed, turns

# Enough for isl to find all of it with remainders.
OPERATIONS = 50_000_000


def model(body: str, params: str = "float u[static const restrict 2][n][m]") -> Scop:
    """The model of a function with this body in a loop over `t`, unless it has one."""
    loop = body if "for (int t" in body else f"for (int t = 0; t < steps; t++) {{ {body} }}"
    text = f"void f(int steps, int n, int m, {params}) {{\n#pragma scop\n{loop}\n#pragma endscop\n}}\n"
    return compile_source(SourceFile("f.c", text), CompileOptions(), "scop").scops[0]


INSIDE = "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)"
EDGES = """
    for (int i = 1; i < n - 1; i++) {
        u[(t + 1) % 2][i][0] = u[(t + 1) % 2][i][1];
        u[(t + 1) % 2][i][m - 1] = u[(t + 1) % 2][i][m - 2];
    }
    for (int j = 0; j < m; j++) {
        u[(t + 1) % 2][0][j] = u[(t + 1) % 2][1][j];
        u[(t + 1) % 2][n - 1][j] = u[(t + 1) % 2][n - 2][j];
    }
"""
STEP = "u[(t + 1) % 2][i][j] = u[t % 2][i][j] + u[t % 2][i - 1][j] + u[t % 2][i][j + 1];"
THREE = "float u[static const restrict 3][n][m]"
FORMS = {
    "a stencil": (f"{INSIDE} {STEP}", ""),
    "edges behind": (f"{INSIDE} {STEP} {EDGES}", ""),
    "edges in front": (f"{EDGES.replace('(t + 1)', 't')} {INSIDE} {STEP}", ""),
    "the new one before the old one": (
        f"{INSIDE} u[(t + 1) % 2][i][j] = 2 * u[t % 2][i][j] - u[(t + 1) % 2][i][j] + u[t % 2][i - 1][j];", ""
    ),
    "three in turn": (
        f"{INSIDE} u[(t + 2) % 3][i][j] = 2 * u[(t + 1) % 3][i][j] - u[t % 3][i][j] + u[(t + 1) % 3][i + 1][j];", THREE
    ),
    "three, two written": (
        f"{INSIDE} u[(t + 1) % 3][i][j] = u[t % 3][i - 1][j]; {INSIDE} u[(t + 2) % 3][i][j] = u[(t + 1) % 3][i][1];",
        THREE,
    ),
    "both written": (f"{INSIDE} {STEP} {INSIDE} u[t % 2][i][j] = u[(t + 1) % 2][i][j - 1];", ""),
    "from another number on": (
        f"for (int t = 3; t <= steps + n; t++) {INSIDE} u[t % 2][i][j] = u[(t - 1) % 2][i][j - 1] + u[t % 2][i][j];", ""
    ),
    "a part alone": ("for (int j = 2; j < m; j++) u[(t + 1) % 2][1][j] = u[t % 2][0][j] + u[t % 2][1][j - 2];", ""),
    "in place": (f"{INSIDE} u[t % 2][i][j] = u[t % 2][i][j - 1] + u[(t + 1) % 2][i][j];", ""),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_the_same_dependences(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    body, params = FORMS[form]
    scop = model(body, params or "float u[static const restrict 2][n][m]")
    made, planes = turns.with_versions(scop)
    assert planes == {"u": 3 if params else 2} and made.is_plain and not scop.is_plain
    with quotas.operation_quota(OPERATIONS):
        found = relaxed.compute_dependences(scop)
        monkeypatch.setattr(relaxed, "with_versions", lambda scop: (scop, {}))
        wanted = relaxed.compute_dependences(scop)
    assert found.flow.is_equal(wanted.flow)
    assert found.anti.is_equal(wanted.anti)
    assert found.output.is_equal(wanted.output)
    assert not found.flow.is_empty() and not found.anti.is_empty()


@pytest.mark.parametrize(
    "body",
    [
        f"{INSIDE} if (t > 3) {STEP} {INSIDE} {STEP}",  # one of them not in all iterations
        f"{INSIDE} if (i > t) {STEP}",  # others in each
        f"{INSIDE} if (u[t % 2][i][j] > 0) {STEP}",  # data decide
        "for (int i = 1; i < n; i++) u[(t + 1) % 2][i][0] = u[t % 2][i][t % 2];",  # other elements in each
        f"for (int t = 0; t < steps; t += 2) {INSIDE} {STEP}",
        f"for (int t = steps; t > 0; t--) {INSIDE} {STEP}",
        f"for (int b = 0; b < n; b++) for (int t = 0; t < steps; t++) {INSIDE} {STEP}",  # not the outermost loop
        f"for (int t = 0; t < steps; t++) {INSIDE} {STEP} u[0][0][0] = 1;",  # and by number
        f"{INSIDE} u[(2 * t + 1) % 2][i][j] = u[t % 2][i][j];",  # one of them each time
        f"{INSIDE} {{ if (u[t % 2][i][j] < 9) break; {STEP} }}",
    ],
)
def test_what_has_no_versions(body: str) -> None:
    assert turns.with_versions(model(body))[1] == {}


def test_edges_on_all_sides_leave_the_points_parallel() -> None:
    """isl gave the remainders up, and all that was left were fronts across both sides and the iterations."""
    text = f"""void f(int steps, int n, int m, float u[static const restrict 2][n][m]) {{
#pragma scop
    for (int t = 0; t < steps; t++) {{ {INSIDE} {STEP} {EDGES} }}
#pragma endscop
}}
"""
    (program,) = compile_source(SourceFile("f.c", text), CompileOptions(), "mapping").programs
    first, *others = program.kernels()
    assert all(kernel.host == ("t",) for kernel in program.kernels())
    assert len(first.kept) == 2 and all(len(kernel.kept) == 1 for kernel in others)
