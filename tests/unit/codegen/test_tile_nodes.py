"""What a block does with its tile, composed of parts that are written by hand, for each of the three forms."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.codegen.bodies import set_to
from pencilc.codegen.tile_nodes import (
    Begin,
    Folded,
    PartialTiles,
    TileElement,
    TileParts,
    in_fragments,
    in_registers,
    rows_of_tiles,
    tile_of_points,
)
from pencilc.ir import tiles
from pencilc.ir.build import ONE, ZERO, binary, declare, variable
from pencilc.ir.nodes import If, Node, Sync
from pencilc.ir.shapes import TileSize
from pencilc.ir.source import FLOAT, INT, Assign, Declare
from tests.unit.codegen.by_hand import SUM, accumulator, store
from tests.unit.codegen.programs import node, nodes, told

N, M, P, ACC = variable("n"), variable("m"), variable("p"), variable("@acc", FLOAT)
LEFT = tiles.OperandTile(
    "x", FLOAT, N, (), True, True, 4, True, "@x_at", "@x_part", "@x_tiles", "@x_whole", "@x_chunks", "@x_here"
)
RIGHT = replace(LEFT, register="y", down=False, deep=False, part="@y_part")
ELEMENT = TileElement("@element", (), (set_to(ACC, ONE, "+"),), None, None, False)
POST = (store(variable("n"), variable("@total", FLOAT)),)
SIZES = (TileSize(8, 8, 8, 2), TileSize(4, 4, 16, 3))
SUMS = TileParts(
    SUM,
    N,
    M,
    P,
    None,
    (),
    None,
    (LEFT, RIGHT),
    ELEMENT,
    None,
    POST,
    (TileSize(8, 8, 8, 2), TileSize(4, 4, 16, 3)),
    (4, 4),
    4,
)
BEGIN = Begin((declare("i", INT, variable("@row")),), ONE, None, alike=False)
IN_ORDER = replace(SUMS, begin=BEGIN)
HALVES = tiles.FragmentNames("factors", "sums", "multiply")
PRODUCT = tiles.TensorProduct("__half", HALVES, 64, 3, 16, 4, False, LEFT, RIGHT)
LEAST = accumulator("least")
FOLDED = Folded(LEAST, ("@row",), (set_to(ACC, variable("@total", FLOAT)),), POST)


def kinds(made: tuple[Node, ...]) -> list[type]:
    """What nodes are."""
    return [type(each) for each in made]


# ---- which points ------------------------------------------------------------------------------------------


def test_blocks_share_the_points_of_a_reduction() -> None:
    made = tile_of_points(SUMS, 16)
    assert kinds(made) == [tiles.TileOfBlock, tiles.OperandAddress, tiles.OperandAddress, tiles.ShareOfPoints]
    assert told(node(made, tiles.TileOfBlock).rows, node(made, tiles.TileOfBlock).points) == ["n", "p"]
    assert node(made, tiles.ShareOfPoints).unit == 16
    assert [each.operand for each in nodes(made, tiles.OperandAddress)] == [LEFT, RIGHT]


def test_a_block_has_all_points_of_a_loop_in_order() -> None:
    *_, first, last = made = tile_of_points(IN_ORDER, 16)
    assert not nodes(made, tiles.ShareOfPoints) and isinstance(first, Declare) and isinstance(last, Declare)
    assert (first.symbol.name, last.symbol.name) == ("@at", "@last") and first.init == ZERO
    assert last.init is not None and told(last.init) == ["@points"]


def test_a_tile_without_points_is_left_before_anything_is_found() -> None:
    kept = (declare("i", INT, variable("@outer")),)
    made = tile_of_points(replace(SUMS, occupied=binary("<", N, M), kept=kept, outers=P), 1)
    assert kinds(made)[:4] == [tiles.TileOfBlock, Declare, tiles.LeaveEmpty, tiles.OperandAddress]
    assert told(node(made, tiles.LeaveEmpty).occupied) == ["n < m"]


# ---- in registers ------------------------------------------------------------------------------------------


def test_a_stage_is_fetched_while_the_one_before_it_is_used() -> None:
    made = in_registers(SUMS)
    stages = node(made, tiles.StagesAhead)
    assert told(stages.is_next) == ["@next < @last"]
    assert [kinds(each) for each in (stages.fetch, stages.use, stages.show)] == [
        [tiles.FetchTile], [tiles.UseTile], [tiles.StoreTile, Sync],
    ]  # fmt: skip
    (fetch,) = nodes(made, tiles.FetchTile)
    assert told(fetch.point, fetch.last) == ["@next", "@last"]
    use = node(made, tiles.UseTile)
    assert use.whole is not None and use.last is not None
    assert told(use.whole, use.last) == ["@next <= @last", "@last"] and (use.element, use.unrolled) == ("@element", 4)


def test_places_that_are_found_once_serve_all_stages() -> None:
    made = in_registers(replace(SUMS, is_stepwise=True))
    even = node(made, tiles.EvenStages)
    most, stages = even.body
    assert isinstance(most, Declare) and most.init is not None
    assert told(most.init) == ["@last - (@is_whole ? DEPTH : 1)"]
    assert isinstance(stages, tiles.StagesAhead) and told(stages.is_next) == ["@next <= @most"]
    assert [told(each.left) for each in nodes(stages.fetch, tiles.FetchNext)] == [["@last - @next"]]
    assert kinds(stages.show) == [tiles.StoreTile, Sync] and node(stages.use, tiles.UseTile).in_forms
    assert even.operands == (LEFT, RIGHT) and even.takes_rest
    rest = [each.rest for each in even.operands]
    assert [(each.width, each.is_whole) for each in rest] == [(1, False)] * 2


def test_stages_on_the_diagonal_stand_around_those_that_all_points_have() -> None:
    here, ahead = binary("<", variable("@at"), N), binary("<", variable("@next"), N)
    whole = replace(ELEMENT, function="@whole_element")
    partial = PartialTiles(None, M, here, ahead, whole)
    operands = (replace(LEFT, read=ONE, is_read="@x_is_read"), RIGHT)
    triangles = replace(SUMS, operands=operands, partial=partial, is_stepwise=True)
    first = tile_of_points(triangles, 16)
    assert kinds(first)[-2:] == [tiles.RangeOfPoints, tiles.ShareOfPoints] and node(first, tiles.ShareOfPoints).ranged
    *_, begin, end = tile_of_points(replace(triangles, begin=BEGIN), 16)
    assert isinstance(begin, Declare) and isinstance(end, Declare) and begin.init is not None and end.init is not None
    assert told(begin.init, end.init) == ["@begin", "@end"]
    for last in (M, None):
        made = in_registers(replace(triangles, partial=replace(partial, last=last)))
        assert [each.element for each in nodes(made, tiles.UseTile)] == ["@whole_element", "@element"]
        assert nodes(made, tiles.EachStage) and not node(made, tiles.EvenStages).takes_rest
        # All threads have used the last whole stage before another one takes its place.
        (left,) = (each for each in made if isinstance(each, If))
        assert kinds(left.then) == [Sync, tiles.PartsOfOperands, tiles.EachStage]
    made = in_registers(replace(triangles, partial=replace(partial, first=P)))
    (before, behind), inside = nodes(made, tiles.EachStage), node(made, tiles.StagesAhead)
    assert told(before.condition) == ["@at < @last && !(@at + DEPTH <= @last && @at < n)"]
    assert told(inside.is_next, behind.condition) == ["@next + DEPTH <= @last && @next < n", "@at < @last"]


@pytest.mark.parametrize(
    ("least", "groups"),
    [
        ((8, 8), ["4", "4"]),
        ((4, 4), ["4", "4"]),
        ((2, 8), ["DOWN < 4 ? DOWN : 4", "4"]),
        ((8, 2), ["4", "ACROSS < 4 ? ACROSS : 4"]),
    ],
)
def test_neighbours_are_no_more_than_the_points_of_a_thread(least: tuple[int, int], groups: list[str]) -> None:
    sizes = (TileSize(8, 8, 8, 2), TileSize(*least, 8, 2))
    memory = node(in_registers(replace(SUMS, sizes=sizes)), tiles.TileMemory)
    assert told(memory.down, memory.across) == groups


def test_points_begin_with_nothing_or_with_a_value() -> None:
    assert nodes(in_registers(SUMS), tiles.StartTile) and not nodes(in_registers(SUMS), tiles.BeginPoints)
    made = in_registers(IN_ORDER)
    assert nodes(made, tiles.BlankTile) and not nodes(made, tiles.StartTile)
    begins = node(made, tiles.BeginPoints)
    start, value = begins.body
    assert begins.of == "points" and start == BEGIN.start[0]
    assert isinstance(value, Assign) and told(value.target, value.value) == ["@acc[@r][@c]", "1"]
    alike = node(in_registers(replace(IN_ORDER, begin=replace(BEGIN, alike=True, start=()))), tiles.BeginPoints)
    assert alike.of == "items"


def test_points_without_a_reduced_one_begin_with_no_value() -> None:
    some = replace(BEGIN, loops=binary("<", N, M), start=())
    (value,) = node(in_registers(replace(IN_ORDER, begin=some)), tiles.BeginPoints).body
    assert isinstance(value, If) and told(value.condition) == ["n < m"] and kinds(value.then) == [Assign]


def test_results_are_handed_over_between_two_barriers() -> None:
    handed = [Sync, tiles.HandOver, Sync]
    alone = node(in_registers(IN_ORDER), tiles.EachLine)
    assert told(alone.count) == ["DOWN"] and kinds(alone.body) == [*handed, tiles.PointsOfLines]
    total, *post = node(alone.body, tiles.PointsOfLines).body
    assert isinstance(total, Declare) and total.init is not None and told(total.init) == ["@results[@x]"]
    assert tuple(post) == POST and not nodes(in_registers(IN_ORDER), tiles.LeaveTile)


def test_blocks_that_share_a_tile_leave_their_points() -> None:
    made = in_registers(SUMS)
    order = [
        each for each in kinds(made) if each in (tiles.StagesAhead, tiles.SlotsOfTile, tiles.LeaveTile, tiles.EachLine)
    ]
    assert order == [tiles.StagesAhead, tiles.SlotsOfTile, tiles.LeaveTile, tiles.EachLine]
    if_alone, points = node(made, tiles.EachLine).body
    assert isinstance(if_alone, If) and told(if_alone.condition) == ["gridDim.y == 1"]
    assert kinds(if_alone.then) == [Sync, tiles.HandOver, Sync]
    total = node((points,), tiles.TotalOfTile)
    assert told(total.here, total.slot) == ["@results[@x]", "@r * 16 * @tile_columns + @x"]


# ---- folded into rows --------------------------------------------------------------------------------------


def test_rows_of_tiles_go_through_the_columns() -> None:
    made = rows_of_tiles(IN_ORDER, FOLDED, in_shared=True)
    assert kinds(made)[0] is tiles.RowsOfTiles and node(made, tiles.FoldedPlaces).in_shared
    stage = node(made, tiles.EachStage)
    assert told(stage.condition) == ["@first_column < @last_column"]
    assert kinds(stage.body) == [
        tiles.StoreTile, Sync, tiles.NextOfTiles, If, tiles.BeginTile, tiles.UseTile, If, Assign, Assign
    ]  # fmt: skip
    ahead, ends = nodes(stage.body, If)[:2]
    assert told(ahead.condition, ends.condition) == ["@next_column < @last_column", "@ends"]
    whole = node(stage.body, tiles.UseTile).whole
    assert whole is not None and told(whole) == ["@at + DEPTH <= @points"] and kinds(ends.then) == [tiles.FoldPoints]
    moved = [each for each in stage.body if isinstance(each, Assign)]
    assert [told(each.target, each.value) for each in moved] == [
        ["@at", "@next"], ["@first_column", "@next_column"]
    ]  # fmt: skip


def test_points_are_folded_by_a_function_and_rows_are_combined_last() -> None:
    made = rows_of_tiles(IN_ORDER, FOLDED, in_shared=False)
    fold, points = node(made, tiles.FoldOfPoint), node(made, tiles.FoldPoints)
    assert fold.fold == points.fold and fold.body == FOLDED.body and fold.accumulator is LEAST
    assert (points.points, points.accumulator, points.takes) == (SUM, LEAST, ("@row",))
    assert kinds(made)[-5:] == [
        tiles.CombineFolded, Sync, tiles.SlotsOfTile, tiles.LeaveTile, tiles.RowsOfTile
    ]  # fmt: skip
    total, *post = node(made, tiles.RowsOfTile).body
    assert isinstance(total, tiles.TotalOfTile) and tuple(post) == POST


# ---- in fragments ------------------------------------------------------------------------------------------


def test_a_stage_of_fragments_waits_before_it_fetches_into_the_one_that_is_free() -> None:
    made = in_fragments(SUMS, PRODUCT)
    stage = node(made, tiles.EachStage)
    behind = [Declare, Declare, If, tiles.CommitStage, tiles.MultiplyFragments, Assign]
    assert stage.sets == 3 and kinds(stage.body) == [tiles.WaitForStage, Sync, *behind]
    first, ahead = nodes(made, tiles.FetchFragments)
    assert told(first.stage, first.point, ahead.stage, ahead.point) == ["@now", "@next", "@free", "@next"]
    inits = [each.init for each in nodes(made, Declare) if each.symbol.name in ("@free", "@next")]
    assert told(*(each for each in inits if each is not None)) == [
        "@at + @now * @tensor_depth", "@now == 0 ? @stages - 1 : @now - 1", "@at + (@stages - 1) * @tensor_depth",
    ]  # fmt: skip
    assert node(made, tiles.TensorMemory).product is node(made, tiles.MultiplyFragments).product is PRODUCT


def test_fragments_go_to_threads_by_way_of_shared_memory() -> None:
    made = in_fragments(SUMS, PRODUCT)
    assert kinds(made)[-3:] == [tiles.SlotsOfTile, tiles.LeaveTile, tiles.EachLine]
    lines = node(made, tiles.EachLine)
    assert told(lines.count) == ["@high_fragments"] and lines.why
    total = node(lines.body, tiles.TotalOfTile)
    assert told(total.here, total.slot) == ["@tile_of.results[@line][@place]", "@own_row * @tile_columns + @place"]
    assert {each.of for each in nodes(made, tiles.HandOver)} == {node(made, tiles.LeaveTile).of} == {"fragments"}
