"""When and by whom each statement of a mapped program is executed."""

from __future__ import annotations

import islpy as isl

from pencilc.gpu.storage.transfer import copied
from pencilc.gpu.verifiers.placements import (
    At,
    Iteration,
    Order,
    Placement,
    Point,
    Step,
    Unit,
    certainly_in_order,
    in_order,
    in_order_at_one_point,
    source_steps,
)
from pencilc.ir.mapping import Stitched
from tests.unit.records import ROW_SUMS, SOFTMAX, modelled, timed

SAME = isl.Map("{ S[i] -> T[j] : 0 <= i, j < 10 }")
FIRST, SECOND = isl.PwAff("{ S[i] -> [(i)] }"), isl.PwAff("{ T[j] -> [(j)] }")


def placements(body: str, unfused: tuple[type, ...] = ()) -> dict[str, Placement]:
    """The placement of each statement."""
    return {p.statement: p for p in Order(copied(timed(body)), unfused).placements()}


def kinds(steps: tuple[Step, ...]) -> str:
    """`ALUP` for a place, a loop, a kernel and a point."""
    return "".join({At: "A", Iteration: "L", Unit: "U", Point: "P"}[type(step)] for step in steps)


def test_a_kernel_has_its_points_and_phases() -> None:
    found = placements(ROW_SUMS)
    assert (kinds(found["S1"].steps), kinds(found["M0"].steps)) == ("AUPAP", "AUPAA")
    assert (found["S1"].part, found["M0"].part, found["S1"].group) == ("body", "post", 0)


def test_a_loop_on_the_host_is_around_its_kernels() -> None:
    found = placements("FOR(t, 9) { FOR(i, n) a[i] = b[n - 1 - i]; FOR(i, n) b[i] = a[i] + t; }")
    assert kinds(found["S0"].steps) == "ALAUPA"
    assert found["S0"].group == found["S1"].group == 0
    assert certainly_in_order((At(0),), (At(1),)) and not certainly_in_order(found["S0"].steps, found["S1"].steps)
    assert in_order_at_one_point(found["S0"].steps, found["S1"].steps)
    assert len(found["S0"].points) == 2


def test_stages_come_one_after_the_other_unless_they_are_taken_apart() -> None:
    fused, apart = placements(SOFTMAX), placements(SOFTMAX, (Stitched,))
    assert isinstance(fused["S6"].fused, Stitched) and apart["S6"].fused is None
    assert kinds(fused["S6"].steps) == "AUPAP" and fused["S6"].promotions() and not apart["S6"].promotions()
    assert certainly_in_order(apart["M0"].steps, apart["S6"].steps)
    assert in_order_at_one_point(fused["M0"].steps, fused["S5"].steps)
    assert not in_order_at_one_point(fused["S5"].steps, fused["M0"].steps)


def test_an_earlier_place_is_in_order_for_all() -> None:
    assert in_order((At(0),), (At(1),), SAME).is_equal(SAME)
    assert in_order((At(1),), (At(0),), SAME).is_empty()


def test_iterations_are_in_order_where_one_is_smaller() -> None:
    loop = in_order((Iteration(FIRST), At(1)), (Iteration(SECOND), At(0)), SAME)
    assert loop.is_equal(SAME.intersect(isl.Map("{ S[i] -> T[j] : i < j }")))
    behind = in_order((Iteration(FIRST), At(0)), (Iteration(SECOND), At(1)), SAME)
    assert behind.is_equal(SAME.intersect(isl.Map("{ S[i] -> T[j] : i <= j }")))


def test_points_wait_for_nobody_but_themselves() -> None:
    found = in_order((Point(FIRST), At(0)), (Point(SECOND), At(1)), SAME)
    assert found.is_equal(SAME.intersect(isl.Map("{ S[i] -> T[j] : i = j }")))
    assert in_order((Point(FIRST),), (Point(SECOND),), SAME).is_empty()


def test_kernels_side_by_side_are_in_no_order() -> None:
    assert in_order((Unit("k"), At(0)), (Unit("l"), At(1)), SAME).is_empty()
    assert in_order((Unit("k"), At(0)), (Unit("k"), At(1)), SAME).is_equal(SAME)


def test_the_order_of_the_source() -> None:
    steps = source_steps(modelled(ROW_SUMS))
    assert kinds(steps["S1"])[0] == "L" and kinds(steps["M0"]) == kinds(steps["S0"])
    straight = source_steps(modelled("a[0] = 1; a[1] = 2;"))
    assert certainly_in_order(straight["S0"], straight["S1"]) and not certainly_in_order(straight["S1"], straight["S0"])


def test_nothing_is_placed() -> None:
    assert placements("int k;") == {}


def test_updates_behind_the_loops_are_done_before_a_value_is_handed_on() -> None:
    body = """FOR(i, n) { INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], x[i][j], add);
        UPDATE(&a[i], b[i], add); FOR(j, 7) UPDATE(&a[i], x[i][j], add); }"""
    program = copied(timed(body))
    first, second = program.kernels()
    assert first.continued and first.post == ("S2",) and first.behind(program.scop) == ("S2", "M0")
    assert not second.continued and second.behind(program.scop) == second.post == ("M0",)
    steps = {(p.statement, p.kernel.name): p.steps for p in Order(program).placements()}
    update, handed_on = (steps[name, first.name] for name in ("S2", "M0"))
    assert certainly_in_order(update[-2:], handed_on[-2:])
