"""Calls that several stages make with the same values."""

from __future__ import annotations

from pencilc.ir.mapping import RegisterPromotion, Stitched
from tests.unit.gpu.fusion.members import stitched
from tests.unit.records import SOFTMAX

TWICE = """FOR(i, n) {
    float s; INIT(&s, zero);
    FOR(j, m) UPDATE(&s, FIRST, add);
    FOR(j, m) y[i][j] = SECOND / s;
}"""


def calls(done: Stitched) -> list[RegisterPromotion]:
    """The calls that are made once."""
    return [p for p in done.promoted if p.computed]


def made_once(first: str, second: str) -> list[tuple[str, int, int]]:
    """The functions with the stages that use their values."""
    done = stitched(TWICE.replace("FIRST", first).replace("SECOND", second))
    return [(p.symbol, p.first, p.last) for p in calls(done)]


def test_the_same_call_in_two_stages_is_made_once() -> None:
    assert made_once("expf(x[i][j])", "expf(x[i][j])") == [("expf", 0, 1)]
    (call,) = calls(stitched(SOFTMAX))
    assert (call.symbol, call.first, call.last, call.loaded, call.stored) == ("expf", 1, 2, -1, -1)


def test_what_only_the_call_reads_dies_with_the_first() -> None:
    done = stitched(TWICE.replace("FIRST", "expf(x[i][j])").replace("SECOND", "expf(x[i][j])"))
    (x,) = (p for p in done.promoted if p.symbol == "x")
    assert (x.first, x.last) == (0, 0)
    both = stitched(TWICE.replace("FIRST", "expf(x[i][j])").replace("SECOND", "x[i][j] * expf(x[i][j])"))
    (x,) = (p for p in both.promoted if p.symbol == "x")
    assert (x.first, x.last) == (0, 1)


def test_other_arguments_or_functions_are_other_calls() -> None:
    assert made_once("expf(x[i][j])", "expf(x[i][j] + 1)") == []
    assert made_once("expf(x[i][j])", "logf(x[i][j])") == []
    assert made_once("x[i][j]", "x[i][j]") == []


def test_the_largest_call_is_taken_with_what_stands_inside() -> None:
    assert made_once("expf(logf(x[i][j]))", "expf(logf(x[i][j]))") == [("expf", 0, 1)]
    assert made_once("expf(logf(x[i][j]))", "logf(x[i][j])") == [("logf", 0, 1)]


def test_what_changes_between_is_computed_again() -> None:
    """The second stage writes x before it reads it."""
    changed = "{ x[i][j] = s; y[i][j] = expf(x[i][j]); }"
    body = TWICE.replace("FIRST", "expf(x[i][j])").replace("y[i][j] = SECOND / s;", changed)
    assert calls(stitched(body)) == []


def test_a_call_that_is_not_made_for_every_element_is_none() -> None:
    assert made_once("(x[i][j] > 0 ? expf(x[i][j]) : 0)", "expf(x[i][j])") == []
    assert made_once("expf(x[i][j])", "(x[i][j] > 0 ? expf(x[i][j]) : 1)") == []
