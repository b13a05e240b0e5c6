"""What the dump says of each node of tiles, and which nodes stand inside of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.codegen.tile_lines import tile_line, tile_parts
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import UNKNOWN_SPAN
from pencilc.ir import tiles
from pencilc.ir.build import variable
from pencilc.ir.nodes import BuildingBlock, Parameter, Sync
from pencilc.ir.shapes import TileSize
from pencilc.ir.source import FLOAT, INT, Jump
from tests.unit.codegen.by_hand import SUM

A, B, N, M, P = (variable(name) for name in "abnmp")
NODES, OTHER = (Sync("warp"),), (Jump("break", UNKNOWN_SPAN),)
DOWN = tiles.OperandTile(
    "x", FLOAT, A, NODES, True, True, 4, True, "@x_at", "@x_part", "@x_tiles", "@x_whole", "@x_chunks", "@x_here"
)
ACROSS = replace(
    DOWN, register="y", down=False, deep=False, fetch="@y_at", part="@y_part", tiles="@y_tiles", recover=()
)
BOTH = (DOWN, ACROSS)
HALVES = tiles.FragmentNames("factors", "sums", "multiply")
PRODUCT = tiles.TensorProduct("__half", HALVES, 64, 3, 16, 4, False, DOWN, ACROSS)
USE = tiles.UseTile(SUM, "@element", BOTH, None, None, False, A, B, 0, 0)

LINES: list[tuple[BuildingBlock, str]] = [
    (tiles.TileOfBlock(N, M, P, None), "a tile of points, n x m of p each"),
    (tiles.TileOfBlock(N, M, P, A), "a tile of points, n x m of p each, a layers"),
    (tiles.RowsOfTiles(N, M, P, None), "rows of tiles of points, n x m of p each"),
    (tiles.LeaveEmpty(A), "leave unless a"),
    (tiles.RangeOfPoints(16, None, N), "@begin to @end, the reduced points of the tile before n, by 16"),
    (tiles.RangeOfPoints(8, A, B), "@begin to @end, the reduced points of the tile from a before b, by 8"),
    (tiles.RangeOfPoints(8, A, None, B), "@begin to @end, the reduced points of the tile from a, by 8, none unless b"),
    (tiles.ShareOfPoints(16, True), "@at to @last, a share of the reduced points from @begin to @end, by 16"),
    (tiles.ShareOfPoints(16), "@at to @last, a share of the reduced points, by 16"),
    (tiles.FromArch(80, NODES, OTHER), "from 80 on"),
    (tiles.OperandAddress(DOWN), "@x_at of float x, down, chunks of 4 along the depth, a"),
    (tiles.OperandAddress(ACROSS), "@y_at of float y, across, chunks of 4 along the side, a"),
    (tiles.TileMemory(BOTH, (TileSize(16, 8, 8, 1), TileSize(4, 4, 16, 3)), N, M),
     "two sets of @x_tiles, @y_tiles: 16 x 8 of a thread 8 deep, 4 x 4 of a thread 16 deep, groups of n x m"),
    (tiles.PartsOfOperands(BOTH), "parts @x_part, @y_part of a thread"),
    (tiles.FetchTile(BOTH, A, B, N), "fetch @x_part, @y_part from a, of b"),
    (tiles.EvenStages(BOTH, True, NODES), "even stages of @x_part, @y_part, by chunks, then by elements what is left"),
    (tiles.EvenStages(BOTH, False, NODES), "even stages of @x_part, @y_part, by chunks, or by elements"),
    (tiles.FetchNext(BOTH, A), "fetch @x_part, @y_part of the next stage, of a points"),
    (tiles.CopyRead(BOTH, A, B), "copy what is read to @x_tiles, @y_tiles, from a, of b"),
    (tiles.StoreTile((DOWN,)), "store @x_part to set @now"),
    (tiles.EachStage(A, NODES), "stages @now of 2 while a"),
    (tiles.StagesAhead(A, NODES, OTHER, NODES), "stages @now of 2, one ahead, while a"),
    (tiles.NextOfTiles(), "@next of the points, or of the next tile"),
    (USE, "@element for each point and depth of set @now, all where a, else to b"),
    (replace(USE, unrolled=4), "@element for each point and depth of set @now, all where a, else to b, 4 unrolled"),
    (replace(USE, whole=None), "@element for each point and depth of set @now, to b"),
    (replace(USE, in_forms=True), "@element for each point and depth of set @now, all where @is_whole, else to @last"),
    (replace(USE, last=None, unrolled=2), "@element for each point and depth of set @now, all, 2 unrolled"),
    (tiles.ElementOfTile("@element", (Parameter("i", INT), Parameter("x", FLOAT)), NODES), "@element(int i, float x)"),
    (tiles.StartTile(SUM), "start s of the points"),
    (tiles.StartFragments(PRODUCT, SUM), "start s of the fragments"),
    (tiles.BlankTile(SUM), "s of the points"),
    (tiles.BeginPoints("points", SUM, NODES), "for each of the points of a thread"),
    (tiles.BeginPoints("items", SUM, NODES), "for each of the places of a thread"),
    (tiles.BeginTile(NODES), "where a tile begins"),
    (tiles.EachLine(A, NODES), "lines @r of a"),
    (tiles.TileAgain(), "find the tile again"),
    (tiles.LinePlace(), "@own_row in the results"),
    (tiles.ResultsOfTile(SUM), "results of s, 16 lines"),
    (tiles.HandOver("items", A, SUM), "hand over line @r of items"),
    (tiles.PointsOfLines("fragments", NODES), "points of the lines, of fragments"),
    (tiles.SlotsOfTile("tile", SUM), "slots of the blocks of a tile"),
    (tiles.SlotsOfTile("rows", SUM), "slots of the blocks of a row of tiles"),
    (tiles.LeaveTile("rows", SUM), "where blocks share a tile, leave rows; the last one goes on with all"),
    (tiles.TotalOfTile(SUM, A, B), "@total of s: a, or of all blocks"),
    (tiles.EmptyTotal(SUM), "@total of s without elements"),
    (tiles.FoldedPlaces(SUM, False), "start s of the rows"),
    (tiles.FoldedPlaces(SUM, True), "start s of the rows, in shared memory"),
    (tiles.FoldOfPoint("@fold", ("@row",), FLOAT, SUM, NODES), "@fold(@row, @total, @acc)"),
    (tiles.FoldPoints("@fold", ("@row",), False, SUM, SUM), "@fold for each point"),
    (tiles.CombineFolded(SUM), "combine s over the threads of a row"),
    (tiles.RowsOfTile(NODES), "rows of the tile"),
    (tiles.TensorMemory(PRODUCT, SUM), "3 stages of __half, 64 deep, for tensor cores"),
    (tiles.ChunksOfFragments(BOTH), "where a thread finds whole chunks: @x_chunks, @x_chunks"),
    (tiles.WholeFragments((DOWN, replace(ACROSS, is_even=False, whole="@y_whole"))),
     "whether a thread fetches whole chunks: @x_whole, @y_whole, never"),
    (tiles.FirstStages(NODES), "stages @now but the last, each counted as one that is on its way"),
    (tiles.CommitStage(), "what is fetched counts as a stage"),
    (tiles.FetchFragments(BOTH, A, B, False), "fetch @x_part, @y_part from b to stage a"),
    (tiles.WaitForStage(), "wait for stage @now"),
    (tiles.MultiplyFragments(PRODUCT, SUM), "multiply @x_part, @y_part of stage @now, 4 unrolled"),
]  # fmt: skip
KINDS = {each for each in vars(tiles).values() if isinstance(each, type) and each.__module__ == tiles.__name__}


@pytest.mark.parametrize(
    ("node", "line"), LINES, ids=[f"{type(node).__name__}-{k}" for k, (node, _) in enumerate(LINES)]
)
def test_a_line_says_what_a_node_does(node: BuildingBlock, line: str) -> None:
    assert tile_line(node) == line


def test_each_node_has_a_line_here() -> None:
    made = {each for each in KINDS if issubclass(each, BuildingBlock)}
    assert {type(node) for node, _ in LINES} == made and len(made) > 30


def test_nodes_of_other_families_have_none() -> None:
    with pytest.raises(CompilerBug, match="no line says what Sync does"):
        tile_line(Sync("block"))
    assert not [*tile_parts(Sync("block"))]


def test_forms_of_other_devices_have_a_name() -> None:
    assert [*tile_parts(tiles.FromArch(80, NODES, OTHER))] == [("", NODES), ("on older ones", OTHER)]


def test_whatever_holds_nodes_shows_all_of_them() -> None:
    for node, _ in LINES:
        held = [value for name in node.__dataclass_fields__ if isinstance(value := getattr(node, name), tuple)]  # type: ignore[attr-defined]
        held += [node.operand.recover] if isinstance(node, tiles.OperandAddress) else []
        inside = [nodes for nodes in held if nodes and all(isinstance(each, Sync | Jump) for each in nodes)]
        shown = [nodes for _, nodes in tile_parts(node) if nodes]
        assert sorted(map(repr, shown)) == sorted(map(repr, inside)), node
