"""The plan of a level that is too large for an exact one."""

from __future__ import annotations

from pencilc.gpu.fusion.greedy import GreedyPlanner
from pencilc.ir.mapping import Fusion, HostItem, Packed, Stitched
from pencilc.options import Fuse
from tests.unit.gpu.fusion.members import composer, members, model, packer, stitcher
from tests.unit.records import ROW_SUMS, SOFTMAX

FREE = " FOR(j, m) q[j] = 2;"


def planned(body: str, mode: Fuse = "model") -> tuple[list[HostItem], list[Fusion]]:
    """The items of the region, and what was looked at."""
    planner = GreedyPlanner(stitcher(body), composer(body), packer(body, mode), model(body), mode, ())
    pairs = members(body)
    return list(planner.level([p for p, _ in pairs], tuple(k for _, k in pairs))), planner.fusions


def test_a_run_is_stitched_as_far_as_that_goes() -> None:
    (item,), told = planned(SOFTMAX)
    assert isinstance(item, Stitched) and len(item.stages) == 3
    assert [f.kernels for f in told if f.taken] == [("f_row0", "f_row1", "f_parallel2")]


def test_pairs_only_where_that_is_asked_for() -> None:
    items, _ = planned(SOFTMAX, "pairwise")
    assert len(items) == 2 and sum(isinstance(item, Stitched) for item in items) == 1


def test_what_is_left_is_packed() -> None:
    items, told = planned(ROW_SUMS + FREE)
    (packed,) = items
    assert isinstance(packed, Packed) and len(packed.kernels) == 2
    assert [f.way for f in told if f.taken] == ["packed"]


def test_why_not_is_told() -> None:
    """What one thread has written another one reads, and nobody waits for it."""
    _, told = planned(SOFTMAX[:-1] + " FOR(j, m) x[i][j] = y[i][m - 1 - j]; }")
    assert any(not f.taken and "is written and read in different places" in f.reason for f in told)


def test_one_kernel_is_left_alone() -> None:
    items, told = planned("FOR(i, n) a[i] = 1;")
    assert [type(item).__name__ for item in items] == ["ParallelKernel"] and not told


def test_nothing_to_plan() -> None:
    body = "FOR(i, n) a[i] = 1;"
    planner = GreedyPlanner(stitcher(body), composer(body), packer(body), model(body), "model", ())
    assert planner.level((), ()) == ()
