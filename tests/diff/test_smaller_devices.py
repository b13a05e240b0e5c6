"""Files run on the devices they are chosen for, and on those that have less: another form where one does not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.options import CompileOptions
from pencilc.target import TARGETS, Target
from pencilc.verify.command import VerifySettings, verify
from pencilc.verify.cudacpu import environment

# Rows in registers and shared memory, over the whole grid, composed kernels, bins: sizes at which a form is on the edge
# of what a T4 has.
SIZES: dict[str, dict[str, tuple[int, ...]]] = {
    "softmax": {"rows": (5,), "columns": (33, 9001)},
    "variance": {"n": (33, 5000, 70003)},
    "attention": {"heads": (5,), "keys": (33, 257), "depth": (17,)},
    "histogram": {"n": (33, 5003)},
    "stats": {"n": (5003,)},
}
COLUMNS = {"p": (70,), "r": (1, 5, 70), "n": (1, 33)}
BINS = """
#include <pencil.h>
static int add(int a, int b) { return a + b; }
static void zero(int *v) { *v = 0; }
void bins(int n, const int a[static const restrict n], int h[static const restrict 20000])
{
#pragma scop
    for (int k = 0; k < 20000; k++)
        __pencil_reduction_var_init(&h[k], zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&h[(unsigned)a[i] % 20000u], 1, add);
#pragma endscop
}
"""


def set_device(monkeypatch: pytest.MonkeyPatch, device: Target, blocks_per_sm: int) -> None:
    """Make the executor a device with what `device` has, that holds so many blocks on a multiprocessor."""
    has = environment(
        shared_bytes=device.shared_per_block, threads_per_sm=device.threads_per_sm, blocks_per_sm=blocks_per_sm
    )
    for name, value in has.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.full if n in ("attention", "softmax") else ()) for n in SIZES]
)
def test_runs_on_a_t4(name: str, monkeypatch: pytest.MonkeyPatch, root: Path) -> None:
    set_device(monkeypatch, TARGETS["sm_75"], TARGETS["sm_75"].blocks_per_sm)
    path = f"samples/{name}.c"
    settings = VerifySettings(sizes=SIZES[name], orders=("rand:3",))
    report = verify(SourceFile(path, (root / path).read_text()), CompileOptions(), settings)
    assert report.ok, report.table()
    assert any(row.status == "ok" for row in report.rows)


@pytest.mark.parametrize("arch", TARGETS)
def test_runs_on_the_device_that_it_is_chosen_for(arch: str, monkeypatch: pytest.MonkeyPatch, root: Path) -> None:
    """Rows in registers, in shared memory and beyond, by what this device has of both."""
    set_device(monkeypatch, TARGETS[arch], TARGETS[arch].blocks_per_sm)
    path = "samples/variance.c"
    settings = VerifySettings(sizes={"n": (33, 70003)}, orders=("rand:3",))
    report = verify(SourceFile(path, (root / path).read_text()), CompileOptions(target=TARGETS[arch]), settings)
    assert report.ok, report.table()


def test_bins_that_only_the_large_device_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """80 KB of bins fit into a block of an H100 and not into one of a T4, where they stay in memory."""
    set_device(monkeypatch, TARGETS["sm_75"], TARGETS["sm_75"].blocks_per_sm)
    report = verify(SourceFile("bins.c", BINS), CompileOptions(), VerifySettings(sizes={"n": (5003,)}))
    assert report.ok, report.table()


def test_blocks_that_cannot_wait_for_each_other(monkeypatch: pytest.MonkeyPatch, root: Path) -> None:
    """One block on a multiprocessor where the grid is made for two: kernels one by one instead."""
    text = (root / "samples/variance.c").read_text()
    launches = {}
    for blocks in (32, 1):
        set_device(monkeypatch, TARGETS["sm_90"], blocks)
        settings = VerifySettings(sizes={"n": (20000,)}, orders=("fwd",))
        report = verify(SourceFile("samples/variance.c", text), CompileOptions(shifted_sums="as-written"), settings)
        assert report.ok, report.table()
        launches[blocks] = {row.launches for row in report.rows if row.function == "variance"}
    assert launches[32] == {1}
    assert launches[1] == {2}


def test_columns_of_one_multiprocessor(monkeypatch: pytest.MonkeyPatch, root: Path) -> None:
    """Few blocks fill it, so that a row of threads takes all columns of a block and combines nothing."""
    for name, value in environment(sm_count=1).items():
        monkeypatch.setenv(name, value)
    path = "tests/diff/programs/columns_few_rows.c"
    report = verify(
        SourceFile(path, (root / path).read_text()), CompileOptions(), VerifySettings(sizes=COLUMNS, orders=("rand:3",))
    )
    assert report.ok, report.table()
