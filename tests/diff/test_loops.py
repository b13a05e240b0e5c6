"""Loops in one launch: what is lost where a barrier is missing or a front begins too late, and what devices decide."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.options import CompileOptions
from pencilc.verify.command import Generated, VerifySettings, verify_generated
from pencilc.verify.cudacpu import environment
from pencilc.verify.executors import CpuExecutor
from pencilc.verify.forms import forms_of
from pencilc.verify.report import VerifyReport
from tests.diff.test_capture import _with_capture

TABLE = """
void table(int n, int m, int c[static const restrict n][m])
{
#pragma scop
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            c[i][j] = (c[i - 1][j] + c[i][j - 1] + 1) % 1000;
#pragma endscop
}
"""
# A pattern of the kernel, what takes its place, and the forms in which that must be found.
MUTANTS = {
    "no-barrier": (r"pencilc_meet\(barrier\);", ";", ("in one block", "in a grid")),
    "barrier-of-a-block": (r"pencilc_meet\(barrier\);", "__syncthreads();", ("in a grid",)),
    "front-begins-late": (r"for \(long long t0 = (.+?); t0 <", r"for (long long t0 = 1 + \1; t0 <", ("in one block",)),
    "front-ends-early": (r"(for \(long long t0 = .+?; t0) <", r"\1 + 1 <", ("in one block",)),
    "arrives-relaxed": ("__NV_ATOMIC_RELEASE", "__NV_ATOMIC_RELAXED", ("in a grid",)),
    "leaves-relaxed": ("__NV_ATOMIC_ACQUIRE", "__NV_ATOMIC_RELAXED", ("in a grid",)),
    "arrives-for-its-block": (r"(_RELEASE, __NV_THREAD_SCOPE)_DEVICE", r"\1_BLOCK", ("in a grid",)),
    "leaves-for-its-block": (r"(_ACQUIRE, __NV_THREAD_SCOPE)_DEVICE", r"\1_BLOCK", ("in a grid",)),
    "arrives-before-its-threads": (r"(unsigned \*barrier\)\n\{\n) +__syncthreads\(\);\n", r"\1", ("in a grid",)),
    "leaves-without-waiting": (r"while \(\(__nv_atomic_load_n", "if ((__nv_atomic_load_n", ("in a grid",)),
    "one-arrival-too-few": (r"\(gridDim.x - 1\)", "gridDim.x", ("in a grid",)),
    "one-block-alone": (r"\+ \(long long\)\(block_of_part \* blockDim.x \+", "+ (long long)(", ("in a grid",)),
}


@cache
def compilation() -> Compilation:
    return compile_source(SourceFile("table.c", TABLE), CompileOptions())


def verified(text: str, order: str = "rand:7") -> VerifyReport:
    settings = VerifySettings(sizes={"n": (34,), "m": (67,)}, orders=(order,), timeout_s=20)
    executor = CpuExecutor(settings.orders, "check")
    return verify_generated(Generated(compilation().parsed, text, None), CompileOptions(), settings, executor)


def in_kernel(text: str, pattern: str, replacement: str) -> str:
    """The text with a change in the kernel of the loop, its functions and building blocks."""
    begin, end = text.index("// ---- building blocks"), text.index("// ---- entry points")
    changed = re.sub(pattern, replacement, text[begin:end])
    assert changed != text[begin:end]
    return text[:begin] + changed + text[end:]


def cases() -> list[object]:
    """(mutant, form), the first of which `make test` tries."""
    pairs = [(name, form) for name, (_, _, forms) in MUTANTS.items() for form in forms]
    return [pytest.param(*pair, id="-".join(pair), marks=pytest.mark.full if k else ()) for k, pair in enumerate(pairs)]


@pytest.mark.parametrize(("name", "form"), cases())
def test_mutant_is_found(name: str, form: str) -> None:
    pattern, replacement, _ = MUTANTS[name]
    (cuda,) = (each.cuda for each in forms_of(compilation()) if each.name == form)
    assert not verified(in_kernel(cuda, pattern, replacement)).ok


def test_nothing_that_the_loop_writes_comes_through_the_read_only_cache() -> None:
    cuda = compilation().cuda
    heads = re.findall(r"^static .*table_loop0\w*\(.*\)$", cuda, flags=re.MULTILINE)
    assert len(heads) == 2 and not any("__restrict__" in head for head in heads)


@pytest.mark.full
def test_forms_have_one_launch(root: Path) -> None:
    launches = {form.name: {row.launches for row in verified(form.cuda).rows} for form in forms_of(compilation())}
    assert launches == {"in one block": {1}, "in a grid": {1}, "by launches": {33 + 66 - 1}}


@pytest.mark.full
def test_a_device_that_holds_no_block_keeps_the_loop_on_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    (cuda,) = (each.cuda for each in forms_of(compilation()) if each.name == "in a grid")
    for name, value in environment(threads_per_sm=16).items():
        monkeypatch.setenv(name, value)
    report = verified(cuda)
    assert report.ok and {row.launches for row in report.rows} == {98}, report.table()


@pytest.mark.full
@pytest.mark.parametrize("form", ["in one block", "in a grid", "by launches"])
def test_captured_and_replayed(form: str, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.touch()
    (cuda,) = (each.cuda for each in forms_of(compilation()) if each.name == form)
    report = verified(_with_capture(cuda, notes))
    assert report.ok and not notes.read_text(), report.table()


def test_the_report_tells_the_forms_and_why_there_are_none() -> None:
    from pencilc.report.text import report_text

    told = report_text(compilation())
    assert "table_loop0: all iterations in one launch" in told and "up to 512 points: one block" in told
    alone = compile_source(SourceFile("table.c", TABLE), replace(CompileOptions(), fuse="none"))
    assert "each iteration has its launches: kernels are launched one by one" in report_text(alone)
