"""Which floating sums stay plain although more is asked for, and what is told of them."""

from __future__ import annotations

from pencilc.gpu.report.sums import plain_sums
from pencilc.gpu.report.warnings import sum_warnings, tuning_warnings
from pencilc.options import CompileOptions, Tuning
from tests.unit.codegen.programs import program
from tests.unit.records import ROW_SUMS, SUM

PAIRWISE = CompileOptions(sums="pairwise")
FILLED = "FOR(k, 40) INIT(&b[k], zero); FOR(i, n) UPDATE(&b[p[i]], a[i], add);"


def plain(body: str, options: CompileOptions = PAIRWISE) -> list[str]:
    return [each.array for each in plain_sums(program(body, options))]


def test_what_threads_carry_is_reached() -> None:
    assert plain(SUM) == plain(ROW_SUMS) == []


def test_what_goes_to_bins_is_summed_as_it_comes() -> None:
    assert plain(FILLED) == ["b"] and plain(FILLED, CompileOptions()) == []


def test_each_of_them_is_told_once() -> None:
    (warning,) = sum_warnings(program(FILLED, PAIRWISE))
    assert warning.code == "PC0702" and "`--sum=pairwise` does not reach it" in warning.message
    assert not list(sum_warnings(program(SUM, PAIRWISE)))


def test_tuning_data_speaks_of_kernels_that_there_are() -> None:
    made = program(SUM)
    known, unknown = (CompileOptions(tuning=Tuning(((name, ()),))) for name in ("f_all0", "f_row7"))
    assert not list(tuning_warnings((made,), known))
    assert [each.code for each in tuning_warnings((made,), unknown)] == ["PC0802"]
