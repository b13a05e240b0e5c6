"""Tiles of several iterations that are broken by hand: their verifier refuses each."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
import pytest

from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.gpu.verifiers.time import verify_time
from pencilc.ir.mapping import HostLoop
from pencilc.ir.time_tiles import Reach, StepOfTile, TimeTiling
from tests.unit.gpu.in_time import ALL_EDGES, BORDERS, BOTH, BY_NUMBER, IN_PLACE, IN_TURNS, TURNS, held, tiling
from tests.unit.records import timed


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


def test_what_is_read_inwards_is_read_from_a_border() -> None:
    step = tiling(BOTH).steps[1]
    inside = replace(step, reads={"y": ((0, 0), (0, 1))}, inward=((1, 0), (0, 0)))
    refused(with_step(1, inside), "f_parallel1 does not lie on a border of all tiles")


@pytest.mark.parametrize("inward", [((0, 0), (0, 0)), ((1, 0), (0, 0))])
def test_a_border_that_reads_further_inwards_than_is_held_is_refused(inward: Reach) -> None:
    made = tiling(BORDERS)
    changed = replace(made, steps=(*made.steps[:2], replace(made.steps[2], inward=inward), made.steps[3]))
    refused(changed, "reads what (no block has fetched|.* has not left right)|does not lie on a border", BORDERS)


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


def test_tiles_of_fewer_rows_than_was_reckoned_with_are_refused() -> None:
    made = tiling(ALL_EDGES)
    few = replace(made, launch=replace(made.launch, time_side=1))
    refused(few, "not all that is written of `y` is stored|`y` is needed from the iteration before", ALL_EDGES)


def test_a_step_in_another_turn_is_refused() -> None:
    made = tiling(TURNS)
    first, second = made.steps
    refused(replace(made, steps=(replace(first, turn=1), second)), "f_parallel0 has iterations that are not its", TURNS)
    refused(replace(made, period=1), "f_parallel1 has iterations that are not its turn|", TURNS)


def test_a_round_of_which_an_array_is_not_made_is_refused() -> None:
    """The second turn writes x, which the last round may not have."""
    made = tiling(TURNS)
    arrays = tuple(replace(each, carried=False) for each in made.arrays)
    refused(replace(made, arrays=arrays), "`x` is needed from the iteration before, and not handed on", TURNS)


def test_an_array_that_is_handed_on_must_be_swapped() -> None:
    refused(with_array("x", carried=False), "`x` is needed from the iteration before, and not handed on")
    refused(with_array("y", IN_PLACE, carried=False), "`y` is needed from the iteration before", IN_PLACE)


def test_elements_that_are_not_stored_are_refused() -> None:
    x = held(tiling(BOTH))["x"]
    less = x.written.intersect(isl.Set("[n, m] -> { [i, j] : i > 1 }"))
    refused(with_array("x", written=less), "not all that is written of `x` is stored")


def test_what_is_handed_on_outside_of_all_tiles_is_refused() -> None:
    x = held(tiling(BOTH))["x"]
    everywhere = isl.Set.universe(x.written.get_space())
    refused(with_array("x", written=everywhere, fetched=everywhere), "not all of `x` that launches hand on is stored")


def test_an_iteration_that_no_launch_does_is_refused() -> None:
    made = tiling(BOTH)
    later = made.first.add_constant_val(isl.Val(1))
    refused(replace(made, first=later), "has an iteration that no launch does")


def test_a_tile_without_room_is_refused() -> None:
    refused(replace(tiling(BOTH), sides=(64, 128)), "has no room in a block")


@pytest.mark.parametrize(
    ("body", "planes", "match"),
    [
        (IN_TURNS, ("made", "made", "handed on"), "`u` is needed from the iteration before, and not handed on"),
        (IN_TURNS, ("handed on", "made", "read"), "`u` is written in plane 2, and not stored"),
        (BY_NUMBER, ("made", "made", "read"), "`u` is needed from the iteration before, and not handed on"),
        (BY_NUMBER, ("handed on", "unused", "read"), "`u` is written in plane 1, and not stored"),
        (IN_TURNS, ("handed on", "made"), "`u` has other planes than those that blocks hold"),
    ],
)
def test_planes_that_are_something_else_are_refused(body: str, planes: tuple[str, ...], match: str) -> None:
    refused(with_array("u", body, planes=planes), match, body)
