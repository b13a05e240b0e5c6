"""Columns composed of nodes: who has which, down their rows, over a block and over a grid; what of it is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.codegen.kernel_verifier import verify_kernels
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.build import THREAD, ZERO, binary, declare
from pencilc.ir.columns import (
    ColumnLanes,
    ColumnPlace,
    ColumnSegment,
    ColumnsOfGrid,
    ColumnTeam,
    CombineColumns,
    EachColumn,
    EachLane,
    KeepLane,
    LeftByBlocks,
    OwnColumns,
    StartColumns,
)
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.nodes import If, Node
from pencilc.ir.source import FLOAT, PointerType
from pencilc.options import CompileOptions
from tests.unit.codegen.programs import file, functions, node, nodes, told
from tests.unit.codegen.test_row_walk import replaced
from tests.unit.records import COLUMN_SUMS, DEFAULT

LAYERS = "FOR(i, n) FOR(k, m) { INIT(&y[i][k], zero); FOR(j, 8) UPDATE(&y[i][k], x[j][k], add); }"
FIXED, PAIRWISE = CompileOptions(determinism="fixed-tree"), CompileOptions(sums="pairwise")


def columns(body: str = COLUMN_SUMS, options: CompileOptions = DEFAULT) -> KernelFunction:
    """The kernel of columns."""
    (made,) = (each for each in functions(body, options).values() if each.shape == "column")
    return made


def kinds(nodes: tuple[Node, ...]) -> list[type]:
    """What nodes are."""
    return [type(each) for each in nodes]


def test_threads_have_columns_and_share_rows() -> None:
    made = columns()
    assert kinds(made.body) == [
        ColumnTeam, ColumnPlace, StartColumns, ColumnSegment, CombineColumns, ColumnsOfGrid, EachColumn,
    ]  # fmt: skip
    team = node(made, ColumnTeam)
    assert told(team.columns, team.rows) == ["m", "n"] and node(made, ColumnPlace).within == "grid"
    down = node(made, ColumnSegment)
    assert told(down.lane, down.lanes) == ["threadIdx.y", "blockDim.y"]
    assert told(*node((made.body[4],), CombineColumns).values, node(made, EachColumn).result) == ["@acc", "@acc[@k]"]


def test_the_last_block_combines_what_all_have_left() -> None:
    grid = node(columns(), ColumnsOfGrid)
    assert kinds(grid.finish) == [LeftByBlocks, CombineColumns] and not grid.layered
    left = node(grid.finish, LeftByBlocks)
    assert told(left.result, left.first, left.step) == ["@acc[@k]", "threadIdx.y", "blockDim.y"] and left.ahead == 4


def test_lanes_of_a_fixed_tree_leave_their_values_in_shared_memory() -> None:
    made = columns(options=FIXED)
    lanes, place = node(made, ColumnLanes), "@parts[@k][threadIdx.x]"
    assert lanes.lanes > 0 and told(node(made, EachColumn).result, node(made, ColumnsOfGrid).result) == [place, place]
    rows, left = nodes(made, EachLane)
    assert kinds(rows.body) == [StartColumns, ColumnSegment, KeepLane] and kinds(left.body) == [LeftByBlocks]
    assert (rows.is_first, left.is_first) == (True, False)
    assert all(each.by_lanes and told(*each.values) == ["@parts"] for each in nodes(made, CombineColumns))


def test_sums_in_levels_become_values_first() -> None:
    made = columns(options=PAIRWISE)
    assert len(nodes(made, OwnColumns)) == 1 and told(node(made, EachColumn).result) == ["@own[@k]"]


def refused(message: str, old: Node, *new: Node) -> None:
    """The verifier says so where these nodes stand in the place of `old`."""
    made, whole = columns(), file(COLUMN_SUMS)
    changed = replace(made, body=replaced(made.body, old, *new))
    kernels = tuple(changed if each.name == made.name else each for each in whole.kernels)
    assert kernels != whole.kernels
    with pytest.raises(CompilerBug, match=message):
        verify_kernels(replace(whole, kernels=kernels))


def test_all_of_a_block_meet_where_columns_are_combined() -> None:
    combined = columns().body[4]
    some = If(binary("==", THREAD["y"], ZERO), (combined,))
    refused("a barrier stands where not all threads come", combined, some)
    grid = node(columns(), ColumnsOfGrid)
    refused("a barrier stands where not all threads come", grid, If(binary("==", THREAD["y"], ZERO), (grid,)))


def test_columns_begin_before_they_are_combined() -> None:
    start = node(columns(), StartColumns)
    refused("is combined before it begins", start, declare("@acc", PointerType(FLOAT)))
    refused("`@columns` is not declared", node(columns(), ColumnTeam))
    refused("`@column` is not declared", node(columns(), ColumnPlace))


def test_lanes_are_there_before_they_take_rows() -> None:
    down = node(columns(), ColumnSegment)
    refused("`@lanes` is not declared", down, EachLane(down.at, True, (down,)))
    grid = node(columns(), ColumnsOfGrid)
    refused("`@outer` is not declared", grid, replace(grid, layered=True))
