"""The source that one thread runs: without what is never executed, and without what nothing comes of."""

from __future__ import annotations

import pytest

from pencilc.ir.source_printer import print_stmt
from pencilc.poly.model.live_source import live_body
from tests.unit.records import region


def left(body: str) -> str:
    """What of a region's source one thread runs, on one line."""
    return " ".join(print_stmt(live_body(region(body).scop)).split())


@pytest.mark.parametrize(
    "unused",
    [
        "float s; INIT(&s, zero); FOR(i, n) UPDATE(&s, a[i], add);",
        "float s; INIT(&s, zero); FOR(i, n) UPDATE(&s, a[i], add); float w = s * 2; float v = w + s;",
        "if (n > 3) { float s; INIT(&s, zero); FOR(i, n) UPDATE(&s, a[i], add); float w = add(s, 2); }",
        "float s; s = 3;",
        "float s = add(1, 2);",
    ],
)
def test_variables_that_nothing_is_left_of_are_not_declared(unused: str) -> None:
    assert left(unused + "b[0] = 1;") == left("b[0] = 1;")


def test_what_is_used_behind_stays() -> None:
    assert "float s" in left("float s = a[0]; float t = s; b[0] = t;")
