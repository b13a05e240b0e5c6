"""Trees of rows of few elements, broken by hand: the verifier refuses each of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.codegen.kernel_verifier import verify_kernels
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import UNKNOWN_SPAN
from pencilc.ir.build import ZERO, binary, element, variable
from pencilc.ir.combining import EachRow, Start
from pencilc.ir.nodes import If
from pencilc.ir.on_chip import Local
from pencilc.ir.segments import CombineRows, RowsInFlight, RunOfRow, ShortRows, ShortSegment, ShortTeam
from pencilc.ir.source import DOUBLE, FLOAT, Assign, PointerType
from tests.unit.codegen.broken import function, refused, tree, with_fields, without

ROWS = """#include <pencil.h>
static void none(float *x) { *x = 0; }
static float plus(float a, float b) { return a + b; }
void sums(int n, int m, const float v[static const restrict n][m], float sum[static const restrict n])
{
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&sum[i], none);
        for (int j = 0; j < m; j++) __pencil_reduction(&sum[i], v[i][j], plus);
    }
}
"""
SHORT = "row_short"


def test_what_the_compiler_makes_is_taken() -> None:
    verify_kernels(tree(ROWS))


def test_lanes_have_a_row_before_they_go_through_rows() -> None:
    refused("`@rows` is not declared", ROWS, SHORT, without(ShortTeam))
    refused("`@rows` is declared twice", ROWS, SHORT,
            lambda node: (node, node) if isinstance(node, ShortTeam) else (node,))  # fmt: skip
    refused("`@at` is not declared", ROWS, SHORT, with_fields(ShortTeam, of="block"))


def test_rows_are_dealt_out_once() -> None:
    refused("rows are given to lanes, and dealt out again", ROWS, SHORT,
            lambda node: (replace(node, body=(node,)),) if isinstance(node, ShortRows) else (node,))  # fmt: skip
    rows = EachRow("warp", variable("n"), function(ROWS, SHORT).at, ())
    refused("rows are given to warp, and dealt out again", ROWS, SHORT,
            lambda node: (replace(rows, body=(node,)),) if isinstance(node, ShortRows) else (node,))  # fmt: skip


def test_what_is_loaded_has_registers_of_its_type() -> None:
    refused("`@?v_elements` is not declared", ROWS, SHORT, without(Local))
    refused("is no place for what is loaded from", ROWS, SHORT, with_fields(Local, type=DOUBLE))
    refused("the extent of `.*` is computed when the kernel runs", ROWS, SHORT,
            with_fields(Local, extents=(variable("n"), variable("m"))))  # fmt: skip
    refused("is not declared", ROWS, SHORT, without(RunOfRow))


def test_a_row_finds_its_iterators() -> None:
    refused("`i` is not declared", ROWS, SHORT, with_fields(RunOfRow, recover=()))
    refused("`@row` is not declared", ROWS, SHORT,
            lambda node: node.body if isinstance(node, RowsInFlight) else (node,))  # fmt: skip


def test_lanes_begin_and_combine_together() -> None:
    refused("`@acc` is not declared", ROWS, SHORT, without(Start))
    refused("`@totals` is not declared", ROWS, SHORT, without(CombineRows))
    is_first = binary("==", variable("@lane"), ZERO)
    refused("a barrier stands where not all threads come", ROWS, SHORT,
            lambda node: (If(is_first, (node,)),) if isinstance(node, CombineRows) else (node,))  # fmt: skip
    made = function(ROWS, SHORT)
    kernels = tuple(replace(each, helpers=()) if each is made else each for each in tree(ROWS).kernels)
    with pytest.raises(CompilerBug, match=r"nothing brings what combines `.*` by accumulator"):
        verify_kernels(replace(tree(ROWS), kernels=kernels))


def test_what_is_read_is_not_written() -> None:
    store = Assign(element(variable("v", PointerType(FLOAT)), ZERO, FLOAT), ZERO, UNKNOWN_SPAN)
    refused("is only read in this function, and is written", ROWS, SHORT,
            lambda node: (store, node) if isinstance(node, ShortSegment) else (node,))  # fmt: skip
    refused("`nowhere` is not declared", ROWS, SHORT, with_fields(ShortTeam, rows=variable("nowhere")))
