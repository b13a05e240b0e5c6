"""What a loop reads of an array before it overwrites it is read from a copy, where that lets more run at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import islpy as isl
import pytest

from pencilc import islx
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.ir.schedule_printer import saved_schedules, schedule_line
from pencilc.ir.scop import Access, Scop, Statement
from pencilc.ir.scop_verifier import verify_copies_of_old_values
from pencilc.options import CompileOptions
from pencilc.report.json import report_json
from pencilc.report.text import report_text

HEAD = """#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
typedef struct { float x, y; } Pair;
void f(int n, int m, int cap, float a[static const restrict n + 2], float b[static const restrict n + 2],
       float x[static const restrict n + 1][m + 1], float c[static const restrict cap + 1],
       Pair p[static const restrict n + 1], float flat[static const restrict n * m])
{
#pragma scop
"""
ROWS, COLUMNS = "for (int i = 0; i < n; i++)", "for (int j = 0; j < m; j++)"
SHIFT = f"{ROWS} a[i] = 2 * a[i + 1];"


def compiled(body: str, last: str = "schedule", options: CompileOptions | None = None) -> Compilation:
    """A region with the parameters of HEAD."""
    return compile_source(SourceFile("f.c", f"{HEAD}{body}\n#pragma endscop\n}}\n"), options or CompileOptions(), last)


def told(body: str) -> tuple[list[str], str]:
    """The arrays of which there are copies, and the schedule."""
    done = compiled(body)
    return [each.array.name for each in done.parsed.regions[0].copied], schedule_line(done.scheduled[0])


@pytest.mark.parametrize(
    ("body", "schedule"),
    [
        (SHIFT, "[at P]{S1}; [i P]{S2}"),
        (f"{ROWS} {COLUMNS} x[i][j] += x[i + 1][j] + x[i][j + 1];", "[at,at_1 P]{S1}; [i,j P]{S2}"),
        ("for (int i = n; i > 0; i--) a[i] = a[i] / 2 + a[i - 1];", "[at P]{S1}; [i P]{S2}"),
        (f"{ROWS} {COLUMNS} {{ for (int k = i + 1; k < n; k++) x[i][j] += a[k] * x[k][j]; x[i][j] *= 3; }}",
         "[at,at_1 P]{S1}; [i,j P]{ [k s]{S2}; S3 }"),
        (f"for (int i = 0; i + 1 < n; i++) {COLUMNS} flat[i * m + j] += flat[(i + 1) * m + m - 1 - j];",
         "[at,at_1 P]{S1}; [i,j P]{S2}"),
        (f"{ROWS} p[i] = p[i + 1];", "[at P]{S1}; [i P]{S2}"),
        (f"{ROWS} if (b[i] > 0) a[i] = a[i + 1];", "[at P]{S1}; [i P]{S2}"),
    ],
)  # fmt: skip
def test_reads_of_old_values(body: str, schedule: str) -> None:
    copies, found = told(body)
    assert len(copies) == 1 and found == schedule


def test_arrays_that_only_together_are_worth_it() -> None:
    copies, schedule = told(f"{ROWS} {{ a[i] = a[i + 1] + b[i + 1]; b[i] = b[i + 1] - a[i + 1]; }}")
    assert copies == ["a", "b"] and " s]" not in schedule
    # Of two that change places one will do; with a scalar its values are that copy.
    copies, schedule = told(f"{ROWS} {{ b[i] = a[i + 1]; a[i] = b[i + 1]; }}")
    assert len(copies) == 1 and " s]" not in schedule
    copies, schedule = told(f"{ROWS} {{ float t = b[i + 1]; b[i] = a[i + 1]; a[i] = t; }}")
    assert copies == [] and " s]" not in schedule


@pytest.mark.parametrize(
    "body",
    [
        f"{ROWS} {COLUMNS} x[i][j] = x[i][j] + x[i][j + 1];",  # a thread for each row
        f"{ROWS} a[i] = a[i] + a[n - i];",  # what an iteration before has written
        f"for (int t = 0; t < 2; t++) {ROWS} a[i] = a[i + 1];",  # the second round reads what the first one has written
        f"{ROWS} a[i] = a[(int)b[i]];",  # any element
        "for (int i = 0; i < 8; i++) a[i] = 2 * a[i + 1];",  # too few for a launch of its own
        f"{ROWS} a[i] = a[i] + 1;",  # nothing waits
        f"{ROWS} {{ a[i + 1] = a[i + 1] * a[i] + b[i + 1]; b[i] = i; }}",  # as many loops in one thread as before
        f"__pencil_kill(a); {SHIFT}",  # there are no old values
        f"{ROWS} p[i].x = p[i + 1].x;",  # members: not yet
        f"{ROWS} {{ __pencil_reduction_var_init(&a[i], zero); __pencil_reduction(&a[i], b[i], add); }}",
    ],
)
def test_what_needs_no_copy_or_gets_none(body: str) -> None:
    assert told(body)[0] == []


def test_what_is_copied() -> None:
    """From the first to the last element that is read; all of the array where these may be beside it."""
    (copying,) = (s.domain for s in compiled(SHIFT).scops[0].statements if s.name == "S1")
    assert copying.is_equal(isl.Set("[n] -> { S1[at] : 1 <= at <= n }"))
    scop = compiled(f"if (n <= cap) {ROWS} c[i] = 2 * c[i + 1];").scops[0]
    (copying,) = (s.domain for s in scop.statements if s.name == "S1")
    assert copying.is_equal(isl.Set("[cap, n] -> { S1[at] : 0 <= at <= cap }"))


def test_it_is_told() -> None:
    done = compiled(SHIFT, "mapping")
    assert "the old values of `a` are read from a copy" in report_text(done)
    (region,) = json.loads(report_json(done))["regions"]
    assert region["copied_arrays"] == [{"array": "a", "lines": [10]}]
    assert not done.diagnostics


def test_a_schedule_that_is_given_is_of_the_same_statements() -> None:
    text = saved_schedules(compiled(SHIFT).scheduled)
    again = compiled(SHIFT, options=CompileOptions(schedule=SourceFile("given", text)))
    assert schedule_line(again.scheduled[0]) == "[at P]{S1}; [i P]{S2}"


# ---- the verifier --------------------------------------------------------------------------------------


def broken(scop: Scop, change: Callable[[Statement, Access], Access]) -> Scop:
    """The model with other accesses."""
    statements = tuple(replace(s, accesses=tuple(change(s, a) for a in s.accesses)) for s in scop.statements)
    return replace(scop, statements=statements)


def further(access: Access, elements: int) -> Access:
    """The access of the element that lies so many behind its own."""
    name = islx.out_name(access.relation)
    behind = isl.Map(f"{{ {name}[at] -> {name}[at + {elements}] }}")
    return replace(access, relation=access.relation.apply_range(behind))


def refused(scop: Scop, why: str) -> None:
    """The verifier refuses the model."""
    with pytest.raises(CompilerBug, match=why):
        verify_copies_of_old_values(scop)


def test_the_verifier_takes_what_is_made() -> None:
    for body in (SHIFT, f"{ROWS} {{ a[i] = a[i + 1] + b[i + 1]; b[i] = b[i + 1] - a[i + 1]; }}"):
        verify_copies_of_old_values(compiled(body).scops[0])


def test_a_copy_of_other_elements() -> None:
    scop = compiled(SHIFT).scops[0]
    refused(broken(scop, lambda s, a: further(a, 1) if s.name == "S1" and a.kind.writes else a), "to the same places")


def test_a_copy_that_lacks_an_element() -> None:
    scop = compiled(SHIFT).scops[0]
    fewer = isl.Set("[n] -> { S1[at] : at < n }")
    statements = (replace(s, domain=s.domain.intersect(fewer)) if s.name == "S1" else s for s in scop.statements)
    refused(replace(scop, statements=tuple(statements)), "does not have all")


def test_an_array_that_is_written_before() -> None:
    scop = compiled(SHIFT).scops[0]
    refused(broken(scop, lambda s, a: further(a, 2) if s.name == "S2" and a.kind.writes else a), "behind a write")


def test_a_copy_that_is_read_before_it_is_made() -> None:
    scop = compiled(SHIFT).scops[0]
    copying, rest = (
        scop.schedule.intersect_domain(scop.schedule.get_domain().intersect(isl.UnionSet(f"[n] -> {{ {text} }}")))
        for text in ("S1[i]", "S0[]; S2[i]")
    )
    refused(replace(scop, schedule=rest.sequence(copying)), "before it is made")


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < n; i++) x[i][0] = x[i + 1][0];",
        "for (int i = 0; i < n; i++) x[i][m - 1] = x[i + 1][m - 1];",
        "for (int j = 0; j < m - 1; j++) x[0][j] = x[0][j + 1];",
    ],
)
def test_a_column_of_rows_that_may_be_empty(body: str) -> None:
    """At sizes without such an element C does not say what is read."""
    head = "void f(int n, int m, float x[static const restrict n + 1][m]) {\n#pragma scop\n"
    done = compile_source(SourceFile("f.c", f"{head}{body}\n#pragma endscop\n}}\n"), CompileOptions(), "cuda")
    assert [kernel.shape.value for kernel in done.programs[0].kernels()] == ["parallel"] * 2
