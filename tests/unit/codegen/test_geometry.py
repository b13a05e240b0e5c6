"""Where a function stands among the blocks and threads of its launch."""

from __future__ import annotations

import pytest

from pencilc.ir.geometry import Axes, Geometry, Share

LAYOUTS = ("", "line", "plane", "tile", "block", "block_tile")


def test_a_kernel_has_the_whole_grid_whatever_it_does() -> None:
    assert {Share.GRID.layout(shape, depth) for shape in ("all", "column", "row_blocks") for depth in (1, 3)} == {""}


def test_a_part_counts_its_blocks_in_the_directions_that_its_shape_needs() -> None:
    parts = {shape: Share.BLOCKS.layout(shape) for shape in ("all", "row_blocks", "indirect_shared", "column")}
    assert parts == {"all": "line", "row_blocks": "plane", "indirect_shared": "plane", "column": "tile"}
    assert [Share.BLOCKS.layout("parallel", depth) for depth in (1, 2, 3)] == ["line", "tile", "tile"]


def test_a_stage_has_one_block() -> None:
    assert Share.BLOCK.layout("row_blocks") == Share.BLOCK.layout("parallel", 1) == "block"
    assert Share.BLOCK.layout("column") == Share.BLOCK.layout("parallel", 2) == "block_tile"


@pytest.mark.parametrize(
    ("layout", "number", "count"),
    [
        ("", "blockIdx.x * blockDim.x + threadIdx.x", "gridDim.x * blockDim.x"),
        ("line", "@block_of_part * blockDim.x + threadIdx.x", "@blocks_of_part * blockDim.x"),
        ("plane", "@block_of_part.x * blockDim.x + threadIdx.x", "@blocks_of_part.x * blockDim.x"),
        (
            "tile",
            "@block_of_part.x * @threads_of_part.x + @thread_of_part.x",
            "@blocks_of_part.x * @threads_of_part.x",
        ),
        ("block", "threadIdx.x", "256"),
        ("block_tile", "@thread_of_part.x", "@threads_of_part.x"),
    ],
)
def test_the_number_of_a_thread_and_how_many_there_are(layout: str, number: str, count: str) -> None:
    at = Geometry(layout, 256)
    assert (at.number("x"), at.count("x")) == (number, count)


def test_numbers_of_a_grid_are_counted_in_the_type_of_indices_and_those_of_a_block_as_they_are() -> None:
    grid, block = Geometry("", 256), Geometry("block", 256)
    assert grid.rank == f"(@index){grid.number('x')}" and grid.operand == f"({grid.rank})"
    assert grid.total == f"(@index){grid.count('x')}" and grid.row_step("4") == "(@index)gridDim.y * 4"
    assert block.rank == block.operand == "threadIdx.x" and block.total == "256"
    assert block.first_row("l", "4") == "l" and block.row_step("4") == "4"


def test_a_line_has_one_direction_and_a_block_in_rows_two() -> None:
    line, tile = Geometry("line", 256), Geometry("block_tile", 256)
    assert line.block == Axes("@block_of_part", "0", "0") and line.blocks == Axes("@blocks_of_part", "1", "1")
    assert (tile.count("y"), tile.count("z")) == ("@threads_of_part.y", "1")


def test_a_function_is_told_of_its_place_only_what_the_launch_does_not_say() -> None:
    told = {layout: Geometry(layout, 256).parameters for layout in LAYOUTS}
    assert told[""] == told["block"] == told["block_tile"] == ()
    assert told["line"] == ("unsigned @block_of_part", "unsigned @blocks_of_part")
    assert told["plane"] == ("dim3 @block_of_part", "dim3 @blocks_of_part")
    assert told["tile"] == (*told["plane"], "dim3 @thread_of_part", "dim3 @threads_of_part")
