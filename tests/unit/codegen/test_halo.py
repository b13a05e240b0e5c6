"""The functions whose blocks fetch what a tile of points reads."""

from __future__ import annotations

from pencilc.ir.halo import CopyTile, EachPlane, HaloTile, PointsOfTile
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.nodes import SharedDecl, Sync
from tests.unit.codegen.broken import function
from tests.unit.codegen.programs import node, nodes, told
from tests.unit.codegen.test_halo_walk import BLUR
from tests.unit.gpu.verifiers.test_halo import HEAT


def halo(text: str) -> KernelFunction:
    return function(text, "halo")


def test_a_tile_is_fetched_and_shown_before_its_points_are_done() -> None:
    kinds = [type(each) for each in halo(BLUR).body]
    assert kinds.index(SharedDecl) < kinds.index(CopyTile) < kinds.index(Sync) < kinds.index(PointsOfTile)
    tile, copy = node(halo(BLUR), HaloTile), node(halo(BLUR), CopyTile)
    held = node(halo(BLUR), SharedDecl)
    assert (tile.planes, tile.outers) == (None, None) and told(tile.rows, tile.columns) == ["m - 1 - 1", "n - 1 - 1"]
    assert copy.count == (tile.down + 2) * (tile.across + 2) and held.count is not None and held.count >= copy.count


def test_points_outside_of_the_array_are_not_fetched() -> None:
    copy = node(halo(BLUR), CopyTile)
    assert copy.condition is not None and copy.whole is not None
    assert told(copy.address) == ["a[(long long)@x0 * n + @x1]"]


def test_planes_are_fetched_one_after_the_other() -> None:
    (loop,) = nodes(halo(HEAT), EachPlane)
    assert loop.lag == 2 and [type(each) for each in loop.fetch] == [CopyTile, Sync]
    assert nodes(loop.body, PointsOfTile) and node(halo(HEAT), HaloTile).planes is not None
    copy = node(loop.fetch, CopyTile)
    assert copy.plane is not None and "@depth" in {each.name for each in halo(HEAT).parameters}
