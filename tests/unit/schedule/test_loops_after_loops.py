"""Reductions of one variable in loops behind each other: which kernels come of them."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from tests.conftest import ROOT

PROGRAM = "tests/diff/programs/loops_after_loops.c"
# The shapes of the kernels of each function, each kernel of one thread by itself among them.
SHAPES = {
    "on": ["all"] * 4,
    "between": ["all"] * 2,  # the loops of one length share one, whatever stands between them
    "flags": ["all"] * 2,
    "rows": ["all", "all", "row", "row"],
    "left": ["all", "single", "all"],
    "deeper": ["row"] * 3 + ["all"] * 3,
    "several": ["all"] * 2,
    "beside": ["all"],
    "stepped": ["parallel"] * 2,
    "once": ["single"],
}


@pytest.fixture(scope="module")
def found() -> dict[str, list[str]]:
    file = SourceFile(PROGRAM, (ROOT / PROGRAM).read_text())
    done = compile_source(file, CompileOptions(), "mapping")
    assert not any(program.sequential for program in done.programs)
    shapes = [[kernel.shape.value for kernel in program.kernels()] for program in done.programs]
    return dict(zip((scop.name for scop in done.scops), shapes, strict=True))


@pytest.mark.parametrize("name", SHAPES)
def test_kernels(name: str, found: dict[str, list[str]]) -> None:
    assert found[name] == SHAPES[name]
