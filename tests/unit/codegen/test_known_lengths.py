"""Forms for lengths that no row has are not written."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
import pytest

from pencilc.codegen.known_lengths import Lengths, holds_all_rows, idle_kernels, row_forms, stitched_forms
from pencilc.ir.launches import StitchedForms
from pencilc.ir.shapes import RowKernel
from tests.unit.codegen.programs import functions, program
from tests.unit.records import ROW_SUMS, SOFTMAX


def rows_of(text: str, least: int, most: int) -> str:
    """The program, with an assumption about the length of its rows."""
    return f"__pencil_assume(m >= {least} && m <= {most}); {text}"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (Lengths(0, None), (1, 2, 4)), (Lengths(64, 64), (1,)), (Lengths(0, 129), (1, 2)), (Lengths(129, 256), (2,)),
        (Lengths(257, None), (4,)), (Lengths(600, 600), ()), (Lengths(0, 1), (1,)),
    ],
)  # fmt: skip
def test_forms_are_the_first_that_hold_a_row(rows: Lengths, expected: tuple[int, ...]) -> None:
    assert rows.forms((1, 2, 4), 128) == expected


@pytest.mark.parametrize(
    ("least", "most", "shapes"),
    [
        (1, 64, ["row_short"]),
        (64, 64, ["row_short"]),
        (128, 128, ["row_short"]),
        (100, 300, ["row_short", "row_warps"]),
        (129, 512, ["row_warps"]),
        (130, 513, ["row_warps", "row_blocks"]),
        (2047, 2047, ["row_warps", "row_blocks"]),
        (2048, 9000, ["row_blocks"]),
        (1, 10**6, ["row_short", "row_warps", "row_blocks"]),
    ],
)
def test_rows_of_their_own(least: int, most: int, shapes: list[str]) -> None:
    made = functions(rows_of(ROW_SUMS, least, most)).values()
    assert [each.shape for each in made] == shapes


def test_the_rule_for_few_rows_is_none_of_a_fixed_trees() -> None:
    (found,) = program(ROW_SUMS).kernels()
    assert isinstance(found, RowKernel)
    assert row_forms(found, found.launch, Lengths(130, 513)).blocks
    assert not row_forms(replace(found, workers=64), found.launch, Lengths(130, 513)).blocks


@pytest.mark.parametrize(
    ("least", "most", "expected"),
    [
        (64, 64, StitchedForms((4,), (), 4)), (700, 700, StitchedForms((8,), (4,), 0)),
        (1500, 1500, StitchedForms((), (4,), 0)), (1, 8192, StitchedForms((4, 8), (4, 8), 4)),
    ],
)  # fmt: skip
def test_stitched_rows(least: int, most: int, expected: StitchedForms) -> None:
    made = program(rows_of(SOFTMAX, least, most))
    (stitched,) = made.stitched()
    assert stitched_forms(stitched, made.scop.context) == expected
    assert holds_all_rows(stitched, made.scop.context) == (most <= 2048)


def test_what_would_do_the_rows_that_are_left_is_not_written() -> None:
    made = program(rows_of(SOFTMAX, 1, 2048))
    (stitched,) = made.stitched()
    assert idle_kernels(made) == {each.name for each in stitched.fallback.kernels}
    assert [each.shape for each in functions(rows_of(SOFTMAX, 1, 2048)).values()] == ["stitched"]
    longer = functions(rows_of(SOFTMAX, 1, 2049)).values()
    assert {"stitched", "stitched_long", "row_blocks"} <= {each.shape for each in longer}


def test_rows_whose_length_varies_without_bound_keep_all_forms() -> None:
    (stitched,) = program(SOFTMAX).stitched()
    assert not holds_all_rows(stitched, isl.Set("[n, m] -> { : n >= 0 }"))
