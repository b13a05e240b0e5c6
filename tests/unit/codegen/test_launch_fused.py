"""Launches of fused kernels: where they fit, and where they leave the work to those behind them."""

from __future__ import annotations

from dataclasses import replace

from pencilc.codegen.cexpr import expression
from pencilc.codegen.launch_fused import in_tiles, stitched
from pencilc.ir.build import number, variable
from pencilc.ir.launches import LaunchStitched, StitchedForms, TiledInstead
from pencilc.ir.launching import HeldForms, HostValues, StartHeld
from pencilc.ir.nodes import If, blocks_in
from pencilc.ir.source import Assign
from pencilc.options import CompileOptions, StitchedLaunch, TileLaunch
from pencilc.target import TARGETS
from tests.unit.codegen.launched import N, does
from tests.unit.records import SOFTMAX

WHOLE = """float s; INIT(&s, zero); FOR(i, n) UPDATE(&s, a[i], add);
float t; INIT(&t, zero); FOR(i, n) UPDATE(&t, a[i] * s, add); FOR(i, n) b[i] = a[i] * t;"""
ROW = LaunchStitched(
    name="f", block=256, rows=N, length=variable("m"), width=4, chunks=(1, 2), is_held=False,
    forms=StitchedForms((1, 2), (1, 2), 0), exchanges=1, parts="f", long=None, grid=None, wide=(), instead=(),
    launch=StitchedLaunch(),
)  # fmt: skip
TILES = TiledInstead(N, N, variable("m"), number(1), TileLaunch())


def test_a_row_that_fits_is_held_and_the_flag_says_so() -> None:
    nodes = tuple(blocks_in(stitched(ROW)))
    (told,) = (each for each in nodes if isinstance(each, Assign))
    (chosen,) = (each for each in nodes if isinstance(each, If))
    assert expression(told.value) == expression(chosen.condition) == "@threads > 0"
    (start,) = chosen.then
    assert isinstance(start, StartHeld)
    (forms,) = (each for each in nodes if isinstance(each, HeldForms))
    assert [each.instance for each in forms.forms] == ["f<1>", "f<2>"]


def test_rows_that_all_fit_ask_nothing() -> None:
    held = replace(ROW, is_held=True)
    assert not [each for each in blocks_in(stitched(held)) if isinstance(each, If | Assign)]


def test_tiles_stand_in_where_there_are_many_points() -> None:
    _, told = in_tiles((TILES, TILES))
    assert isinstance(told, HostValues)
    (value,) = told.values
    one = "n >= 16 && n >= 16 && 1ll * n * n * m * 1 >= 16777216"
    assert expression(value.value) == f"{one} && {one}"
    assert in_tiles(()) == ()


def test_a_row_of_the_whole_grid_has_a_warp_a_block_or_all_blocks() -> None:
    lines = does(WHOLE)
    chosen = [line for line in lines if line.startswith("if (")]
    assert "if (@chunks <= 256)" in chosen and "if (@chunks <= 2048)" in chosen
    assert [line for line in lines if line.startswith("configure") and line.endswith("together 1")]
    assert [line for line in lines if line.startswith("ask resident")]


def test_longer_rows_have_shared_memory() -> None:
    rounds = "(@length + 2047) / 2048 rounds of 8192 bytes"
    assert f"start f_stitched0_long in clusters if {rounds} fit, @f_stitched0_fits" in does(SOFTMAX)
    plain = does(SOFTMAX, CompileOptions(target=TARGETS["sm_80"]))
    assert "start f_stitched0_long if (@length + 2047) / 2048 * 8192 bytes fit, @f_stitched0_fits" in plain
