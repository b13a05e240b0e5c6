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
    """Points of a thread, and how deep."""
    assert made is not None
    return [(each.items, each.depth) for each in made.sizes]


def test_the_largest_tiles_come_first_and_small_ones_are_deeper() -> None:
    assert sizes(tiles.with_tiles(tiling(), 4, {})) == [(16, 8), (8, 8), (4, 16), (2, 16)]


def test_a_sector_of_small_elements_is_fetched_at_once() -> None:
    assert sizes(tiles.with_tiles(tiling(HALF), 4, {}))[0] == (16, 16)
    assert sizes(tiles.with_tiles(tiling(SCHAR), 4, {"tile_items": 8}))[0] == (8, 32)


@pytest.mark.parametrize(
    ("accumulator", "items"),
    [(4, [16, 8, 4, 2]), (5, [8, 4, 2]), (8, [8, 4, 2]), (9, [4, 2]), (16, [4, 2]), (17, [2]), (64, [2]), (65, None)],
)
def test_accumulators_limit_the_points_of_a_thread(accumulator: int, items: list[int] | None) -> None:
    made = tiles.with_tiles(tiling(), accumulator, {})
    assert (None if made is None else [items for items, _ in sizes(made)]) == items


def test_a_block_with_most_points_has_a_multiprocessor_for_itself() -> None:
    given = [TileSize(items, 8) for items in tiles.ITEMS]
    assert [tiles.resident(size, 4) for size in given] == [1, 2, 2, 2]
    # A smaller accumulator takes a register, too; two of 4 bytes for each of 8 x 8 points leave no room for others.
    assert [tiles.resident(size, 1) for size in given] == [1, 2, 2, 2]
    assert [tiles.resident(size, 8) for size in given[1:]] == [1, 2, 2]
    alone = {point: tiles.with_tiles(tiling(), point, {}) for point in (4, 8, 16)}
    assert [None if made is None else tiles.items_alone(made) for made in alone.values()] == [16, 8, 0]
    assert [tiles.points_of(TileSize(items, 8)) for items in (16, 8, 4)] == [(256, 128), (128, 128), (64, 64)]


def test_only_threads_that_find_their_places_once_have_most_points() -> None:
    uneven = replace(operand(FLOAT, True), is_even=False)
    made = replace(tiling(), operands=(uneven, operand(FLOAT, False)))
    assert not made.is_stepwise and [items for items, _ in sizes(tiles.with_tiles(made, 4, {}))] == [8, 4, 2]
    assert tiling().is_stepwise and not tiling(is_light=False).is_stepwise and not tiling(folds=True).is_stepwise


def test_elements_that_take_registers_have_no_largest_tiles() -> None:
    assert [items for items, _ in sizes(tiles.with_tiles(tiling(is_light=False), 4, {}))] == [4, 2]


def test_elements_that_divide_have_no_block_for_a_whole_multiprocessor() -> None:
    assert [items for items, _ in sizes(tiles.with_tiles(tiling(working=2), 4, {}))] == [8, 4, 2]


def test_a_search_may_ask_for_others() -> None:
    made = tiles.with_tiles(tiling(), 4, {"tile_items": 4, "tile_least": 4})
    assert [items for items, _ in sizes(made)] == [4] and made is not None and made.launch.tile_items == 4
    assert [items for items, _ in sizes(tiles.with_tiles(tiling(), 4, {"tile_least": 8, "tile_items": 2}))] == [2]


def test_the_bytes_are_kept() -> None:
    made = tiles.with_tiles(tiling(folds=True), 4, {}, rows=8)
    assert made is not None and (made.bytes_of_point, made.bytes_of_row) == (4, 8)


def test_what_rows_are_folded_into_fits_into_registers_or_shared_memory() -> None:
    assert tiles.with_tiles(tiling(folds=True), 4, {}, rows=65) is None
    assert [items for items, _ in sizes(tiles.with_tiles(tiling(folds=True), 4, {}, rows=64))] == [2]
    for rows, items in ((8, [8, 4, 2]), (32, [4, 2]), (33, [2])):
        made = tiles.with_tiles(tiling(folds=True), 4, {}, rows=rows)
        assert [each for each, _ in sizes(made)] == items, rows


def test_a_fixed_tree_has_one_size_where_it_folds() -> None:
    assert len(sizes(tiles.with_tiles(tiling(folds=True), 4, {}, rows=8, fixed_tree=True))) == 1
    assert len(sizes(tiles.with_tiles(tiling(), 4, {}, fixed_tree=True))) == 4


def test_all_that_a_block_has_fits() -> None:
    for ctype in (SCHAR, HALF, FLOAT, DOUBLE):
        made = tiles.with_tiles(tiling(ctype, "depth"), 8, {})
        assert made is not None
        assert all(tiles.tile_bytes_of(made, size) <= tiles.SHARED_BYTES for size in made.sizes)
        assert all(size.depth >= tiles.LEAST_DEPTH // 2 for size in made.sizes)


def test_warps_share_no_tile_that_is_too_small_for_them() -> None:
    made = tiles.with_tiles(tiling(HALF, on_tensor_cores=True), 4, {})
    assert [items for items, _ in sizes(made)] == [8, 4] and made is not None and made.on_tensor_cores
    small = tiles.with_tiles(tiling(HALF, on_tensor_cores=True), 4, {"tile_items": 2})
    assert small is not None and not small.on_tensor_cores and [items for items, _ in sizes(small)] == [2]


def test_the_loop_over_depths_is_unrolled_as_registers_allow() -> None:
    light = tiling(sizes=(TileSize(8, 16),))
    assert tiles.unrolled(light) == 0
    assert tiles.unrolled(replace(light, sizes=(TileSize(8, 16), TileSize(4, 32)))) == 8
    assert tiles.unrolled(replace(light, is_light=False)) == 4
    assert tiles.unrolled(replace(light, compares=True)) == 2


def test_bytes_of_a_tile_are_two_sets_and_the_results() -> None:
    size = TileSize(8, 8)
    assert tiles.tile_bytes([(4, True, False), (4, False, False)], 0, size) == 2 * 2 * 4 * 128 * 8
    both = [(4, True, False), (4, False, False)]
    assert tiles.tile_bytes(both, 64, TileSize(16, 8)) == 2 * 4 * (256 + 128) * 8 + 16 * 8 * 64
    assert tiles.tile_bytes([], 64, size) == 16 * 8 * 64
    assert tiles.tile_bytes([(4, True, True)], 0, size) == 2 * 4 * (128 + 4) * 8


def test_what_lies_along_the_depth_leaves_elements_free() -> None:
    size = TileSize(4, 16)
    assert [tiles.pitch(element, True, True, size) for element in (1, 2, 4, 8)] == [80, 72, 68, 68]
    assert {tiles.pitch(element, True, False, size) for element in (1, 2, 4, 8)} == {64}
    assert [tiles.pitch(4, down, True, TileSize(16, 8)) for down in (True, False)] == [260, 132]


def test_rows_of_an_even_number_of_words_have_one_more() -> None:
    assert [tiles.bytes_of_rows(row, 4) for row in (4, 8, 12, 16, 24)] == [4, 8, 12, 16, 28]
    assert tiles.bytes_of_rows(24, 8) == 28 * 17 and tiles.keeps_rows_on_chip(8) and not tiles.keeps_rows_on_chip(4)


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
    assert tiles.tensor_bytes(made, TileSize(4, 16)) == 2 * tiles.fragment_bytes([True], 2, 4, 32, 4)
