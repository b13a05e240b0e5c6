"""What is told of kernels in which one thread runs loops, and of loops that wait for the device."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from pencilc.diagnostics.causes import NOT_AFFINE, OUT_OF_BOUNDS
from pencilc.diagnostics.diagnostic import Diagnostic, Severity
from pencilc.diagnostics.source import UNKNOWN_SPAN, Span
from pencilc.gpu.report.warnings import sequential_warnings, tuning_warnings, waiting_warnings
from pencilc.ir.build import symbol
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.scop import Candidate, Loop, StatementKind
from pencilc.options import CompileOptions, Tuning
from tests.unit.codegen.programs import program
from tests.unit.records import BINS, HEAD, ROW_SUMS

RECURRENCE = "for (int i = 1; i < n; i++) a[i] = 0.5f * a[i - 1] + b[i];"
HALF_KNOWN = "FOR(i, n) a[p[i]] = a[i] + 1;"
WHERE = HEAD.count("\n") + 1


def warned(made: MappedProgram, *candidates: Candidate, before: tuple[Diagnostic, ...] = ()) -> list[Diagnostic]:
    """What is told of the region."""
    return [*sequential_warnings(made, (), before, candidates)]


def update(operator: str, variable: str = "a", **fields: Any) -> Candidate:
    """A plain update that is only kept in order for its rounding, where the recurrence stands."""
    (statement,) = program(RECURRENCE).scop.statements
    return Candidate(variable, operator, "rounding", statement.span, ("say so",), **fields)


def test_what_is_parallel_is_not_told() -> None:
    assert not warned(program(ROW_SUMS)) and not warned(program(BINS))


def test_the_dependence_that_holds_a_loop_is_told_with_a_pair_of_iterations() -> None:
    (found,) = warned(program(RECURRENCE))
    assert (found.code, found.severity, found.span.line) == ("PC0701", Severity.WARNING, WHERE)
    assert "one GPU thread runs it (each iteration needs the one before it)" in found.message
    assert found.label == "iteration i = 1 writes `a` here"
    assert found.notes[0] == "iteration i = 2 needs what iteration i = 1 writes, through `a`"
    assert found.helps[0].startswith("if the values of before the loop will do, let it read `a`")


def test_what_is_only_possible_may_be_said_to_be_none() -> None:
    (found,) = warned(program(HALF_KNOWN))
    assert "`#pragma pencil independent` before the loop over `i`" in found.helps[0]


def test_a_mark_that_has_no_effect_because_data_decide_the_bounds() -> None:
    body = "FOR(k, m - 1) {\n#pragma pencil independent\nfor (int i = q[k]; i < q[k + 1]; i++) a[i] = a[i] + 1;\n}"
    (found,) = warned(program(body))
    assert found.helps[0].startswith("`independent` before the loop over `i` has no effect")
    assert "ask `if (q[k] <= i && i < q[k + 1])` in it" in found.helps[0]


def test_a_cause_that_was_told_is_not_told_again() -> None:
    made = program(HALF_KNOWN)
    (found,) = warned(made)
    outside = Diagnostic(Severity.ERROR, OUT_OF_BOUNDS, "outside", found.span)
    affine = Diagnostic(Severity.WARNING, NOT_AFFINE, "`p[i]` is not affine", found.span, helps=("one", "or two"))
    assert not warned(made, before=(outside,))
    (told,) = warned(made, before=(affine,))
    assert "(`p[i]` is not affine)" in told.message and told.helps[1:3] == ("or, one", "or, two")


def test_a_sum_that_is_kept_in_order_for_its_rounding_is_told_as_such() -> None:
    made = program(RECURRENCE)
    (found,) = warned(made, update("+"))
    assert "(another order would change the rounding of `a`)" in found.message and found.helps == ("say so",)
    (found,) = warned(made, update("max"))
    assert "would change `a` where an element is not a number" in found.message
    (found,) = warned(made, update("max"), update("+", "b"))
    assert "the rounding of `b`)" in found.message, "sums and products before selections"
    (found,) = warned(made, replace(update("+"), span=UNKNOWN_SPAN))
    assert "rounding" not in found.message


def test_a_loop_that_data_end_is_told_once() -> None:
    loops = (Loop(3, symbol("i"), 1, False), Loop(4, symbol("j"), 1, False))
    span = Span("f.c", 7, 1, 2)
    kinds = {"S0": StatementKind.ORDINARY, "S1": StatementKind.LEAVE, "S2": StatementKind.LEAVE}
    statements = {
        name: SimpleNamespace(kind=kind, loops=loops, span=span, never_leaves=False) for name, kind in kinds.items()
    }
    kernels = (SimpleNamespace(statements=("S0", "S1")), SimpleNamespace(statements=("S2",)))
    made: Any = SimpleNamespace(kernels=lambda: kernels, scop=SimpleNamespace(statement=statements.__getitem__))
    (found,) = waiting_warnings(made)
    assert (found.code, found.span) == ("PC0703", span) and "waits for the device" in found.message
    statements["S2"].loops = loops[:1]
    assert len([*waiting_warnings(made)]) == 2
    statements["S2"].never_leaves = True
    assert len([*waiting_warnings(made)]) == 1


@pytest.mark.parametrize(("kernel", "codes"), [("k", []), ("other", ["PC0802"])])
def test_tuning_data_of_no_kernel_is_told(kernel: str, codes: list[str]) -> None:
    made: Any = SimpleNamespace(tunable=lambda: (SimpleNamespace(name="k"),))
    options = CompileOptions(tuning=Tuning(((kernel, ()),)), tuning_file="t.json")
    found = [*tuning_warnings((made,), options)]
    assert [each.code for each in found] == codes and all(each.span.path == "t.json" for each in found)


@pytest.mark.parametrize(
    ("body", "promise"),
    [
        ("for (int i = 0; i < m; i++) a[i + n] += a[i];", "n >= 1 && n >= m"),
        ("for (int i = n; i < m; i++) a[i] = 2 * a[i - n];", "n >= 1 && 2 * n >= m"),
        ("for (int i = 0; i < m; i++) a[i] = 2 * a[n - 1 - i];", "n >= 2 && n + 1 >= 2 * m"),
        (RECURRENCE, ""),
        ("for (int i = m; i < n; i++) a[i] = 2 * a[i - 1];", ""),
    ],
)
def test_the_sizes_that_keep_iterations_apart_are_told(body: str, promise: str) -> None:
    (found,) = warned(program(body))
    assert ("keep its iterations apart" in found.helps[0]) == bool(promise)
    assert f"__pencil_assume({promise});" in found.helps[0] or not promise
    assert not promise or not warned(program(f"__pencil_assume({promise}); {body}"))
