"""What the dump says of each node of bins, and which nodes stand inside of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.codegen.bin_lines import bin_line, bin_parts
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import UNKNOWN_SPAN
from pencilc.ir import bins
from pencilc.ir.build import ZERO, variable
from pencilc.ir.nodes import BuildingBlock, Parameter, Sync
from pencilc.ir.source import INT, Jump
from tests.unit.codegen.by_hand import GRID

HISTOGRAM = bins.BinSet(
    "h", "h", INT, 4, "iadd", "izero", ZERO, "atomicAdd", "int", "value", ((0, 4),), False, 8, 10, 1 << 20
)
UPDATE = bins.BinUpdate("S1", HISTOGRAM)
A, B, N, M = (variable(name) for name in "abnm")
ONE_NODE, OTHER, LAST = (Sync("warp"),), (Sync("block"),), (Jump("break", UNKNOWN_SPAN),)
RUN = bins.OneRun(GRID, N, (), OTHER, 16, 4, False, ONE_NODE, LAST)
RUNS = bins.PointsOfRuns(GRID, N, M, None, N, False, ONE_NODE, OTHER, LAST)

LINES: list[tuple[BuildingBlock, str]] = [
    (bins.Atomic(HISTOGRAM, A, B), "atomicAdd of b at a"),
    (bins.Atomic(replace(HISTOGRAM, atomic="swap"), A, B), "a loop of atomicCAS of b at a"),
    (bins.AddInOrder(HISTOGRAM, A, B, N), "lanes add n to bin b of a"),
    (bins.BinCopies((HISTOGRAM,), "block"), "copies of int h in @shared, a warp takes one of @copies"),
    (bins.BinCopies((HISTOGRAM, replace(HISTOGRAM, name="g")), "warp"),
     "copies of int h, int g in @shared, each warp has one"),
    (bins.ClearCopies((HISTOGRAM, replace(HISTOGRAM, name="g"))), "clear the copies of h, g"),
    (bins.HotBins(HISTOGRAM, 2048), "table of 2048 bins of h that are met often"),
    (bins.PutHot(HISTOGRAM, A, B, ONE_NODE), "b to the slot of a, else"),
    (bins.HotTotals(HISTOGRAM, 2048, ONE_NODE), "slots of h that a bin has taken, a thread of the block each"),
    (bins.EachBin(HISTOGRAM, ONE_NODE), "bins @bin of h, a thread of the block each"),
    (bins.TotalOfCopies(HISTOGRAM), "@total of the copies of h, by iadd"),
    (bins.PutAtOnce(HISTOGRAM, ONE_NODE), "put in bins of h"),
    (bins.ValueRun("S1", HISTOGRAM, ONE_NODE), "run of values of S1 for one bin, put behind it"),
    (bins.ValueRun("S1", HISTOGRAM, ()), "run of values of S1 for one bin"),
    (bins.EndRun("S1", ONE_NODE), "end of the run of S1"),
    (bins.KeptValue(UPDATE, "warp"), "keep a value of S1 for the lanes of its warp"),
    (bins.KeptValue(UPDATE, "chunk"), "keep a value of S1 for the points of its chunk"),
    (bins.KeptValue(UPDATE, "sort"), "keep a value of S1 for a sort"),
    (bins.KeepOfChunk(UPDATE), "keep that of S1 as point @k"),
    (bins.PutChunk(UPDATE), "put the chunk of S1 in the copy of h"),
    (bins.KeepPair(UPDATE, A), "keep that of S1 as pair a"),
    (bins.PutInBin("h", A, B), "put b in bin a of h"),
    (bins.PointElement((Parameter("i", INT), Parameter("j", INT)), ONE_NODE), "element of int i, int j"),
    (bins.PointElement((), ONE_NODE), "element of a point"),
    (bins.OfElement((A, B)), "element of a, b"),
    (bins.OfElement(()), "element of the point"),
    (bins.CountOfPoints(GRID, N, M, 16, True, True), "points, m runs of n, in chunks of 16"),
    (bins.CountOfPoints(GRID, None, None, 1, True, True), "points, 1 runs of a run, in chunks of 1"),
    (bins.ItemsInTurn(GRID, A, B, 4, ONE_NODE), "items a .. b of the grid, 4 in flight"),
    (bins.ItemsInTurn(GRID, None, B, 1, ONE_NODE), "items .. b of the grid, 1 in flight"),
    (bins.EachItemOfGrid(GRID, ONE_NODE), "items @item of the grid"),
    (bins.ItemPlace(False), "@item of this thread"),
    (bins.ItemPlace(True), "@item of this thread, number @l"),
    (bins.PointPlace(4, True, True), "@outer and @x of @item"),
    (bins.PointPlace(4, False, True), "@x of @item"),
    (bins.PointPlace(4, True, False), "@outer of @item"),
    (bins.PointsThere(A, B, 4), "a of 4 points are before b"),
    (bins.LoadPart(A, B, N), "load a from b, n left"),
    (bins.ChunkOrPoints(4, A, ONE_NODE, OTHER), "chunk of 4, a left"),
    (RUN, "run of n, chunks of 16, 4 in flight"),
    (RUNS, "points of n runs of m for each place"),
    (replace(RUNS, inner=None), "points of n runs of 1 for each place"),
    (bins.RunLengths(N, ONE_NODE), "lengths of n runs"),
    (bins.BlocksOfThread(HISTOGRAM, 4), "blocks @begin to @end of @splits, 4 groups of threads"),
    (bins.BinsOfWarps(HISTOGRAM, ONE_NODE), "bins @bin of h, a warp of them for each block"),
    (bins.TotalOfBlocks(HISTOGRAM, A), "@total of a, by iadd"),
    (bins.LeavePart(HISTOGRAM), "leave @total to the first group"),
    (bins.TotalOfGroups(HISTOGRAM, 4), "@total of 4 groups, by iadd"),
    (bins.BucketCopies(HISTOGRAM), "copies of 1024 bins of h for 8 warps"),
    (bins.EachBucket(HISTOGRAM, ONE_NODE), "buckets @bucket of 1024 bins, a block each"),
    (bins.PairsOfWarp(HISTOGRAM, ONE_NODE), "pairs of h, a share for each warp"),
    (bins.BinsOfBucket(HISTOGRAM, ONE_NODE), "bins @bin of the bucket that have something, @total by iadd"),
]  # fmt: skip
KINDS = {each for each in vars(bins).values() if isinstance(each, type) and each.__module__ == bins.__name__}
NODES = {each for each in KINDS if issubclass(each, BuildingBlock)}


@pytest.mark.parametrize(
    ("node", "line"), LINES, ids=[f"{type(node).__name__}-{k}" for k, (node, _) in enumerate(LINES)]
)
def test_a_line_says_what_a_node_does(node: BuildingBlock, line: str) -> None:
    assert bin_line(node) == line


def test_each_node_has_a_line_here() -> None:
    assert {type(node) for node, _ in LINES} == NODES and len(NODES) > 30


def test_nodes_of_other_families_have_none() -> None:
    with pytest.raises(CompilerBug, match="no line says what Sync does"):
        bin_line(Sync("block"))
    assert not [*bin_parts(Sync("block"))]


@pytest.mark.parametrize(
    ("node", "parts"),
    [
        (RUN, [("address", OTHER), ("whole", ONE_NODE), ("last", LAST)]),
        (RUNS, [("before", ONE_NODE), ("point", OTHER), ("after", LAST)]),
        (bins.ChunkOrPoints(4, A, ONE_NODE, OTHER), [("whole", ONE_NODE), ("each", OTHER)]),
        (bins.PairsOfWarp(HISTOGRAM, OTHER), [("", OTHER)]),
        (bins.PutHot(HISTOGRAM, A, B, OTHER), [("", OTHER)]),
        (bins.HotTotals(HISTOGRAM, 2048, OTHER), [("", OTHER)]),
        (bins.EndRun("S1", OTHER), [("", OTHER)]),
        (bins.TotalOfCopies(HISTOGRAM), []),
    ],
)
def test_parts_have_names_where_there_are_several(node: BuildingBlock, parts: list[tuple[str, object]]) -> None:
    assert [*bin_parts(node)] == parts


def test_whatever_holds_nodes_shows_all_of_them() -> None:
    for node, _ in LINES:
        held = [value for name in node.__dataclass_fields__ if isinstance(value := getattr(node, name), tuple)]  # type: ignore[attr-defined]
        inside = [nodes for nodes in held if nodes and all(isinstance(each, Sync | Jump) for each in nodes)]
        shown = [nodes for _, nodes in bin_parts(node) if nodes]
        assert sorted(map(repr, shown)) == sorted(map(repr, inside)), node
