"""Which forms of a ROW kernel are written where it stands for a stitched one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.codegen.frame import KernelFrame
from pencilc.codegen.long_only import leaves_blocks_only
from pencilc.ir.mapping import Stitched
from pencilc.ir.shapes import RowKernel
from tests.unit.codegen.programs import functions, kernel, program
from tests.unit.records import ROW_SUMS, SOFTMAX


def fallback() -> tuple[Stitched, RowKernel, KernelFrame]:
    """A stitched kernel of rows of at most 8192 elements, 2048 where rows are few, and what sums longer ones.

    Few rows are not given to larger blocks.
    """
    made = program(SOFTMAX)
    (stitched,) = made.stitched()
    sums = next(each for each in stitched.fallback.kernels if isinstance(each, RowKernel))
    return replace(stitched, wide=()), sums, KernelFrame(replace(made, storage=made.storage_in(sums)), sums)


def test_what_a_stitched_kernel_leaves_goes_to_blocks() -> None:
    shapes = [made.shape for made in functions(SOFTMAX).values()]
    assert "row_blocks" in shapes and not {"row_short", "row_warps", "row_lanes"} & set(shapes)


def test_rows_of_their_own_keep_all_forms() -> None:
    assert [made.shape for made in functions(ROW_SUMS).values()] == ["row_short", "row_warps", "row_blocks"]


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"block_length": 8193}, True),
        ({"block_length": 8194}, False),
        ({"block_length": 8193, "scarce_length": 2048}, True),
        ({"block_length": 8193, "scarce_length": 2049}, False),
        ({"block_length": 2049, "scarce_rows_per_sm": 0}, True),
        ({"block_length": 2050, "scarce_rows_per_sm": 0}, False),
    ],
)
def test_the_shortest_row_decides(changed: dict[str, int], expected: bool) -> None:
    stitched, sums, frame = fallback()
    assert leaves_blocks_only(stitched, sums, replace(sums.launch, **changed), frame) is expected


def test_few_rows_that_larger_blocks_leave_are_longer() -> None:
    stitched, sums, frame = fallback()
    launch = replace(sums.launch, block_length=8193, scarce_length=2049)
    assert not leaves_blocks_only(stitched, sums, launch, frame)
    assert leaves_blocks_only(replace(stitched, wide=(2, 4)), sums, launch, frame)


@pytest.mark.parametrize(("block_length", "expected"), [(2049, True), (2050, False)])
def test_a_fixed_tree_has_no_rule_for_few_rows(block_length: int, expected: bool) -> None:
    stitched, sums, frame = fallback()
    launch = replace(sums.launch, block_length=block_length)
    assert leaves_blocks_only(stitched, sums, launch, frame)
    assert leaves_blocks_only(stitched, replace(sums, workers=64), launch, frame) is expected


def test_rows_of_another_length_may_be_short() -> None:
    stitched, _, _ = fallback()
    made, other = kernel("FOR(i, n) { INIT(&a[i], zero); FOR(j, 64) UPDATE(&a[i], x[i][j], add); }")
    assert isinstance(other, RowKernel)
    assert not leaves_blocks_only(stitched, other, other.launch, KernelFrame(made, other))


def test_where_threads_have_neighbouring_rows_all_forms_stay() -> None:
    stitched, sums, frame = fallback()
    assert leaves_blocks_only(stitched, sums, sums.launch, frame)
    assert not leaves_blocks_only(replace(stitched, across=True), sums, sums.launch, frame)
