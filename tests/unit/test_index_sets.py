"""Statements that a row cuts apart: which hyperplanes, which parts, and what the schedule makes of them."""

from __future__ import annotations

import islpy as isl
import pytest

from pencilc import islx
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.ir.schedule_printer import schedule_line
from pencilc.options import CompileOptions
from pencilc.poly import compute_dependences


def compiled(body: str, parameters: str = "int n, int a[static const restrict n][n]") -> Compilation:
    text = f"#include <pencil.h>\nvoid f({parameters})\n{{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
    return compile_source(SourceFile("p.c", text), CompileOptions(), "schedule")


def domains(body: str, parameters: str = "int n, int a[static const restrict n][n]") -> list[isl.Set]:
    (scop,) = compiled(body, parameters).scops
    return [s.domain.set_tuple_name("S") for s in scop.statements]


def line(body: str, parameters: str = "int n, int a[static const restrict n][n]") -> str:
    (scheduled,) = compiled(body, parameters).scheduled
    return schedule_line(scheduled)


PATHS = """
for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = a[i][k] + a[k][j] < a[i][j] ? a[i][k] + a[k][j] : a[i][j];
"""
VECTOR = "int n, int m, int a[static const restrict n]"


def test_the_parts_are_those_of_the_statement_and_do_not_overlap() -> None:
    parts = domains(PATHS)
    assert len(parts) == 9
    assert islx.union_set(parts).is_equal(isl.UnionSet("[n] -> { S[k, i, j] : 0 <= k, i, j < n }"))
    assert all(a.is_disjoint(b) for number, a in enumerate(parts) for b in parts[number + 1 :])


def test_each_part_is_parallel_inside_of_the_row() -> None:
    told = line(PATHS)
    assert told.startswith("[k s]{ ") and told.count("s]") == 1 and told.count("[i,j P]") == 9


@pytest.mark.parametrize(
    "body",
    [
        PATHS,
        "for (int i = 0; i < n; i++) { a[i][0] = a[i][0] + a[0][0]; a[0][i] = a[0][n - 1] * 2; }",
        "for (int i = 0; i < n; i++) { int t = a[0][0]; for (int j = 0; j < n; j++) t += a[i][j]; a[i][0] += t; }",
    ],
)
def test_the_dependences_of_the_parts_are_those_of_the_whole(body: str) -> None:
    done = compiled(body)
    (scop,), (found,) = done.scops, done.dependences
    wanted = compute_dependences(scop)
    for kind in ("flow", "anti", "output", "isolation", "relaxed", "proximity", "control"):
        one, other = (getattr(each, kind).intersect_params(scop.context) for each in (found, wanted))
        assert one.is_equal(other), kind
    assert found.dead == wanted.dead


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("for (int i = 0; i < n; i++) a[i] = a[i] + a[0];", 2),
        ("for (int i = 0; i < n; i++) a[i] = a[i] + a[n - 1];", 2),
        ("__pencil_assume(m > 0 && m < n - 1); for (int i = 0; i < n; i++) a[i] = a[i] + a[m];", 3),
        # The neighbour is another one for each iteration.
        ("for (int i = 1; i < n; i++) a[i] = a[i] + a[i - 1];", 1),
        # Three places would be 27 parts.
        ("for (int i = 0; i < n; i++) a[i] = a[0] + a[3] + a[5] + a[i];", 1),
        ("for (int i = 0; i < n; i++) a[i] = 2 * a[i];", 1),
    ],
)
def test_in_how_many_parts(body: str, count: int) -> None:
    assert len(domains(body, VECTOR)) == count


def test_a_batch_is_split_as_one_of_it_is() -> None:
    batch = "int n, int m, int a[static const restrict m][n][n]"
    body = f"for (int b = 0; b < m; b++) {PATHS.replace('a[', 'a[b][')}"
    assert len(domains(body, batch)) == 9 and line(body, batch).startswith("[b P]{ [k s]{ ")


def test_loops_that_are_parallel_already_split_nothing() -> None:
    body = "for (int b = 0; b < m; b++) for (int c = 0; c < 2; c++)" + PATHS.replace("a[", "a[b][c][")
    assert len(domains(body, "int n, int m, int a[static const restrict m][2][n][n]")) == 1
    assert len(domains("for (int k = 0; k < n; k++) for (int i = 0; i < n; i++) a[i][k] += a[k][k];")) == 1


def test_what_is_reduced_is_not_split() -> None:
    told = compile_source(
        SourceFile(
            "p.c",
            """#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
int f(int n, const int a[static const restrict n]) {
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    return s;
}
""",
        ),
        CompileOptions(),
        "schedule",
    )
    assert [schedule_line(each).split(";")[0] for each in told.scheduled] == ["[i R]{S2}"]


WALLS = "a[0][i] = 0; a[n - 1][i] = 1; a[i][0] = 2; a[i][n - 1] = 3;"
INSIDE = "a[i][0] = a[i][1]; a[i][n - 1] = a[i][n - 2]; a[0][i] = a[1][i]; a[n - 1][i] = a[n - 2][i];"


@pytest.mark.parametrize("edges", [WALLS, INSIDE])
@pytest.mark.parametrize("loop", ["for (int i = 0; i < n; i++)", "for (int i = n - 1; i >= 0; i--)"])
def test_statements_of_one_loop_are_split_at_the_corners(edges: str, loop: str) -> None:
    found = line(f"{loop} {{ {edges} }}")
    assert "s]" not in found and found.count("[i P]") >= 2


def test_the_parts_of_statements_of_one_loop_are_those_of_the_whole() -> None:
    parts = domains(f"for (int i = 0; i < n; i++) {{ {WALLS} }}")
    wanted = isl.Set("[n] -> { S[i] : 0 <= i < n }")
    assert len(parts) == 8 and islx.joined(parts, isl.Set.union).is_equal(wanted)


ORDERED = [
    "a[0][i] = a[1][i] + 1; if (i + 1 < n) a[1][i + 1] = a[0][i];",  # each needs the one before it
    "a[0][i] = 1; a[1][i] = a[0][i] + 1;",  # a loop for each would do
    "a[0][i] = 1; a[1][i] = a[0][0] + 1;",
    "a[i][i] = 1;",
]


@pytest.mark.parametrize("body", ORDERED)
def test_other_loops_are_not_split(body: str) -> None:
    assert len(domains(f"for (int i = 0; i < n; i++) {{ {body} }}")) == body.count(";")
