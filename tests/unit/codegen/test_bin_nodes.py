"""The trees of kernels whose values go to bins: which nodes each form has, in which order, and where threads meet."""

from __future__ import annotations

from pencilc.ir.bins import (
    HOT_BYTES,
    AddInOrder,
    Atomic,
    BinCopies,
    BinsOfBucket,
    BinsOfWarps,
    BlocksOfThread,
    BucketCopies,
    ClearCopies,
    EachBin,
    EachBucket,
    EachItemOfGrid,
    EndRun,
    HotBins,
    HotTotals,
    ItemsInTurn,
    KeepPair,
    KeptValue,
    OneRun,
    PairsOfWarp,
    PointElement,
    PointsOfRuns,
    PutAtOnce,
    PutChunk,
    PutHot,
    ValueRun,
)
from pencilc.ir.combining import EachRow
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.nodes import If, SharedDecl, Sync
from pencilc.options import CompileOptions
from tests.unit.codegen.programs import functions, node, nodes, told
from tests.unit.codegen.test_indirect import LARGE, ORDERED, ROWS
from tests.unit.codegen.test_ragged_bins import ROWS as RAGGED
from tests.unit.records import BINS


def made(body: str, shape: str) -> KernelFunction:
    """The function of that shape."""
    (found,) = (each for each in functions(body).values() if each.shape == shape)
    return found


def kinds(found: KernelFunction | EachRow | EachBucket) -> list[type]:
    """The kinds of the nodes of one pair of braces."""
    return [type(each) for each in found.body]


def test_atomics_go_to_copies_and_these_home() -> None:
    function = made(BINS, "indirect_shared")
    assert kinds(function) == [
        SharedDecl, BinCopies, ClearCopies, Sync, ValueRun, KeptValue, PointElement, OneRun, EndRun, Sync, EachBin
    ]  # fmt: skip
    run, home = node(function, EndRun).put, nodes(node(function, EachBin).body, Atomic)
    assert [told(each.to, each.value) for each in run if isinstance(each, Atomic)] == [["@h_mine + @h_last", "@h_run"]]
    assert [told(each.to, each.value) for each in home] == [["&h[@bin]", "@total"]]
    assert node(function, KeptValue).waits == "chunk" and [each.update.name for each in nodes(function, PutChunk)] == [
        "h"
    ]


def test_atomics_on_the_bins_themselves_spare_those_that_a_block_meets_often() -> None:
    function = made(LARGE, "indirect_global")
    assert kinds(function) == [HotBins, Sync, PutAtOnce, PointElement, OneRun, Sync, HotTotals]
    (put,) = node(function, PutAtOnce).put
    assert isinstance(put, PutHot) and told(put.to, put.value) == ["&p[@bin]", "@value"]
    assert [told(each.to, each.value) for each in nodes(put.away, Atomic)] == [["&p[@bin]", "@value"]]
    (home,) = nodes(node(function, HotTotals).body, Atomic)
    assert told(home.to, home.value) == ["@bin", "@total"]
    slots = node(function, HotBins).slots
    assert slots & (slots - 1) == 0 and HOT_BYTES // 2 < slots * (8 + 4) <= HOT_BYTES


def test_tables_share_what_shared_memory_a_kernel_has_for_them() -> None:
    both = "FOR(k, n) { INIT(&p[k], izero); INIT(&y[k][0], zero); } "
    both += "FOR(j, m) { UPDATE(&p[q[j]], 1, iadd); UPDATE(&y[q[j]][0], 2.0f, add); }"
    function = functions(both, CompileOptions(determinism="none"))["f_indirect1_global"]
    tables = list(nodes(function, HotBins))
    assert len(tables) == 2 and sum(each.slots * (8 + each.bins.size) for each in tables) <= HOT_BYTES
    assert [each.slots for each in nodes(function, HotTotals)] == [each.slots for each in tables]


def test_values_in_order_stay_with_their_warp_and_rows_have_blocks() -> None:
    row = node(made(ROWS, "indirect_ordered"), EachRow)
    where = [k for k, kind in enumerate(kinds(row)) if kind in (ClearCopies, Sync, ItemsInTurn, EachBin)]
    assert [kinds(row)[k] for k in where] == [ClearCopies, Sync, ItemsInTurn, Sync, EachBin, Sync]
    assert node(made(ROWS, "indirect_ordered"), BinCopies).among == "warp"
    added = node(row.body, AddInOrder)
    assert told(added.copy, added.bin, added.value) == ["@y_mine", "@y_bin", "@y_value"]
    left, home = next(each for each in node(row.body, EachBin).body if isinstance(each, If)).then, nodes(row.body, If)
    assert len(left) == 1 and any(told(each.condition) == ["gridDim.x > 1"] for each in home)


def test_groups_of_threads_meet_twice_where_they_share_the_blocks() -> None:
    function = made(ORDERED, "indirect_finish")
    shared = node(function, BlocksOfThread).shares_blocks
    assert kinds(function) == [BlocksOfThread, BinsOfWarps]
    assert len(nodes(function, Sync)) == (2 if shared else 0) and shared


def test_pairs_know_their_places() -> None:
    twice = "FOR(k, n) INIT(&b[k], zero); FOR(i, n) { UPDATE(&b[p[i]], a[i], add); UPDATE(&b[p[i]], c[i], add); }"
    one, two = (nodes(made(body, "indirect_pairs"), KeepPair) for body in (ORDERED, twice))
    assert told(*(each.place for each in one)) == ["(@item - @first) * 4 + @k"]
    assert told(*(each.place for each in two)) == [
        "((@item - @first) * 4 + @k) * 2 + 0", "((@item - @first) * 4 + @k) * 2 + 1"
    ]  # fmt: skip
    assert {each.waits for each in nodes(made(twice, "indirect_pairs"), KeptValue)} == {"sort"}


def test_a_bucket_is_added_before_it_goes_home() -> None:
    function = made(ORDERED, "indirect_buckets")
    assert kinds(function) == [BucketCopies, EachBucket]
    assert kinds(node(function, EachBucket)) == [PairsOfWarp, Sync, BinsOfBucket, Sync]


def test_points_are_gone_through_as_memory_has_them() -> None:
    several = "FOR(k, 40) INIT(&h[k], izero); FOR(i, n) FOR(j, m) UPDATE(&h[(int)x[i][j]], 1, iadd);"
    turned = "FOR(k, 40) INIT(&h[k], izero); FOR(i, n) UPDATE(&h[p[n - 1 - i]], 1, iadd);"
    loops = (OneRun, ItemsInTurn, EachItemOfGrid, PointsOfRuns)
    found = [
        [type(each) for each in made(body, "indirect_shared").body if isinstance(each, loops)]
        for body in (BINS, several, turned, RAGGED)
    ]
    assert found == [[OneRun], [OneRun], [ItemsInTurn], [PointsOfRuns]]
    assert told(node(made(RAGGED, "indirect_shared"), PointsOfRuns).runs) == ["n - 1"]
