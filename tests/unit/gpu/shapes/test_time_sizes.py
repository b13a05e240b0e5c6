"""How large tiles of several iterations are, and how many iterations a launch does."""

from __future__ import annotations

import pytest

from pencilc.gpu.shapes.time_sizes import moved_bytes, tile_bytes, untiled_bytes
from pencilc.options import CompileOptions, Tuning
from pencilc.target import STATIC_SHARED
from tests.unit.gpu.in_time import BOTH, COPIED, IN_PLACE, LINE, loop, tiling


@pytest.mark.parametrize("body", [COPIED, BOTH, IN_PLACE, LINE])
def test_a_tile_fits_and_moves_fewer_bytes(body: str) -> None:
    made = tiling(body)
    assert tile_bytes(made) <= STATIC_SHARED and made.count >= 2
    assert moved_bytes(made) < untiled_bytes(made) / 2


def test_a_tile_that_is_asked_for_is_taken_as_it_is() -> None:
    asked = (("time_steps", 3), ("time_down", 7), ("time_across", 5))
    made = tiling(COPIED, CompileOptions(tuning=Tuning((("f_loop0", asked),))))
    assert made.sides == (7, 5) and made.count == 3
    assert (made.launch.time_down, made.launch.time_across, made.launch.time_steps) == (7, 5, 3)
    none = loop(COPIED, CompileOptions(tuning=Tuning((("f_loop0", (("time_steps", 1),)),))))
    assert none.tiling is None and none.not_tiled == "no tile that fits on the chip moves fewer bytes"
