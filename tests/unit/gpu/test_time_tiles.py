"""Which loops on the host do several iterations in a launch, what their blocks hold, and why others do not."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
import pytest

from pencilc.gpu import passes
from tests.unit.gpu.in_time import (
    ALL_EDGES,
    BORDERS,
    BOTH,
    BY_NUMBER,
    COPIED,
    IN_PLACE,
    IN_TURNS,
    INSIDE,
    NEAR,
    TURNS,
    held,
    loop,
    tiling,
)
from tests.unit.records import DEFAULT, looped, timed


def test_the_array_that_goes_from_iteration_to_iteration_is_swapped() -> None:
    made = tiling(COPIED)
    assert {name: each.carried for name, each in held(made).items()} == {"x": True, "y": False}
    assert [step.writes for step in made.steps] == [("y",), ("x",)]
    assert made.steps[0].reads == {"x": ((1, 1), (1, 1))} and made.steps[1].reads == {"y": ((0, 0), (0, 0))}
    assert made.reach == ((1, 1), (1, 1)) and made.behind(0) == ((0, 0), (0, 0))


def test_iterations_that_take_turns_are_a_round() -> None:
    made = tiling(TURNS)
    assert made.period == 2 and made.iterations == 2 * made.count
    assert [(step.writes, step.turn) for step in made.steps] == [(("y",), 0), (("x",), 1)]
    assert {name: each.carried for name, each in held(made).items()} == {"x": True, "y": False}


def test_what_sizes_decide_goes_from_launch_to_launch() -> None:
    edges = "FOR(i, n) { y[i][0] = y[i][1]; y[i][m - 1] = y[i][m - 2]; }"
    edges += " FOR(j, m) { y[0][j] = y[1][j]; y[n - 1][j] = z[j]; }"
    made = tiling(
        f"FOR(t, 9) {{ {INSIDE} {NEAR} if (m > n + 9) {{ {edges} }} FOR(i, n) FOR(j, m) x[i][j] = y[i][j]; }}"
    )
    y = held(made)["y"]
    assert y.carried and y.written.n_basic_set() == 1 and y.fetched is not None and y.written.is_subset(y.fetched)


def test_steps_of_two_are_rounds_of_one_turn() -> None:
    made = tiling(COPIED.replace("FOR(t, 9)", "for (int t = 1; t < n; t += 2)"))
    assert made.period == 2 and [step.turn for step in made.steps] == [0, 0]
    assert made.first.is_equal(isl.PwAff("[n, m] -> { [(1)] }"))


def test_what_some_iterations_do_beside_what_all_do_is_no_turn() -> None:
    made = tiling(f"FOR(t, 9) {{ {INSIDE} {NEAR} if (t % 2 == 0) {{ {INSIDE} x[i][j] = y[i][j]; }} }}")
    assert made.period == 1


def test_arrays_that_end_at_different_places_lie_in_a_box() -> None:
    """Where m is 1 nothing writes the last row; the box has it then too."""
    body = """FOR(t, 9) {
        FOR(i, n) for (int j = 0; j < m - 1; j++) x[i][j] = x[i][j] - y[i][j + 1] + y[i][j];
        for (int i = 0; i < n - 1; i++) FOR(j, m) y[i][j] = y[i][j] - x[i + 1][j] + x[i][j];
    }"""
    box = tiling(body).box
    wanted = [isl.PwAff(f"[n, m] -> {{ [({size} - 1)] }}") for size in "nm"]
    assert all(side.upper.is_equal(end) for side, end in zip(box, wanted, strict=True))
    assert all(side.lower.is_equal(isl.PwAff("[n, m] -> { [(0)] }")) for side in box)


def test_what_each_iteration_writes_before_it_reads_it_is_fetched_for_its_border_alone() -> None:
    y = held(tiling(BOTH))["y"]
    assert not y.carried and y.fetched is not None
    sizes = isl.Set("[n, m] -> { : n = 50 and m = 40 }")
    outside = y.fetched.subtract(y.written).intersect_params(sizes)
    wanted = isl.Set("[n, m] -> { [0, j] : 1 <= j <= 38; [i, 39] : 1 <= i <= 48 }")
    assert wanted.intersect_params(sizes).is_subset(outside)
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
    nothing = ((0, 0), (0, 0))
    # What is read from a border inwards does not add up from iteration to iteration.
    assert made.steps[2].reads == {"x": nothing} and made.steps[2].inward == ((0, 1), (0, 0))
    assert made.steps[3].reads == {} and made.steps[3].inward == nothing
    assert made.reach == made.steps[0].reach and made.behind(3) == ((0, 1), (0, 0))


@pytest.mark.parametrize(
    ("edge", "reads", "inward"),
    [
        ("FOR(j, m) x[n - 1][j] = x[n - 2][j];", ((0, 0), (0, 0)), ((1, 0), (0, 0))),
        ("FOR(j, m) x[n - 1][j] = x[n - 3][j];", ((0, 0), (0, 0)), ((2, 0), (0, 0))),
        ("for (int i = 1; i < n; i++) x[i][0] = x[i - 1][1];", ((1, 0), (0, 0)), ((0, 0), (0, 1))),
        ("x[0][0] = x[1][2];", ((0, 0), (0, 0)), ((0, 1), (0, 2))),
        # Further inside, or from there outwards, a tile may end in between.
        ("FOR(j, m) x[2][j] = x[3][j];", ((0, 1), (0, 0)), ((0, 0), (0, 0))),
        ("FOR(j, m) x[0][j] = x[0][j] + z[j]; FOR(j, m) x[1][j] = x[0][j];", ((1, 0), (0, 0)), ((0, 0), (0, 0))),
    ],
)
def test_what_is_read_from_a_border_inwards(edge: str, reads: object, inward: object) -> None:
    whole = "FOR(i, n) FOR(j, m) x[i][j] = 2 * x[i][j];"
    made = tiling(f"FOR(t, 9) {{ {whole} {INSIDE} {NEAR} {INSIDE} x[i][j] = y[i][j]; {edge} }}")
    assert (made.steps[-1].reads["x"], made.steps[-1].inward) == (reads, inward)


def test_what_few_rows_leave_out_does_not_count() -> None:
    """Of two rows no iteration would write both; there are no tiles of fewer than 32."""
    made = held(tiling(ALL_EDGES))
    assert not made["y"].carried and made["y"].fetched is None
    assert made["x"].carried and made["x"].box is not None


def test_what_is_updated_in_place_is_swapped() -> None:
    made = tiling(IN_PLACE)
    assert all(each.carried for each in made.arrays) and made.reach == ((1, 1), (0, 0))


def test_planes_are_as_arrays_of_their_own() -> None:
    made = tiling(IN_TURNS)
    (u,) = made.arrays
    assert u.planes == ("handed on", "made", "handed on") and u.in_turns and u.handed_on == u.taken == 2
    assert made.reach == ((1, 0), (0, 1)) and len(made.sides) == len(made.extents(u)) == 2
    made = tiling(BY_NUMBER)
    (u,) = made.arrays
    assert u.planes == ("handed on", "made", "read") and not u.in_turns and (u.handed_on, u.taken) == (1, 2)
    assert [step.reads for step in made.steps] == [{"u": ((1, 0), (0, 0))}, {"u": ((0, 0), (0, 0))}]


def test_planes_that_may_have_no_values_are_not_handed_on() -> None:
    """In each iteration one of three is not accessed."""
    body = IN_TURNS.replace("u[(t + 2) % 3][i][j + 1]", "1.0f")
    assert loop(body).not_tiled == (
        "a plane that no iteration reads may have no values yet, which launches would hand on"
    )


@pytest.mark.parametrize(
    "subscript",
    ["t - t % 2", "(2 * t) % 3", "t / 2 % 3", "i % 3", "(t + i) % 3", "p[t] % 3"],
)
def test_other_first_subscripts_say_no_plane(subscript: str) -> None:
    body = IN_TURNS.replace("u[(t + 2) % 3][i][j + 1]", f"u[{subscript}][i][j + 1]")
    assert loop(body).tiling is None and loop(body).not_tiled


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (f"FOR(t, 9) {{ {INSIDE} {NEAR} {INSIDE} x[i][j] = y[i][m - 1 - j]; }}",
         "`y` is read at no constant distance from what is written"),
        (f"FOR(t, 9) {{ {INSIDE} {NEAR} {INSIDE} x[i][j] = y[p[i]][j]; }}",
         "data, or divisions that isl gives up, decide which elements of `y` are accessed"),
        ("FOR(t, 9) { FOR(i, n) a[i] = b[i]; FOR(i, n) FOR(j, m) x[i][j] = x[i][j] + a[i]; FOR(i, n) b[i] = x[i][0]; }",
         "the arrays that it writes have different numbers of dimensions, or too many"),
    ],
)  # fmt: skip
def test_what_has_no_tiles_says_why(body: str, reason: str) -> None:
    assert loop(body).tiling is None and loop(body).not_tiled == reason


def test_a_loop_of_launches_has_no_tiles() -> None:
    found = loop(COPIED, replace(DEFAULT, fuse="none"))
    assert found.kernel is None and found.tiling is None and not found.not_tiled


def test_the_pass_is_one_of_the_list() -> None:
    assert passes.TIME.dump(timed(COPIED)).startswith("time tiles of f\n  for t on the host\n")
    assert looped(COPIED).items != timed(COPIED).items
