"""Loops whose bounds are read from arrays: what they are mapped to, and the same results as the sequential C."""

from __future__ import annotations

from pathlib import Path

import pytest

from pencilc import driver
from pencilc.diagnostics.source import SourceFile
from pencilc.ir.shapes import Shape
from pencilc.options import CompileOptions
from pencilc.verify.cudacpu import environment
from tests.conftest import PENCILC, ROOT, run

SOURCE = ROOT / "tests" / "diff" / "ragged.c"

SHAPES = {
    "total": [Shape.ALL],  # all rows together
    "begins": [Shape.ROW],  # the bounds are locals
    "lengths": [Shape.ROW],  # a plain sum, one bound affine, a condition on the iterator
    "lse": [Shape.ROW],
    "block": [Shape.PARALLEL],  # four sums side by side: a thread for each of them
    "nested": [Shape.ROW],  # the bounds of the inner loop need the iterator of the outer one
    "unknown": [Shape.ROW],  # nothing tells how long rows are on average
    "lone": [Shape.ALL],
    "columns": [Shape.PARALLEL],
    "histo": [Shape.PARALLEL, Shape.INDIRECT],  # a transposed product: the bins are in other rows
}


def compiled(text: str) -> driver.Compilation:
    return driver.compile_source(SourceFile("ragged.c", text), CompileOptions())


def test_shapes(root: Path) -> None:
    done = compiled(SOURCE.read_text())
    found = {p.scheduled.scop.region.name: [k.shape for k in p.kernels()] for p in done.programs}
    assert {name: found[name] for name in SHAPES} == SHAPES


def test_verify(root: Path) -> None:
    sizes = ("--sizes=n=0,33,257", "--sizes=nnz=0,1009", "--sizes=m=33")
    result = run(*PENCILC, "verify", SOURCE, "--inputs", SOURCE.with_suffix(".inputs.py"), *sizes)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.full
def test_verify_several_rows_of_each_lane(monkeypatch: pytest.MonkeyPatch, root: Path) -> None:
    """More rows than a small device has lanes: what bounds a row is loaded while the row before it is worked on."""
    for name, value in environment(sm_count=1).items():
        monkeypatch.setenv(name, value)
    sizes = ("--sizes=n=1501", "--sizes=nnz=5003", "--sizes=m=33", "--order=rand:7")
    result = run(*PENCILC, "verify", SOURCE, "--inputs", SOURCE.with_suffix(".inputs.py"), *sizes)
    assert result.returncode == 0, result.stdout + result.stderr


BINS = ROOT / "tests" / "diff" / "ragged_bins.c"


def test_bins_are_parallel(root: Path) -> None:
    """Bins in ragged rows: no kernel of one thread, whatever lies around and inside of the rows."""
    for determinism in ("run", "none"):
        done = driver.compile_source(
            SourceFile("ragged_bins.c", BINS.read_text()), CompileOptions(determinism=determinism)
        )
        for program in done.programs:
            shapes = [k.shape for k in program.kernels()]
            assert Shape.INDIRECT in shapes and Shape.SINGLE not in shapes, program.scop.region.name


@pytest.mark.parametrize(
    ("determinism", "rows", "orders"),
    [
        ("run", "33", "rand:7"),
        *(pytest.param(d, "0,33", "fwd,rev,rand:7", marks=pytest.mark.full) for d in ("run", "fixed-tree", "none")),
    ],
)
def test_verify_bins(determinism: str, rows: str, orders: str, root: Path) -> None:
    sizes = (f"--sizes=n={rows}", "--sizes=nnz=0,1009", "--sizes=m=1,257", "--sizes=t=3", "--sizes=w=67")
    inputs = ("--inputs", BINS.with_suffix(".inputs.py"), f"--determinism={determinism}", f"--order={orders}")
    result = run(*PENCILC, "verify", BINS, *inputs, *sizes)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.full
def test_verify_many_bins(root: Path) -> None:
    """More bins than shared memory holds: atomics on them, or a sort whose length the host has to ask for."""
    sizes = ("--sizes=n=7", "--sizes=nnz=1009", "--sizes=m=70003", "--sizes=t=2", "--sizes=w=67")
    result = run(*PENCILC, "verify", BINS, "--inputs", BINS.with_suffix(".inputs.py"), "--order=rand:7", *sizes)
    assert result.returncode == 0, result.stdout + result.stderr


def test_nvcc(nvcc: str, tmp_path: Path, root: Path) -> None:
    for determinism in ("run", "none"):
        source = tmp_path / f"{determinism}.cu"
        options = CompileOptions(determinism=determinism)
        source.write_text(driver.compile_source(SourceFile("ragged_bins.c", BINS.read_text()), options).cuda)
        strict = ("-arch=sm_90", "-Xptxas", "-warn-spills", "-Werror", "all-warnings")
        result = run(nvcc, *strict, "-c", source, "-o", tmp_path / "out.o")
        assert result.returncode == 0, result.stderr


TWO = """#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
void f(int n, int m, int z, const int start[static const restrict n + 1], const int col[static const restrict z],
       int o[static const restrict m], int t[static const restrict m], int s[static const restrict n]) {
    for (int k = 0; k < m; k++) {
        __pencil_reduction_var_init(&o[k], zero);
        __pencil_reduction_var_init(&t[k], zero);
    }
    for (int i = 0; i < n; i++)
        for (int j = start[i]; j < start[i + 1]; j++)
            __pencil_reduction(&o[col[j]], j, add);
    for (int i = 0; i < n; i++)
        for (int j = start[i]; j < start[i + 1]; j++)
            __pencil_reduction(&t[col[j]], i, add);
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j < z; j++)
            __pencil_reduction(&s[i], col[j] * i, add);
    }
}
"""


def test_bins_in_ragged_rows_are_not_packed(nvcc: str, tmp_path: Path) -> None:
    """Their points are counted by launches before, which no part of a packed kernel has."""
    done = compiled(TWO)
    packed = {kernel.name for program in done.programs for pack in program.packed() for kernel in pack.kernels}
    assert not packed & {k.name for program in done.programs for k in program.kernels() if k.ragged is not None}
    (tmp_path / "two.cu").write_text(done.cuda)
    result = run(nvcc, "-arch=sm_80", "-Werror", "all-warnings", "-cubin", tmp_path / "two.cu", "-o", tmp_path / "two")
    assert result.returncode == 0, result.stderr


FORMS = ROOT / "tests" / "diff" / "ragged_forms.c"


def test_forms_are_rows(root: Path) -> None:
    """Bounds of any type, steps, loops downwards, conditions around: all are rows, none is left to one thread."""
    for program in compiled(FORMS.read_text()).programs:
        shapes = {k.shape for k in program.kernels()}
        expected = {Shape.PARALLEL, Shape.INDIRECT} if program.scop.region.name == "bins" else {Shape.ROW}
        assert shapes == expected, program.scop.region.name


def test_verify_forms(root: Path) -> None:
    sizes = ("--sizes=n=0,33", "--sizes=nnz=0,1009")
    result = run(*PENCILC, "verify", FORMS, "--inputs", FORMS.with_suffix(".inputs.py"), "--order=rand:7", *sizes)
    assert result.returncode == 0, result.stdout + result.stderr


ROW = """#include <pencil.h>
static void zero(float *v) {{ *v = 0.0f; }}
static float add(float a, float b) {{ return a + b; }}
void f(int n, int k, {kind} start[static const restrict n + 1], const float v[static const restrict k],
       float s[static const restrict n]) {{
    for (int i = 0; i < n; i++) {{
        __pencil_reduction_var_init(&s[i], zero);
        {loop} {{
            __pencil_reduction(&s[i], v[j], add);
            {more}
        }}
    }}
}}
"""


@pytest.mark.parametrize(
    ("kind", "loop", "more", "mapped"),
    [
        ("const int", "for (int j = start[i]; j < start[i + 1]; j++)", "", True),
        ("const unsigned", "for (unsigned j = start[i]; j < start[i + 1]; j++)", "", True),
        ("const unsigned", "for (int j = start[i]; j < start[i + 1]; j++)", "", True),  # an unsigned comparison
        ("const unsigned", "for (int j = start[i]; j <= start[i + 1]; j++)", "", False),
        ("const unsigned", "for (int j = start[i]; j >= start[i + 1]; j--)", "", False),
        ("const long", "for (long j = start[i]; j < start[i + 1]; j++)", "", True),
        ("const long", "for (int j = start[i]; j < start[i + 1]; j++)", "", True),  # the first value is converted
        ("const long", "for (unsigned j = start[i]; j < start[i + 1]; j++)", "", True),
        ("const int", "for (int j = start[i]; j >= start[i + 1]; j -= 2)", "", False),
        ("const int", "for (int j = start[i]; j != start[i + 1]; j++)", "", False),
        ("int", "for (int j = start[i]; j < start[i + 1]; j++)", "start[i] = 0;", False),
    ],
)
def test_forms(kind: str, loop: str, more: str, mapped: bool, root: Path) -> None:
    """Only bounds that keep their values in the counter and stay as they are make rows; the rest is no ROW kernel."""
    done = compiled(ROW.format(kind=kind, loop=loop, more=more))
    assert any(loop.is_ragged for s in done.scops[0].statements for loop in s.loops) == mapped
    assert any(k.shape is Shape.ROW for k in done.programs[0].kernels()) == mapped
