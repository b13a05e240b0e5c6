"""How many runs a reduction has, and how long they are."""

from __future__ import annotations

from dataclasses import replace

from pencilc.codegen.runs import runs_of
from pencilc.ir.kernel import RunCounts
from pencilc.ir.shapes import RowKernel
from tests.unit.codegen.programs import instances, told
from tests.unit.records import ROW_SUMS, SUM

RAGGED = "FOR(i, n) { INIT(&a[i], zero); for (int j = p[i]; j < q[i]; j++) UPDATE(&a[i], c[j], add); }"
TWICE = "FOR(i, n) { INIT(&a[i], zero); FOR(j, m) for (int k = j; k < m; k++) UPDATE(&a[i], x[j][k], add); }"


def runs(body: str) -> RunCounts:
    frame, writer = instances(body)
    return runs_of(frame, writer.base)


def test_a_box_is_one_run() -> None:
    assert (told(*runs(SUM).loops), told(runs(SUM).length)) == ([], ["n"])
    assert (told(*runs(ROW_SUMS).loops), told(runs(ROW_SUMS).length)) == ([], ["m"])


def test_rows_that_are_no_box_are_as_long_as_the_longest() -> None:
    found = runs(TWICE)
    assert told(*found.loops) == ["m"] and told(found.length) == ["m"]


def test_rows_whose_length_is_data_are_as_long_as_on_average() -> None:
    frame, writer = instances(RAGGED)
    assert told(runs(RAGGED).length) == ["n > 0 ? (long long)n / n : 0"]  # they read `n` elements altogether
    kernel = frame.kernel
    assert isinstance(kernel, RowKernel) and kernel.ragged is not None
    unknown = replace(kernel, ragged=replace(kernel.ragged, points=None))
    frame.kernel = unknown
    assert told(runs_of(frame, writer.base).length) == [str(unknown.launch.ragged_length)]
