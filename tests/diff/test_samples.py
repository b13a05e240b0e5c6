"""Layer 4: the generated CUDA, run on the CPU executor, against the sequential C."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.frontend import include_dir
from pencilc.options import CompileOptions
from pencilc.verify.command import VerifySettings, verify
from pencilc.verify.executors import CpuExecutor
from pencilc.verify.program import run_program
from pencilc.verify.sizes import SizeLimits
from samples.demo import tolerance_of
from tests.conftest import PENCILC, Sample, run


def test_verify(sample: Sample, root: Path) -> None:
    """In check mode, where races, bounds, uninitialised reads and barriers are watched, in three thread orders."""
    result = run(*PENCILC, "verify", sample.path, "--order=fwd,rev,rand:7")
    assert result.returncode == 0, result.stdout + result.stderr


def test_verify_in_one_order(sample: Sample, root: Path) -> None:
    """The same in one order without the largest sizes."""
    settings = VerifySettings(orders=("rand:7",), limits=SizeLimits(elements=2**15))
    report = verify(SourceFile(sample.path, sample.text), CompileOptions(), settings)
    assert report.ok, report.table()


@pytest.mark.parametrize("compiler", [c for c in ("gcc", "clang") if shutil.which(c)])
def test_no_warnings(sample: Sample, compiler: str, root: Path) -> None:
    """To a C compiler a sample is plain C99."""
    flags = ("-std=c99", "-Wall", "-Wextra", "-Wno-unknown-pragmas", "-Werror", f"-I{include_dir()}", "-fsyntax-only")
    result = run(compiler, *flags, sample.path)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    "defines", [pytest.param((), id="real", marks=pytest.mark.full), pytest.param(("INTEGER_DATA",), id="integer")]
)
def test_program(sample: Sample, defines: tuple[str, ...], root: Path) -> None:
    """Integer-valued data are summed exactly in every order, so not one digit may differ."""
    done = run_program(
        SourceFile(sample.path, sample.text),
        CompileOptions(defines=defines),
        CpuExecutor(("fwd",), "check"),
        tolerance=0.0 if defines else tolerance_of(sample.text),
    )
    assert "checksum" in done.sequential
    assert done.same, "\n".join(done.messages)
