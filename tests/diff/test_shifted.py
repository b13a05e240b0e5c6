"""Sums that are accumulated before their shift is known: their errors, special values, and where they are none."""

from __future__ import annotations

import math
import os
import subprocess
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from pencilc.verify import cudacpu

HERE = Path(__file__).parent / "orders"
# What is shown of these is the sum itself, not its error.
SPECIAL = ("equal", "all-minus-infinite", "mostly-minus-infinite", "one-infinite", "no-number", "nearly-infinite")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shifted")
    path = HERE / "shifted.c"
    compiled = compile_source(SourceFile(path.name, path.read_text()), CompileOptions())
    assert all(program.scop.stands_for for program in compiled.programs)
    source = folder / "shifted.cu"
    source.write_text(compiled.cuda + (HERE / "shifted.cu").read_text())
    cudacpu.build(source, folder / "shifted", extra=("-O1",))
    return folder / "shifted"


@pytest.mark.parametrize("multiprocessors", [1, 4])
def test_errors(program: Path, multiprocessors: int) -> None:
    """No sum is worse than the loops are, or than a few units of the last place."""
    variables = {**os.environ, **cudacpu.environment(sm_count=multiprocessors)}
    result = subprocess.run([str(program)], env=variables, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    seen = set()
    for line in result.stdout.splitlines():
        name, *figures = line.split()
        got, written = map(float, figures)
        kind = name.partition("-")[2]
        seen.add(kind)
        if kind in SPECIAL:
            assert got == written or (math.isnan(got) and math.isnan(written)), line
        else:
            assert got <= max(written, 8.0), line
    assert len(seen) == len(SPECIAL) + 9
