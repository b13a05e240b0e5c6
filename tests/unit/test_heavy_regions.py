"""Regions that isl cannot analyse in time run in one thread, and a file may hold a few of them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pencilc.diagnostics.diagnostic import SourceErrors
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.gpu.fusion import greedy
from pencilc.gpu.fusion.families import Family
from pencilc.gpu.fusion.stitch import Stitcher
from pencilc.ir.mapping import Stitched
from pencilc.ir.shapes import Kernel
from pencilc.options import CompileOptions
from pencilc.parts.part import Part
from pencilc.poly.dependences import relaxed


def regions(count: int) -> SourceFile:
    body = "#pragma scop\n    for (int i = 1; i < n; i++)\n        a[i] = a[i - 1];\n#pragma endscop"
    functions = (f"void f{k}(int n, float a[static const restrict n])\n{{\n{body}\n}}\n" for k in range(count))
    return SourceFile("many.c", "#include <pencil.h>\n" + "".join(functions))


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """isl may do next to nothing for the dependences of a region."""
    monkeypatch.setattr(relaxed, "_QUOTA", 1)
    monkeypatch.setattr(relaxed, "_LEAST", 1)


@pytest.mark.usefixtures("impatient")
def test_a_few_run_in_one_thread() -> None:
    done = compile_source(regions(4), CompileOptions())
    said = [d for d in done.diagnostics if d.code == "PC0701"]
    assert len(said) == 4
    assert all("take too long to find" in d.message for d in said)


@pytest.mark.usefixtures("impatient")
def test_more_are_too_many() -> None:
    with pytest.raises(SourceErrors) as errors:
        compile_source(regions(6), CompileOptions())
    told = [d for d in errors.value.diagnostics if d.code == "PC0006"]
    assert [(d.span.line, d.message.partition(":")[0]) for d in told] == [
        (30, "more than 3 regions of the file whose dependences take isl too long to find")
    ]


def test_ordinary_regions_are_no_concern() -> None:
    assert compile_source(regions(6), CompileOptions(), "dependences").dependences[5].unknown == ""


def rows(count: int) -> SourceFile:
    """A row is divided by its sum again and again: two kernels each time, which all have the same rows."""
    each = (
        "        {\n            float s;\n            __pencil_reduction_var_init(&s, zero);\n"
        "            for (int j = 0; j < m; j++)\n                __pencil_reduction(&s, a[i][j], add);\n"
        "            for (int j = 0; j < m; j++)\n                a[i][j] = a[i][j] / s;\n        }\n"
    )
    return SourceFile(
        "rows.c",
        "#include <pencil.h>\nstatic void zero(float *v) { *v = 0; }\n"
        "static float add(float a, float b) { return a + b; }\n"
        "void f(int n, int m, float a[static const restrict n][m])\n"
        f"{{\n#pragma scop\n    for (int i = 0; i < n; i++) {{\n{each * count}    }}\n#pragma endscop\n}}\n",
    )


def test_long_runs_are_not_stitched_end_by_end(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[int] = []
    stitch = Stitcher.stitch

    def counted(self: Stitcher, family: Family, members: Sequence[tuple[Part, Kernel]]) -> Stitched:
        built.append(len(members))
        return stitch(self, family, members)

    monkeypatch.setattr(greedy, "NEAR", 4)
    monkeypatch.setattr(Stitcher, "stitch", counted)
    compile_source(rows(10), CompileOptions())
    assert 11 in built  # all of them in one
    assert len(built) < 8  # instead of one for each of the kernels that it might have ended with
