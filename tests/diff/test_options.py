"""Every option that changes the code, on every sample: pencilc compiles it, and nvcc takes what it writes.

`make test` takes each sample with one option, in turns, and a fixed selection through nvcc; `make test-full` all.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from pencilc.verify.command import VerifySettings, verify
from tests.conftest import Sample, run, samples
from tests.diff.test_programs import sizes_of

PLAIN = CompileOptions()
OPTIONS = {
    "sum-kahan": replace(PLAIN, sums="kahan"),
    "sum-pairwise": replace(PLAIN, sums="pairwise"),
    "fixed-tree": replace(PLAIN, determinism="fixed-tree"),
    "fixed-tree-kahan": replace(PLAIN, determinism="fixed-tree", sums="kahan"),
    "fixed-tree-pairwise": replace(PLAIN, determinism="fixed-tree", sums="pairwise"),
    "any-order": replace(PLAIN, determinism="none"),
    "any-order-kahan": replace(PLAIN, determinism="none", sums="kahan"),
    "as-written": replace(PLAIN, shifted_sums="as-written"),
    "fuse-none": replace(PLAIN, fuse="none"),
    "fuse-pairwise": replace(PLAIN, fuse="pairwise"),
    "fuse-max": replace(PLAIN, fuse="max"),
    "associative": replace(PLAIN, associative_math=True),
    "detected": replace(PLAIN, associative_math=True, autodetect=True),
}
# What `make test` shows to nvcc: sums of every kind with the options that carry them otherwise, bins without an order.
SELECTED = {
    ("softmax", "sum-kahan"), ("variance", "sum-pairwise"), ("norms", "fixed-tree-kahan"), ("attention", "as-written"),
    ("batch_norm", "any-order-kahan"), ("histogram", "any-order"), ("subgraphs", "fuse-max"),
}  # fmt: skip
STRICT = ("-arch=sm_80", "-Xcicc", "-O0", "-Werror", "all-warnings", "-ptx")


def pairs(is_fast: dict[tuple[str, str], bool]) -> list[object]:
    """A parameter for each sample and option; those that are not fast are left to `make test-full`."""
    found: list[object] = []
    for sample in samples():
        for name in OPTIONS:
            marks = () if is_fast.get((sample.name, name)) else (pytest.mark.full,)
            found.append(pytest.param(sample, name, marks=marks, id=f"{sample.name}-{name}"))
    return found


def cuda(sample: Sample, option: str) -> str:
    """The generated text."""
    return compile_source(SourceFile(sample.path, sample.text), OPTIONS[option]).cuda


IN_TURNS = {(sample.name, list(OPTIONS)[k % len(OPTIONS)]): True for k, sample in enumerate(samples())}


@pytest.mark.parametrize(("program", "option"), pairs(IN_TURNS))
def test_compiles(program: Sample, option: str) -> None:
    assert cuda(program, option)


@pytest.mark.parametrize(("program", "option"), pairs(dict.fromkeys(SELECTED, True)))
def test_nvcc(program: Sample, option: str, nvcc: str, tmp_path: Path) -> None:
    source = tmp_path / "out.cu"
    source.write_text(cuda(program, option))
    result = run(nvcc, *STRICT, source, "-o", tmp_path / "out.ptx")
    assert result.returncode == 0, result.stderr


BINS = """#include <pencil.h>
static void zero(double *x) { *x = 0; }
static double add(double a, double b) { return a + b; }
void f(int n, const double w[static const restrict n], double b[static const restrict 262144])
{
    for (int i = 0; i < 262144; i++) __pencil_reduction_var_init(&b[i], zero);
    for (int i = 0; i < n; ++i) __pencil_reduction(&b[i % 262144], w[i], add);
}
"""


@pytest.mark.parametrize("option", ["any-order", "fixed-tree"])
def test_more_bins_than_shared_memory_holds(option: str, nvcc: str, tmp_path: Path) -> None:
    """Only the form for bins in global memory is generated: nothing of the other one is left over."""
    test_nvcc(Sample("bins", "bins.c", BINS), option, nvcc, tmp_path)


@pytest.mark.parametrize("option", ["sum-kahan", "sum-pairwise"])
def test_sums_of_mixed_types_and_shifted_sums(option: str, nvcc: str, tmp_path: Path, root: Path) -> None:
    path = Path("tests/diff/programs/sums_mixed.c")
    program = Sample(path.stem, path.as_posix(), path.read_text())
    test_nvcc(program, option, nvcc, tmp_path)
    settings = VerifySettings(sizes=sizes_of(program.text), orders=("rand:3",))
    report = verify(SourceFile(program.path, program.text), OPTIONS[option], settings)
    assert report.ok, report.table()
