"""Regions that isl cannot analyse in time run in one thread, and a file may hold a few of them."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.diagnostic import SourceErrors
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
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
