"""How large tiles are: tilings that are written by hand, of two operands and what comes of a point."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pencilc.diagnostics.source import UNKNOWN_SPAN
from pencilc.gpu.shapes import tiles
from pencilc.ir.build import ZERO, element, variable
from pencilc.ir.shapes import Operand, TileSize, Tiling
from pencilc.ir.source import DOUBLE, FLOAT, HALF, INT, SCHAR, CType, PointerType

NOTHING: Any = None


def operand(ctype: CType, down: bool, along: str = "side", width: int = 4) -> Operand:
    """One of the two sides."""
    index = element(variable("a", PointerType(ctype)), ZERO, ctype)
    assert index.span == UNKNOWN_SPAN
    return Operand("S0", index, down, along, width, 2, True)  # type: ignore[arg-type]


def tiling(ctype: CType = FLOAT, along: str = "side", **fields: Any) -> Tiling:
    """A product."""
    operands = (operand(ctype, True, along), operand(ctype, False, along))
    made = Tiling(0, 1, operands, (), (), (), NOTHING, (), (), "", None, None, True, False, True)
    return replace(made, **fields)


def sizes(made: Tiling | None) -> list[tuple[int, int]]:
    """Points of a thread, down and across."""
    assert made is not None
    return [(each.down, each.across) for each in made.sizes]


def depths(made: Tiling | None) -> list[int]:
    """For how many reduced points what is read is fetched, by the size."""
    assert made is not None
    return [each.depth for each in made.sizes]


def square(side: int, depth: int = 8) -> TileSize:
    """As many points down as across."""
    return TileSize(side, side, depth, 2)


LARGEST, SQUARE, SMALL, NARROW, LEAST = (16, 8), (8, 8), (4, 4), ((2, 8), (8, 2)), (2, 2)


def test_the_largest_tiles_come_first_and_small_ones_are_deeper() -> None:
    made = tiles.with_tiles(tiling(), 4, {})
    assert sizes(made) == [LARGEST, SQUARE, SMALL, *NARROW, LEAST]
    assert depths(made) == [8, 8, 16, 16, 16, 16]


def test_a_sector_of_small_elements_is_fetched_at_once() -> None:
    assert depths(tiles.with_tiles(tiling(HALF), 4, {}))[0] == 16
    assert depths(tiles.with_tiles(tiling(SCHAR), 4, {"tile_down": 8, "tile_across": 8})) == [32]


@pytest.mark.parametrize(
    ("accumulator", "found"),
    [
        (4, [LARGEST, SQUARE, SMALL, *NARROW, LEAST]),
        (5, [SQUARE, SMALL, *NARROW, LEAST]),
        (8, [SQUARE, SMALL, *NARROW, LEAST]),
        (9, [SMALL, *NARROW, LEAST]),
        (16, [SMALL, *NARROW, LEAST]),
        (17, [LEAST]),
        (64, [LEAST]),
        (65, None),
    ],
)
def test_accumulators_limit_the_points_of_a_thread(accumulator: int, found: list[tuple[int, int]] | None) -> None:
    made = tiles.with_tiles(tiling(), accumulator, {})
    assert (None if made is None else sizes(made)) == found


def test_blocks_share_a_multiprocessor_as_registers_allow() -> None:
    """The more the fewer bytes of accumulators a thread has; one alone where these are the most."""

    def resident(point: int, ctype: CType = FLOAT, **fields: Any) -> list[int]:
        made = tiles.with_tiles(tiling(ctype, **fields), point, {})
        assert made is not None
        return [size.resident for size in made.sizes]

    assert resident(4) == [1, 2, 3, 3, 3, 3]
    # A smaller accumulator takes a register, too; two of 4 bytes for each of 8 x 8 points leave no room for others.
    assert resident(1) == resident(4) and resident(8) == [1, 2, 2, 2, 3]
    # Others take registers of their own.
    assert resident(4, ctype=DOUBLE) == [1, 2, 2, 2, 2, 2] and resident(4, is_light=False) == [2, 2]
    assert resident(4, compares=True)[2:] == resident(4, working=1)[1:] == [2, 2, 2, 2]
    folded = tiles.with_tiles(tiling(folds=True), 4, {}, rows=8)
    assert folded is not None and {size.resident for size in folded.sizes} == {2}
    alone = {point: tiles.with_tiles(tiling(), point, {}) for point in (4, 8, 16)}
    assert [None if made is None else tiles.most_down_alone(made) for made in alone.values()] == [16, 8, 0]


def test_points_of_a_tile() -> None:
    assert [tiles.points_of(TileSize(*shape, 8, 2)) for shape in tiles.SHAPES] == [
        (256, 128), (128, 128), (64, 64), (32, 128), (128, 32), (32, 32),
    ]  # fmt: skip


def test_only_threads_that_find_their_places_once_have_most_points() -> None:
    uneven = replace(operand(FLOAT, True), is_even=False)
    made = replace(tiling(), operands=(uneven, operand(FLOAT, False)))
    assert not made.is_stepwise and sizes(tiles.with_tiles(made, 4, {})) == [SQUARE, SMALL, *NARROW, LEAST]
    assert tiling().is_stepwise and not tiling(is_light=False).is_stepwise and not tiling(folds=True).is_stepwise


def test_elements_that_take_registers_have_no_largest_tiles_and_no_narrow_ones() -> None:
    assert sizes(tiles.with_tiles(tiling(is_light=False), 4, {})) == [SMALL, LEAST]


def test_elements_that_divide_have_no_block_for_a_whole_multiprocessor() -> None:
    assert sizes(tiles.with_tiles(tiling(working=2), 4, {})) == [SQUARE, SMALL, *NARROW, LEAST]


def test_a_search_may_ask_for_others() -> None:
    made = tiles.with_tiles(tiling(), 4, {"tile_down": 4})
    assert sizes(made) == [SMALL] and made is not None and made.launch.tile_down == 4
    assert sizes(tiles.with_tiles(tiling(), 4, {"tile_down": 2})) == [(2, 8), LEAST]
    assert sizes(tiles.with_tiles(tiling(), 4, {"tile_down": 2, "tile_across": 8})) == [(2, 8)]
    assert sizes(tiles.with_tiles(tiling(), 4, {"tile_across": 2})) == [(8, 2), LEAST]
    assert tiles.with_tiles(tiling(), 4, {"tile_down": 16, "tile_across": 2}) is None


def test_results_with_a_short_side_go_in_narrow_tiles() -> None:
    made = tiles.with_tiles(tiling(), 4, {})
    assert made is not None and tiles.least_side(made) == 4
    folded = tiles.with_tiles(tiling(folds=True), 4, {}, rows=8)
    heavy = tiles.with_tiles(tiling(is_light=False), 4, {})
    asked = tiles.with_tiles(tiling(), 4, {"tile_down": 4})
    for other in (folded, heavy, asked):
        assert other is not None and tiles.least_side(other) == 16
    wide = tiles.with_tiles(tiling(), 4, {"tile_side": 1})
    assert wide is not None and tiles.least_side(wide) == 1


def test_the_bytes_are_kept() -> None:
    made = tiles.with_tiles(tiling(folds=True), 4, {}, rows=8)
    assert made is not None and (made.bytes_of_point, made.bytes_of_row) == (4, 8)


def test_what_rows_are_folded_into_fits_into_registers_or_shared_memory() -> None:
    assert tiles.with_tiles(tiling(folds=True), 4, {}, rows=65) is None
    assert sizes(tiles.with_tiles(tiling(folds=True), 4, {}, rows=64)) == [(2, 8), LEAST]
    for rows, found in ((8, [SQUARE, SMALL, *NARROW, LEAST]), (32, [SMALL, (2, 8), LEAST]), (33, [(2, 8), LEAST])):
        assert sizes(tiles.with_tiles(tiling(folds=True), 4, {}, rows=rows)) == found, rows


def test_a_fixed_tree_has_one_size_where_it_folds() -> None:
    assert len(sizes(tiles.with_tiles(tiling(folds=True), 4, {}, rows=8, fixed_tree=True))) == 1
    assert len(sizes(tiles.with_tiles(tiling(), 4, {}, fixed_tree=True))) == len(tiles.SHAPES)


def test_all_that_a_block_has_fits() -> None:
    for ctype in (SCHAR, HALF, FLOAT, DOUBLE):
        made = tiles.with_tiles(tiling(ctype, "depth"), 8, {})
        assert made is not None
        assert all(tiles.tile_bytes_of(made, size) <= tiles.SHARED_BYTES for size in made.sizes)
        assert all(size.depth >= tiles.LEAST_DEPTH // 2 for size in made.sizes)


def test_warps_share_no_tile_that_is_too_small_for_them() -> None:
    made = tiles.with_tiles(tiling(HALF, on_tensor_cores=True), 4, {})
    assert sizes(made) == [SQUARE, SMALL] and made is not None and made.on_tensor_cores
    small = tiles.with_tiles(tiling(HALF, on_tensor_cores=True), 4, {"tile_down": 2})
    assert small is not None and not small.on_tensor_cores and sizes(small) == [(2, 8), LEAST]


def test_the_loop_over_depths_is_unrolled_as_registers_allow() -> None:
    light = tiling(sizes=(square(8, 8),))
    assert tiles.unrolled(light) == 0
    assert tiles.unrolled(replace(light, sizes=(square(8, 8), square(4, 16)))) == 8
    assert tiles.unrolled(replace(light, is_light=False)) == 4
    assert tiles.unrolled(replace(light, compares=True)) == 2


def test_bytes_of_a_tile_are_two_sets_and_the_results() -> None:
    both = [(4, True, False), (4, False, False)]
    assert tiles.operand_bytes(both, square(8)) == 2 * 2 * 4 * 128 * 8
    assert tiles.operand_bytes(both, TileSize(16, 8, 8, 1)) == 2 * 4 * (256 + 128) * 8
    assert tiles.operand_bytes([(4, True, True)], square(8)) == 2 * 4 * (128 + 4) * 8
    made, narrow = tiling(bytes_of_point=4), TileSize(2, 8, 8, 3)
    assert tiles.tile_bytes_of(made, narrow) == tiles.operand_bytes(both, narrow) + 16 * (16 * 8) * 4
    folded = tiling(bytes_of_point=4, bytes_of_row=8, folds=True)
    assert tiles.tile_bytes_of(folded, narrow) == tiles.operand_bytes(both, narrow) + 32 * 8
    assert tiles.tile_bytes_of(folded, square(8)) == tiles.operand_bytes(both, square(8)) + 128 * 8 * 17


def test_what_lies_along_the_depth_leaves_elements_free() -> None:
    size = square(4, 16)
    assert [tiles.pitch(element, True, True, size) for element in (1, 2, 4, 8)] == [80, 72, 68, 68]
    assert {tiles.pitch(element, True, False, size) for element in (1, 2, 4, 8)} == {64}
    assert [tiles.pitch(4, down, True, TileSize(16, 8, 8, 1)) for down in (True, False)] == [260, 132]


def test_rows_of_an_even_number_of_words_have_one_more() -> None:
    assert [tiles.bytes_of_rows(row, 16) for row in (4, 8, 12, 16, 24)] == [4, 8, 12, 16, 28]
    assert tiles.bytes_of_rows(24, 64) == 28 * 17
    assert tiles.keeps_rows_on_chip(64) and not tiles.keeps_rows_on_chip(16)


def test_neighbours_of_a_thread_fill_sixteen_bytes() -> None:
    mixed = replace(tiling(), operands=(operand(HALF, True), operand(FLOAT, True), operand(DOUBLE, False)))
    assert tiles.group(mixed, down=True) == 4 and tiles.group(mixed, down=False) == 2
    assert tiles.group(replace(mixed, operands=mixed.operands[:1]), down=False) == 1


def test_fragments_are_as_deep_as_a_line() -> None:
    assert [tiles.tensor_depth(tiling(ctype)) for ctype in (SCHAR, HALF, INT)] == [64, 32, 16]
    assert tiles.tensor_unrolled(tiling(HALF)) == 2
    assert [tiles.tensor_unrolled(tiling(SCHAR, along)) for along in ("depth", "side")] == [2, 1]


def test_fragments_have_their_stages_or_the_results() -> None:
    assert [tiles.tensor_stages(tiling(ctype)) for ctype in (SCHAR, HALF, FLOAT)] == [2, 3, 2]
    assert tiles.fragment_bytes([True], 2, 0, 32, 4) == tiles.fragment_bytes([False], 2, 0, 32, 4) == 3 * 64 * 32 * 2
    assert tiles.fragment_bytes([True], 1, 0, 64, 4) == 2 * 4 * (64 * 16 + 32)
    assert tiles.fragment_bytes([True], 4, 0, 16, 4) == 2 * 64 * (16 * 4 + 16)
    assert tiles.fragment_bytes([False], 4, 0, 16, 4) == 2 * 16 * (64 * 4 + 32)
    assert tiles.fragment_bytes([True, False], 2, 4, 32, 8) == 48 * 1024
    assert tiles.fragment_bytes([], 2, 4, 32, 4) == 2 * 16 * (64 + 8) * 4
    made = tiling(HALF, "depth", bytes_of_point=4)
    assert tiles.tensor_bytes(made, square(4, 16)) == 2 * tiles.fragment_bytes([True], 2, 4, 32, 4)
