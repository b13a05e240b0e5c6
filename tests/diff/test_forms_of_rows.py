"""Which form of a kernel has a row in registers: some lanes of a warp, few warps with many chunks, many with few."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from pencilc.verify.command import VerifySettings, verify
from pencilc.verify.launched import launched_calls
from tests.diff.test_requests import SCALED
from tests.diff.test_tiles import set_multiprocessors


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        pytest.param(40, 1100, id="the most chunks, where every thread has them"),
        pytest.param(3, 1100, id="many warps, where rows are few", marks=pytest.mark.full),
        pytest.param(300, 20, id="some lanes of a warp"),
        pytest.param(300, 500, id="a warp", marks=pytest.mark.full),
        pytest.param(11, 8191, id="a block", marks=pytest.mark.full),
    ],
)
def test_rows_are_right_in_the_form_for_their_number(rows: int, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one multiprocessor few rows fill the device."""
    set_multiprocessors(monkeypatch, 1)
    settings = VerifySettings(sizes={"rows": (rows,), "columns": (columns,)}, orders=("fwd", "rand:3"))
    report = verify(SourceFile("scaled.c", SCALED), CompileOptions(), settings)
    assert report.ok, report.table()
    assert all(row.status == "ok" for row in report.rows)


@pytest.mark.parametrize(("rows", "threads"), [(8192, 16 * 132 * 128), (200, 200 * 256)])
def test_rows_that_fill_the_device_have_the_most_chunks_for_a_thread(rows: int, threads: int) -> None:
    """Rows of 1024 chunks: eight for each of 128 threads, or four for each of 256."""
    done = compile_source(SourceFile("scaled.c", SCALED), CompileOptions())
    ((call,),) = launched_calls(done, {"rows": (rows,), "columns": (4096,)}).values()
    assert [(kernel.kernel, kernel.threads.most) for kernel in call.kernels] == [("scaled_stitched0", threads)]
