"""The trees of kernels whose values go to bins: which nodes each form has, in which order, and where threads meet."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.bins import (
    FEWEST_SLOTS,
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
    hot_slots,
)
from pencilc.ir.combining import EachRow
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.nodes import If, SharedDecl, Sync
from pencilc.options import CompileOptions
from pencilc.report.text import report_text
from tests.unit.codegen.programs import functions, node, nodes, told
from tests.unit.codegen.test_indirect import LARGE, ORDERED, ROWS
from tests.unit.codegen.test_ragged_bins import ROWS as RAGGED
from tests.unit.records import BINS, DEFAULT, HEAD, TAIL


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


@pytest.mark.parametrize(
    ("size", "tables", "slots"),
    [(4, 1, 2048), (8, 1, 1024), (8, 2, 512), (8, 7, 128), (8, 8, 128), (8, 24, 64), (8, 25, 0), (4, 32, 64),
     (4, 33, 0), (4, 5000, 0), (8, 30000, 0)],
)  # fmt: skip
def test_tables_of_too_few_slots_are_none(size: int, tables: int, slots: int) -> None:
    assert hot_slots(size, tables) == slots and slots * (8 + size) * tables <= HOT_BYTES


def many(count: int) -> str:
    """So many updates of 32 bits, each of bins of its own."""
    arrays = "".join(f"int z{k}[n]; " for k in range(count))
    inits = "".join(f"INIT(&z{k}[k], izero); " for k in range(count))
    updates = "".join(f"UPDATE(&z{k}[q[j]], {k}, iadd); " for k in range(count))
    reads = " + ".join(f"z{k}[k]" for k in range(count))
    return f"{arrays}FOR(k, n) {{ {inits}}} FOR(j, m) {{ {updates}}} FOR(k, n) p[k] = {reads};"


def test_many_reductions_in_one_kernel_go_to_the_bins_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pencilc.ir.bins.HOT_BYTES", 2 * FEWEST_SLOTS * (8 + 4))
    whole, none = made(many(2), "indirect_global"), made(many(3), "indirect_global")
    assert [each.slots for each in nodes(whole, HotBins)] == [FEWEST_SLOTS] * 2
    assert kinds(none)[:4] == [*[PutAtOnce] * 3, PointElement] and not nodes(none, Sync)
    assert not nodes(none, PutHot) and not nodes(none, HotTotals) and len(nodes(none, Atomic)) == 3


def test_the_report_tells_that_there_are_no_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pencilc.ir.bins.HOT_BYTES", 2 * FEWEST_SLOTS * (8 + 4))
    two, three = (
        report_text(compile_source(SourceFile("f.c", HEAD + many(count) + TAIL), DEFAULT)) for count in (2, 3)
    )
    assert "by atomics" in two and "no table" not in two
    line = "no table on chip for the bins of `z1` that a block meets often: 3 reductions share the memory for them"
    assert three.count("no table on chip") == 3 and line in three


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
