"""How large tiles with a halo are, and how what they hold lies in shared memory: tiles that are written by hand."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
import pytest

from pencilc.gpu.shapes import halo_sizes
from pencilc.ir.build import ZERO, element, variable
from pencilc.ir.shapes import BoxDimension, Halo, Held, HeldDimension, VectorAccess
from pencilc.ir.source import DOUBLE, FLOAT, HALF, SCHAR, CType, PointerType
from pencilc.options import HaloLaunch

SIDE = BoxDimension(isl.PwAff("[n] -> { [0] }"), isl.PwAff("[n] -> { [n] }"))


def held(ctype: CType, *dimensions: HeldDimension, transposed: bool = False) -> Held:
    """What a tile holds of an array."""
    read = VectorAccess("S0", element(variable("a", PointerType(ctype)), ZERO, ctype))
    return Held("a", (read,), dimensions, isl.Set("{ [a, b] }"), None, 1, transposed)


def star(ctype: CType = FLOAT, transposed: bool = False) -> Held:
    """A halo of one on each side, of two rows."""
    return held(ctype, HeldDimension(0, 1, -1, 1), HeldDimension(1, 1, -1, 1), transposed=transposed)


def tile(*arrays: Held, along: int | None = None, points: tuple[int, ...] = (16, 64)) -> Halo:
    """A tile of rows 0 and 1, or of planes 0 with rows 1 and 2."""
    down, across = (0, 1) if along is None else (1, 2)
    return Halo(down, across, along, arrays, (SIDE,) * (2 if along is None else 3), points)


PLANES = tile(
    held(FLOAT, HeldDimension(0, 1, -1, 1), HeldDimension(1, 1, 0, 0), HeldDimension(2, 1, 0, 0)),
    along=0, points=(32, 16, 64),
)  # fmt: skip


def test_a_tile_has_the_points_of_its_launch() -> None:
    launch = HaloLaunch(halo_across=128, halo_down=8, halo_depth=4)
    assert halo_sizes.tile_points(tile(), launch) == (8, 128)
    assert halo_sizes.tile_points(PLANES, launch) == (4, 8, 128)
    layers = replace(tile(), kept_box=(SIDE,) * 3, down=1, across=2)
    assert halo_sizes.tile_points(layers, launch) == (1, 8, 128)


def test_a_tile_holds_what_its_points_read() -> None:
    made = tile(star())
    assert halo_sizes.extents(made, made.held[0]) == (18, 66) and halo_sizes.pitches(made, made.held[0]) == (66, 1)
    assert halo_sizes.held_elements(made, made.held[0]) == 18 * 66
    assert halo_sizes.halo_bytes(made) == -(-18 * 66 * 4 // 16) * 16
    every_other = held(FLOAT, HeldDimension(0, 2, 0, 0), HeldDimension(None, 1, 0, 4))
    assert halo_sizes.extents(tile(every_other), every_other) == (31, 5)


def test_arrays_are_aligned_behind_each_other() -> None:
    odd = held(SCHAR, HeldDimension(0, 1, 0, 0), HeldDimension(None, 1, 0, 4))
    assert halo_sizes.halo_bytes(tile(odd)) == 80 and halo_sizes.halo_bytes(tile(odd, odd)) == 160
    assert halo_sizes.halo_bytes(tile(held(SCHAR, HeldDimension(None, 1, 0, 2)))) == 16


@pytest.mark.parametrize(("ctype", "pitch"), [(SCHAR, 68), (HALF, 66), (FLOAT, 67), (DOUBLE, 67)])
def test_rows_that_are_read_across_have_an_odd_number_of_words(ctype: CType, pitch: int) -> None:
    made = tile(star(ctype, transposed=True))
    assert halo_sizes.pitches(made, made.held[0]) == (pitch, 1)
    assert (pitch * ctype.size // max(4, ctype.size)) % 2 == 1


def test_planes_have_a_ring() -> None:
    assert (halo_sizes.reach_along(PLANES), halo_sizes.ring(PLANES)) == ((-1, 1), 4)
    assert halo_sizes.extents(PLANES, PLANES.held[0]) == (4, 16, 64)
    assert halo_sizes.pitches(PLANES, PLANES.held[0]) == (16 * 64, 64, 1)


@pytest.mark.parametrize(("low", "high", "ring"), [(0, 0, 2), (-1, 0, 4), (-1, 1, 4), (-2, 1, 8), (-3, 3, 8)])
def test_a_ring_has_a_place_for_the_next_plane(low: int, high: int, ring: int) -> None:
    made = tile(held(FLOAT, HeldDimension(0, 1, low, high)), along=0)
    assert halo_sizes.ring(made) == ring >= high - low + 2


def test_a_tile_of_one_plane_reaches_none() -> None:
    assert halo_sizes.reach_along(tile(star())) == (0, 0)


def test_sides_are_powers_of_two_that_threads_share() -> None:
    made = halo_sizes.with_points(tile(star()), {"halo_across": 100, "halo_down": 3, "halo_depth": 0})
    assert made is not None and made.points == (4, 64)
    launch = made.launch
    assert (launch.halo_across, launch.halo_down, launch.halo_depth) == (64, 4, 1)
    wide = halo_sizes.with_points(tile(star()), {"halo_across": 1024, "halo_down": 1})
    assert wide is not None and wide.points == (1, 256)
    narrow = halo_sizes.with_points(tile(star()), {"halo_across": 1, "halo_down": 1})
    assert narrow is not None and narrow.points == (16, 16)


def test_tiles_become_smaller_until_they_fit() -> None:
    found = []
    for arrays in range(1, 40):
        made = halo_sizes.with_points(tile(*(star(),) * arrays), {})
        assert made is None or halo_sizes.halo_bytes(made) <= halo_sizes.HALO_BYTES
        found.append(None if made is None else made.points)
    assert list(dict.fromkeys(found)) == [(32, 64), (16, 64), (32, 32), (16, 32), (16, 16), None]


def test_the_sides_across_give_way_before_those_down() -> None:
    made = halo_sizes.with_points(tile(*(star(),) * 8), {"halo_across": 64, "halo_down": 64})
    assert made is not None and made.points == (32, 32)


def test_a_tile_that_fills_its_share_of_shared_memory_fits() -> None:
    plain = held(FLOAT, HeldDimension(0, 1, 0, 0), HeldDimension(1, 1, 0, 0))
    made = halo_sizes.with_points(tile(*(plain,) * 8, *(held(SCHAR, *plain.dimensions),) * 5), {})
    assert made is not None and made.points == (16, 64) and halo_sizes.halo_bytes(made) == halo_sizes.HALO_BYTES
