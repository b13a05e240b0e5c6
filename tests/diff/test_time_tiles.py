"""Tiles of several iterations: what is lost where a halo is too small, a barrier missing or a buffer the wrong one."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.options import CompileOptions
from pencilc.verify.command import Generated, VerifySettings, verify_generated
from pencilc.verify.executors import CpuExecutor
from pencilc.verify.forms import IN_TIME, forms_of
from pencilc.verify.report import VerifyReport
from tests.diff.test_capture import _with_capture
from tests.unit.codegen.in_time import JACOBI

# A pattern of the program, and what takes its place.
MUTANTS = {
    "halo-one-too-small": (r"left \* 2 \+ 1", "left * 2"),
    "fetched-one-too-few": (r"const int below1 = -\(6\)", "const int below1 = -(5)"),
    "no-barrier-behind-what-is-fetched": (r"__syncthreads\(\);(\s+for \(int step)", r"\1"),
    "no-barrier-behind-a-step": (r"(for \(int step.+?)__syncthreads\(\);", r"\1"),
    "borders-of-the-other-buffer": (r": a\[", ": a_taken["),
    "not-swapped": (r"a_taken = a_left;\s+a_left = swapped0;", "(void)swapped0;"),
    "an-odd-number-of-launches": (r"/ 6 \* 2;", "/ 6 * 2 + 1;"),
    "an-iteration-too-few": (r"\(launch < iterations % launches\)", "0"),
    "the-other-array-never-stored": (r"is_last = launch == launches - 1", "is_last = false"),
}
SIZES = {"n": (5, 12), "steps": (2, 6, 7)}  # of one iteration in a launch, three, and one or two


@cache
def compilation() -> Compilation:
    return compile_source(SourceFile("jacobi.c", JACOBI), CompileOptions())


@cache
def in_time() -> str:
    """The program that always goes in tiles, of 3 x 5 elements and up to three iterations."""
    (cuda,) = (each.cuda for each in forms_of(compilation()) if each.name == IN_TIME)
    return cuda


def verified(text: str) -> VerifyReport:
    settings = VerifySettings(sizes=SIZES, orders=("rand:7",), timeout_s=20)
    executor = CpuExecutor(settings.orders, "check")
    return verify_generated(Generated(compilation().parsed, text, None), CompileOptions(), settings, executor)


@pytest.mark.full
@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_is_found(name: str) -> None:
    pattern, replacement = MUTANTS[name]
    changed = re.sub(pattern, replacement, in_time(), count=0 if name != "no-barrier-behind-a-step" else 1, flags=re.S)
    assert changed != in_time() and not verified(changed).ok


@pytest.mark.full
def test_iterations_share_launches() -> None:
    report = verified(in_time())
    assert report.ok, report.table()
    assert {row.launches for row in report.rows} == {2, 4}  # of 2 and of 6 iterations, and of 7


@pytest.mark.full
def test_captured_and_replayed(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.touch()
    report = verified(_with_capture(in_time(), notes))
    assert report.ok and not notes.read_text(), report.table()
