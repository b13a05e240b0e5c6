"""Launches of reductions: which form has a row, and what blocks leave for each other."""

from __future__ import annotations

import pytest

from pencilc.options import CompileOptions
from tests.unit.codegen.launched import does
from tests.unit.records import COLUMN_SUMS, DEFAULT, ROW_SUMS, SUM

FIXED = CompileOptions(determinism="fixed-tree")
PRODUCT = """FOR(i, n) FOR(j, m) { INIT(&y[i][j], zero);
    for (int k = 0; k < n; k++) UPDATE(&y[i][j], x[i][k] * x[k][j], add); }"""


def starts(lines: list[str]) -> list[str]:
    """The functions that are started, in order."""
    return [line.split()[1].rstrip(",") for line in lines if line.startswith("start ")]


def test_one_result_by_as_many_blocks_as_it_has_points_for() -> None:
    (blocks,) = (line for line in does(SUM) if line.startswith("let unsigned @blocks"))
    assert blocks.startswith("let unsigned @blocks = @count <= 4096 ? 1 : pencilc_blocks(@count, 2048, ")
    assert starts(does(SUM)) == ["f_all0"]


def test_how_many_workers_a_fixed_tree_has_follows_from_the_points() -> None:
    (workers,) = (line for line in does(SUM, FIXED) if line.startswith("let unsigned @workers"))
    assert "@multiprocessors" not in workers


def test_each_row_goes_to_one_form() -> None:
    lines = does(ROW_SUMS)
    assert starts(lines) == ["f_row0_blocks", "f_row0_short", "f_row0_warps"]
    (long,) = (line for line in lines if line.startswith("if (@few ||"))
    assert long == "if (@few || @length >= 2048 || (@length > 512 && @rows < 16ll * @multiprocessors))"
    # Which rows have a block follows from the sizes alone where the tree is fixed.
    assert "if (@few || @length >= 2048)" in does(ROW_SUMS, FIXED)


@pytest.mark.parametrize("options", [DEFAULT, FIXED])
def test_nothing_is_left_for_others_without_a_split(options: CompileOptions) -> None:
    (reserved,) = (line for line in does(COLUMN_SUMS, options) if line.startswith("reserve left"))
    assert reserved.endswith("tickets sizeof(unsigned) * (@splits > 1 ? @tiles : 0), when @splits > 1")


def test_narrow_products_have_no_tiles() -> None:
    lines = does(PRODUCT)
    (wide,) = (line for line in lines if line.startswith("if (@outers > 0 && @rows >= 4 && @columns >= 4 && ("))
    assert "(@rows >= 16 || @columns >= 16)" in wide
    behind = lines[lines.index(wide) :]
    assert "start by @size" in behind and behind.index("start by @size") < behind.index("else")
    assert [line for line in behind[behind.index("else") :] if line.startswith("start f_column0")]


def test_the_tiles_that_take_the_least_time_are_taken() -> None:
    (chosen,) = (line for line in does(PRODUCT) if line.startswith("choose "))
    counted = "pencilc_tiles(@rows, @columns, @outers, 16 * @down, 16 * @across)"
    assert chosen == f"choose of {counted} tiles with @points points, each for up to @points / 256 + 1 blocks"


def test_a_fixed_tree_has_as_many_blocks_for_a_tile_whatever_the_device() -> None:
    """How many blocks share a tile follows from the sizes alone."""
    triangle = "__pencil_assume(m == n); FOR(i, n) for (int j = 0; j <= i && j < m; j++) { INIT(&y[i][j], zero); "
    of_triangle = does(triangle + "FOR(k, n) UPDATE(&y[i][j], x[i][k] * x[k][j], add); }", FIXED)
    for lines in (does(PRODUCT, FIXED), of_triangle):
        (chosen,) = (line for line in lines if line.startswith("choose "))
        splits = "pencilc_blocks(256, pencilc_tiles(@rows, @columns, @outers, 32, 32), @points / 256 + 1)"
        assert chosen.endswith(f"each for {splits} blocks")


# The points of a product that are asked for, and which of its tiles have some: `column <= row + offset`, or `>=`.
TRIANGLES = {
    "for (int j = 0; j <= i && j < m; j++)": "0, true",
    "for (int j = 0; j < i - 2 && j < m; j++)": "0, true",  # the first row of their box is that of i = 3
    "for (int j = i; j < m; j++)": "0, false",
    "for (int j = i + 5; j < m; j++)": "0, false",
    "FOR(j, m) if (j < i + 7)": "6, true",
    "FOR(j, m)": "",
    "FOR(j, m) if (i + j < n)": "",
}


@pytest.mark.parametrize("points", TRIANGLES)
def test_tiles_of_triangles_without_points_do_not_count(points: str) -> None:
    """Their blocks end at once: which size is taken, and how many share one, follows from the others."""
    lines = does(f"""__pencil_assume(m == n); FOR(i, n) {points} {{ INIT(&y[i][j], zero);
        FOR(k, n) UPDATE(&y[i][j], x[i][k] * x[k][j], add); }}""")
    which = TRIANGLES[points]
    (chosen,) = (line for line in lines if line.startswith("choose "))
    assert ("pencilc_tiles_with_points(" in chosen) == bool(which) and (not which or f", {which})" in chosen)
    # There are blocks for all tiles, and memory for what they leave: they find their own by their number.
    (all_tiles,) = (line for line in lines if line.startswith("let long long @tiles"))
    assert "pencilc_tiles(" in all_tiles and any(
        line.startswith("reserve left") and "* @tiles" in line for line in lines
    )
