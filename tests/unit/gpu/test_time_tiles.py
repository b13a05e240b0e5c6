"""Which loops on the host do several iterations in a launch, what their blocks hold, and why others do not."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import islpy as isl
import pytest

from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.gpu import passes
from pencilc.gpu.shapes.time_sizes import moved_bytes, tile_bytes, untiled_bytes
from pencilc.gpu.verifiers.time import verify_time
from pencilc.ir.mapping import HostLoop, loops_of
from pencilc.ir.time_tiles import HeldArray, StepOfTile, TimeTiling
from pencilc.options import CompileOptions, Tuning
from pencilc.target import STATIC_SHARED
from tests.unit.records import DEFAULT, looped, timed

INSIDE = "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)"
NEAR = "y[i][j] = x[i - 1][j] + x[i + 1][j] + x[i][j - 1] + x[i][j + 1];"
COPIED = f"FOR(t, 9) {{ {INSIDE} {NEAR} {INSIDE} x[i][j] = y[i][j]; }}"
BOTH = f"FOR(t, 9) {{ {INSIDE} {NEAR} {INSIDE} x[i][j] = y[i - 1][j] + y[i][j + 1]; }}"
ENDS = "FOR(j, m) { x[0][j] = x[1][j]; x[n - 1][j] = z[j]; }"
BORDERS = f"FOR(t, 9) {{ {INSIDE} {NEAR} {INSIDE} x[i][j] = y[i][j]; {ENDS} }}"
IN_PLACE = """FOR(t, 9) {
    for (int i = 1; i < n; i++) FOR(j, m) x[i][j] = x[i][j] - y[i][j] + y[i - 1][j];
    for (int i = 0; i < n - 1; i++) FOR(j, m) y[i][j] = y[i][j] - x[i + 1][j] + x[i][j];
}"""
ON_LINE = "for (int i = 1; i < n - 1; i++)"
LINE = f"FOR(t, 9) {{ {ON_LINE} b[i] = a[i - 1] + a[i + 1]; {ON_LINE} a[i] = b[i]; }}"


@cache
def loop(body: str, options: CompileOptions = DEFAULT) -> HostLoop:
    """The only loop on the host."""
    (found,) = loops_of(timed(body, options).items)
    return found


def tiling(body: str, options: CompileOptions = DEFAULT) -> TimeTiling:
    found = loop(body, options).tiling
    assert found is not None, loop(body, options).not_tiled
    return found


def held(made: TimeTiling) -> dict[str, HeldArray]:
    return {each.symbol: each for each in made.arrays}


def test_the_array_that_goes_from_iteration_to_iteration_is_swapped() -> None:
    made = tiling(COPIED)
    assert {name: each.carried for name, each in held(made).items()} == {"x": True, "y": False}
    assert [step.writes for step in made.steps] == [("y",), ("x",)]
    assert made.steps[0].reads == {"x": ((1, 1), (1, 1))} and made.steps[1].reads == {"y": ((0, 0), (0, 0))}
    assert made.reach == ((1, 1), (1, 1)) and made.behind(0) == ((0, 0), (0, 0))


def test_what_each_iteration_writes_before_it_reads_it_is_fetched_for_its_border_alone() -> None:
    y = held(tiling(BOTH))["y"]
    assert not y.carried and y.fetched is not None
    outside = y.fetched.subtract(y.written).intersect_params(isl.Set("[n, m] -> { : n = 5 and m = 4 }"))
    wanted = isl.Set("[n, m] -> { [0, j] : 1 <= j <= 2; [i, 3] : 1 <= i <= 3 }")
    assert wanted.intersect_params(isl.Set("[n, m] -> { : n = 5 and m = 4 }")).is_subset(outside)
    assert held(tiling(COPIED))["y"].fetched is None


def test_steps_behind_widen_what_a_step_does() -> None:
    made = tiling(BOTH)
    assert made.behind(0) == ((1, 0), (0, 1)) and made.reach == ((2, 1), (1, 2))
    x = held(made)["x"]
    assert made.margin(x) == tuple((low * made.count, high * made.count) for low, high in made.reach)
    assert made.extents(x) == tuple(
        side + (low + high) * made.count for side, (low, high) in zip(made.sides, made.reach, strict=True)
    )


def test_points_that_write_two_borders_are_two_steps() -> None:
    made = tiling(BORDERS)
    rows = [step.rows for step in made.steps]
    assert rows == [(0, 1), (0, 1), (None, 0), (None, 0)]
    assert made.steps[2].reads == {"x": ((0, 1), (0, 0))} and made.steps[3].reads == {}


def test_what_is_updated_in_place_is_swapped() -> None:
    made = tiling(IN_PLACE)
    assert all(each.carried for each in made.arrays) and made.reach == ((1, 1), (0, 0))


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


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (f"FOR(t, 9) {{ {INSIDE} {NEAR} {INSIDE} x[i][j] = y[i][m - 1 - j]; }}",
         "`y` is read at no constant distance from what is written"),
        (f"FOR(t, 9) {{ {INSIDE} {NEAR} {INSIDE} x[i][j] = y[p[i]][j]; }}",
         "data decide which elements of `y` are accessed"),
        ("FOR(t, 9) { FOR(i, n) a[i] = b[i]; FOR(i, n) FOR(j, m) x[i][j] = x[i][j] + a[i]; FOR(i, n) b[i] = x[i][0]; }",
         "the arrays that it writes have different numbers of dimensions, or too many"),
    ],
)  # fmt: skip
def test_what_has_no_tiles_says_why(body: str, reason: str) -> None:
    assert loop(body).tiling is None and loop(body).not_tiled == reason


def test_a_loop_of_launches_has_no_tiles() -> None:
    found = loop(COPIED, replace(DEFAULT, fuse="none"))
    assert found.kernel is None and found.tiling is None and not found.not_tiled


# ---- tiles that are broken by hand -------------------------------------------------------------------


def refused(changed: TimeTiling, match: str, body: str = BOTH) -> None:
    made = timed(body)
    items = tuple(replace(i, tiling=changed) if isinstance(i, HostLoop) else i for i in made.items)
    with pytest.raises(CompilerBug, match=match):
        verify_time(replace(made, items=items))


def with_step(number: int, changed: StepOfTile) -> TimeTiling:
    made = tiling(BOTH)
    return replace(made, steps=(*made.steps[:number], changed, *made.steps[number + 1 :]))


def with_array(name: str, body: str = BOTH, **changes: object) -> TimeTiling:
    made = tiling(body)
    return replace(made, arrays=tuple(
        replace(each, **changes) if each.symbol == name else each for each in made.arrays  # type: ignore[arg-type]
    ))  # fmt: skip


@pytest.mark.parametrize("side", [((0, 1), (1, 1)), ((1, 0), (1, 1)), ((1, 1), (0, 1)), ((1, 1), (1, 0))])
def test_a_halo_one_too_small_is_refused(side: tuple[tuple[int, int], ...]) -> None:
    step = replace(tiling(BOTH).steps[0], reads={"x": side})
    refused(with_step(0, step), "reads what no block has fetched|has not left right")


def test_a_step_that_leaves_too_little_to_the_next_is_refused() -> None:
    step = replace(tiling(BOTH).steps[1], reads={"y": ((0, 0), (0, 1))})
    refused(with_step(1, step), "f_parallel1 reads what (no block has fetched|f_parallel0 has not left right), of `y`")


def test_what_is_fetched_and_not_left_right_is_refused() -> None:
    first, second = tiling(BOTH).steps
    wide = replace(first, reads={**first.reads, "y": ((9, 9), (9, 9))})
    narrow = replace(second, reads={"y": ((0, 0), (0, 1))})
    changed = replace(tiling(BOTH), steps=(wide, narrow), sides=(4, 4), count=2)
    refused(changed, "f_parallel1 reads what f_parallel0 has not left right, of `y`")


def test_an_element_at_another_place_is_refused() -> None:
    step = replace(tiling(BOTH).steps[1], shifts=(1, 0))
    refused(with_step(1, step), "f_parallel1 (writes another element than its own|reads what no block has fetched)")


def test_steps_in_another_order_are_refused() -> None:
    made = tiling(BOTH)
    refused(replace(made, steps=made.steps[::-1]), "the steps of a tile are not the kernels of the loop")


def test_borders_that_are_not_fetched_are_refused() -> None:
    refused(with_array("y", fetched=None), "not all that is read of `y` is fetched")
    x = held(tiling(BOTH))["x"]
    refused(with_array("x", fetched=x.written), "not all that is read of `x` is fetched")


def test_an_array_that_is_handed_on_must_be_swapped() -> None:
    refused(with_array("x", carried=False), "`x` is needed from the iteration before, and not handed on")
    refused(with_array("y", IN_PLACE, carried=False), "`y` is needed from the iteration before", IN_PLACE)


def test_elements_that_are_not_stored_are_refused() -> None:
    x = held(tiling(BOTH))["x"]
    less = x.written.intersect(isl.Set("[n, m] -> { [i, j] : i > 1 }"))
    refused(with_array("x", written=less), "not all that is written of `x` is stored")


def test_an_iteration_that_no_launch_does_is_refused() -> None:
    made = tiling(BOTH)
    later = made.first.add_constant_val(isl.Val(1))
    refused(replace(made, first=later), "has an iteration that no launch does")


def test_a_tile_without_room_is_refused() -> None:
    refused(replace(tiling(BOTH), sides=(64, 128)), "has no room in a block")


def test_the_pass_is_one_of_the_list() -> None:
    assert passes.TIME.dump(timed(COPIED)).startswith("time tiles of f\n  for t on the host\n")
    assert looped(COPIED).items != timed(COPIED).items
