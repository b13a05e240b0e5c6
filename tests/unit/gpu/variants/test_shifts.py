"""Sums of f(a - m) are recognised."""

from __future__ import annotations

import pytest

from pencilc.gpu.variants.shifts import Match, matched
from pencilc.ir.queries import names_in
from pencilc.ir.source import ReductionUpdate
from pencilc.ir.source_printer import print_expr
from tests.unit.records import modelled


def match(element: str) -> Match | None:
    """What an element of a float sum is if only `s` is known late."""
    scop = modelled(f"float s = b[0]; float t; INIT(&t, zero); FOR(i, n) UPDATE(&t, {element}, add); c[0] = t;")
    (update,) = (s.body for s in scop.statements if isinstance(s.body, ReductionUpdate))
    (reduction,) = scop.reductions
    return matched(update.element, reduction.element_type, lambda expr: "s" in names_in(expr))


@pytest.mark.parametrize(
    ("element", "function", "shift"),
    [
        ("expf(a[i] - s)", "exp", "s"),
        ("exp2f(a[i] - s)", "exp2", "s"),
        ("expf(a[i] - s * 2)", "exp", "s * 2"),
        ("(a[i] - s) * (a[i] - s)", "square", "s"),
        ("(s - a[i]) * (s - a[i])", "square", "s"),
    ],
)
def test_exponentials_and_squares_of_differences(element: str, function: str, shift: str) -> None:
    found = match(element)
    assert found is not None
    assert (found.function, print_expr(found.value), found.weight) == (function, "a[i]", None)
    assert names_in(found.shift) == {"s"}


def test_a_weight_on_either_side() -> None:
    for element in ("b[i] * expf(a[i] - s)", "expf(a[i] - s) * b[i]"):
        found = match(element)
        assert found is not None and found.weight is not None and print_expr(found.weight) == "b[i]"


@pytest.mark.parametrize(
    "element",
    [
        "a[i]", "expf(a[i])", "expf(s - a[i])", "expf(a[i] + s)", "logf(a[i] - s)", "s * expf(a[i] - s)",
        "expf(s - s)", "(a[i] - s) * (b[i] - s)", "(a[i] - b[i]) * (a[i] - b[i])", "expf(a[i] - s) + 1",
    ],
)  # fmt: skip
def test_what_is_no_such_sum(element: str) -> None:
    assert match(element) is None
