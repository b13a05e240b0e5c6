"""How many registers a thread needs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.gpu.shapes.registers import (
    BESIDE,
    BY_A_NUMBER,
    DIVISION,
    FUNCTION,
    LESS_OF_PLAIN_ROWS,
    OF_INNER_READS,
    WIDE_IN_A_FIXED_TREE,
    Beside,
    needed_registers,
)
from pencilc.ir.shapes import RowKernel
from pencilc.ir.source import Scalar
from tests.unit.gpu.kernels import kernel
from tests.unit.records import ROW_SUMS, SUM, modelled


def needed(body: str, carried: int = 0) -> int:
    """Those of the only kernel."""
    return needed_registers(kernel(body), modelled(body), carried, (4,))


def test_what_is_carried_is_in_registers_of_four_bytes() -> None:
    assert needed(SUM, 64) == needed(SUM) + 16 == Beside(28).plain + 16


def test_a_shape_that_keeps_more_numbers() -> None:
    assert needed(ROW_SUMS) == BESIDE[RowKernel].plain - LESS_OF_PLAIN_ROWS


@pytest.mark.parametrize(
    "body",
    [
        ROW_SUMS.replace("x[i][j]", "x[i][j] * b[i]"),  # more is read
        ROW_SUMS.replace("x[i][j]", "z[j]"),  # the same for all rows
        ROW_SUMS.replace("FOR(j, m)", "for (int j = 2; j < m; j++)"),
        ROW_SUMS.replace("x[i][j]", "words[i][j]"),  # narrow: nvcc widens them
    ],
)
def test_rows_that_are_not_plain(body: str) -> None:
    size = 2 if "words" in body else 4
    assert body != ROW_SUMS
    assert needed_registers(kernel(body), modelled(body), 0, (size,)) == BESIDE[RowKernel].plain


def test_rows_of_a_fixed_tree_are_not_plain() -> None:
    tree = replace(kernel(ROW_SUMS), fixed_tree=True)  # type: ignore[call-arg]
    assert needed_registers(tree, modelled(ROW_SUMS), 0, (4,)) == BESIDE[RowKernel].fixed_tree


def test_iterators_that_are_found_by_division() -> None:
    row = kernel(ROW_SUMS)
    more = replace(row, kept=(*row.kept, *row.kept))
    own = BESIDE[RowKernel]
    assert needed_registers(more, modelled(ROW_SUMS), 0, (4,)) == own.plain + own.recovered


@pytest.mark.parametrize(
    ("element", "registers"),
    [
        ("a[i]", 0), ("a[i] / n", DIVISION), ("fabsf(a[i])", 0), ("expf(a[i])", FUNCTION),
        ("expf(a[i]) / n", max(FUNCTION, DIVISION)), ("p[i] % n", DIVISION), ("p[i] % 3", BY_A_NUMBER),
    ],
)  # fmt: skip
def test_the_heaviest_operation_counts(element: str, registers: int) -> None:
    assert needed(SUM.replace("a[i]", element)) - needed(SUM) == registers


def test_wide_values_in_a_fixed_tree() -> None:
    scop = modelled(SUM)
    wide = replace(scop, reductions=(replace(scop.reductions[0], element_type=Scalar("double", "float", 8)),))
    tree = replace(kernel(SUM), fixed_tree=True)  # type: ignore[call-arg]
    assert needed_registers(tree, wide, 0, (8,)) - needed_registers(tree, scop, 0, (4,)) == WIDE_IN_A_FIXED_TREE
    assert needed_registers(kernel(SUM), wide, 0, (8,)) == needed(SUM)


def test_elements_with_a_loop_that_reads_memory() -> None:
    nest = "float s; INIT(&s, zero); FOR(i, n) {{ float v = a[i]; FOR(k, 3) v = {}; UPDATE(&s, v, add); }} b[0] = s;"
    reading, computing = (needed(nest.format(f"v * 2.0f + {value}")) for value in ("x[k][i]", "1.0f"))
    assert reading == computing + OF_INNER_READS
