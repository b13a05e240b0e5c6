"""The functions whose blocks fetch what a tile of points reads."""

from __future__ import annotations

from pencilc.ir.halo import CopyTile, EachPlane, HaloTile, LoadPlane, PlanePlaces, PointsOfTile, StorePlane
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.nodes import SharedDecl, Sync
from pencilc.ir.source import LLONG
from tests.unit.codegen.broken import function
from tests.unit.codegen.programs import node, nodes, told
from tests.unit.codegen.test_halo_walk import BLUR
from tests.unit.gpu.verifiers.test_halo import HEAT

PAIRS = """#include <pencil.h>
typedef struct { float v, w; } Pair;
void pairs(int p, int m, int n, const Pair a[static const restrict p][m][n], float b[static const restrict p][m][n]) {
#pragma scop
    for (int i = 1; i < p - 1; i++)
        for (int j = 1; j < m - 1; j++)
            for (int k = 1; k < n - 1; k++)
                b[i][j][k] = a[i - 1][j][k].v + a[i + 1][j][k].w + a[i][j - 1][k].v + a[i][j + 1][k].w + a[i][j][k].v;
#pragma endscop
}
"""


def halo(text: str) -> KernelFunction:
    return function(text, "halo")


def test_a_tile_is_fetched_and_shown_before_its_points_are_done() -> None:
    kinds = [type(each) for each in halo(BLUR).body]
    assert kinds.index(SharedDecl) < kinds.index(CopyTile) < kinds.index(Sync) < kinds.index(PointsOfTile)
    tile, copy = node(halo(BLUR), HaloTile), node(halo(BLUR), CopyTile)
    held = node(halo(BLUR), SharedDecl)
    assert (tile.planes, tile.outers) == (None, None) and told(tile.rows, tile.columns) == ["m - 2", "n - 2"]
    assert copy.count == (tile.down + 2) * (tile.across + 2) and held.count is not None and held.count >= copy.count


def test_points_outside_of_the_array_are_not_fetched() -> None:
    copy = node(halo(BLUR), CopyTile)
    assert copy.condition is not None and copy.whole is not None
    assert told(copy.address) == ["a[(long long)@x0 * n + @x1]"]


def test_planes_are_fetched_one_after_the_other() -> None:
    (loop,) = nodes(halo(HEAT), EachPlane)
    assert loop.lag == 2 and [type(each) for each in loop.fetch] == [StorePlane, LoadPlane, Sync]
    assert nodes(loop.body, PointsOfTile) and node(halo(HEAT), HaloTile).planes is not None
    assert "@depth" in {each.name for each in halo(HEAT).parameters}


def test_a_plane_is_loaded_while_the_points_of_the_one_before_are_done() -> None:
    """The first one in front of the loop; in each step the next one, if there is one, goes to registers."""
    (loop,) = nodes(halo(HEAT), EachPlane)
    first, following = nodes(halo(HEAT), LoadPlane)
    assert told(first.step, following.step) == ["0", "@step + 1"]
    store = node(loop.fetch, StorePlane)
    assert first.condition is not None and following.condition is not None and store.condition is not None
    assert told(first.condition, following.condition) == [
        "@a_first0 < p", "@step + 1 < @ours + 2 && @a_first0 + @step + 1 < p",
    ]  # fmt: skip
    assert told(store.condition, store.offset) == ["@a_first0 + @step < p", "(@step & 3) * 1170 + @at"]
    assert following.ahead == store.ahead and following.items == store.items == -(-1170 // 256)


def test_places_are_found_once_in_64_bits() -> None:
    """A plane may have more elements than an `int` counts."""
    places = node(halo(HEAT), PlanePlaces)
    assert places.place_type == LLONG and len(places.subscripts) == 2
    inside = "@at < 1170 && @x1 < m && @x2 < n - 1"
    assert told(places.place) == [f"{inside} ? (long long)(@at / 65) * n + @at % 65 : -1"]


def test_what_asks_for_plane_and_place_together_is_copied_step_by_step() -> None:
    """Members of some elements are read, and of none between: no box of elements is all that is fetched."""
    (loop,) = nodes(halo(PAIRS), EachPlane)
    assert [type(each) for each in loop.fetch] == [CopyTile, Sync]
    copy = node(loop.fetch, CopyTile)
    assert copy.plane is not None and copy.condition is not None
