"""Every statement of a finished program runs exactly once, and shapes have what they need."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.gpu.storage.transfer import copied
from pencilc.gpu.verifiers.statements import verify_fused, verify_kernel, verify_mapping, verify_rows
from pencilc.ir.mapping import MappedProgram, Stitched
from pencilc.ir.shapes import ColumnKernel, Kernel, Loads, RowKernel
from tests.unit.gpu.fusion.members import stitched
from tests.unit.gpu.kernels import by_hand
from tests.unit.records import BINS, ROW_SUMS, SOFTMAX, SUM, part_of, timed

TWO = "FOR(i, n) a[i] = b[i]; FOR(i, n) c[i] = a[n - 1 - i];"


def program(body: str) -> MappedProgram:
    """The finished program."""
    return copied(timed(body))


def refused(done: MappedProgram, message: str) -> None:
    """The verifier refuses the program."""
    with pytest.raises(CompilerBug, match=message):
        verify_mapping(done)


@pytest.mark.parametrize("body", [SUM, ROW_SUMS, BINS, SOFTMAX, TWO, "int k;"])
def test_what_the_passes_make(body: str) -> None:
    verify_mapping(program(body))


def test_a_statement_that_is_lost_or_there_twice() -> None:
    done = program(TWO)
    refused(replace(done, items=done.items[1:]), "S0 is in 0 kernels and belongs in 1")
    refused(replace(done, items=(*done.items, done.items[0])), "S0 is in 2 kernels")


def test_an_initialisation_that_bins_need() -> None:
    done = program(BINS)
    refused(replace(done, items=done.items[1:]), "S0 is in 0 kernels")


def test_a_region_in_one_thread_is_not_looked_at() -> None:
    done = program(TWO)
    verify_mapping(replace(done, items=(), sequential="for a reason"))


def test_rows_that_are_dealt_out_are_parallel() -> None:
    (row,) = part_of(SUM, "S2").reduced
    verify_rows("k", (), (row,))
    for kept, reduced in (((row,), ()), ((), (replace(row, flag="s"),))):
        with pytest.raises(CompilerBug, match="not parallel"):
            verify_rows("k", kept, reduced)


def test_what_shapes_need() -> None:
    verify_kernel(by_hand(RowKernel))
    faults: list[tuple[Kernel, str]] = [
        (by_hand(RowKernel, loads=Loads(width=4)), "chunks without a vector access"),
        (by_hand(ColumnKernel), "a column reduction needs boxes"),
    ]
    for kernel, message in faults:
        with pytest.raises(CompilerBug, match=message):
            verify_kernel(kernel)


def broken(change: Stitched, message: str) -> None:
    """The verifier refuses the stitched kernel."""
    with pytest.raises(CompilerBug, match=message):
        verify_fused(change, {})


def test_stages_do_the_work_of_the_kernels_that_they_stand_for() -> None:
    done = stitched(SOFTMAX)
    verify_fused(done, {})
    broken(replace(done, stages=done.stages[:-1]), "instead of")
    broken(replace(done, stages=(*done.stages, done.stages[-1])), "instead of")
    verify_fused(replace(done, stages=(*done.stages, done.stages[-1])), {}, {"S6"})


def test_registers_have_a_lifetime() -> None:
    done = stitched(SOFTMAX)
    first, *rest = done.promoted
    for changed in (replace(first, last=9), replace(first, first=2, last=1)):
        broken(replace(done, promoted=(changed, *rest)), "has no lifetime")
