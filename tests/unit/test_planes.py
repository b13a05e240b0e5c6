"""Which plane of an array an iteration accesses, by the first subscript."""

from __future__ import annotations

import islpy as isl
import pytest

from pencilc.poly.model.planes import plane_of, without_plane


@pytest.mark.parametrize(
    ("points", "by_number", "in_turns"),
    [
        ("[n] -> { [t, i] -> [1, i] : 0 <= t < n }", 1, None),
        ("[n] -> { [t, i] -> [t mod 2, i] : 0 <= t < n }", None, 0),
        ("[n] -> { [t, i] -> [(t + 1) mod 2, i] : 0 <= t < n }", None, 1),
        ("[n] -> { [t, i] -> [1 - t mod 2, i] : 0 <= t < n }", None, 1),
        ("{ [0, i] -> [0, i] }", 0, 0),
        ("[n] -> { [t, i] -> [i mod 2, t] : 0 <= t < n }", None, None),
        ("[n] -> { [t, i] -> [x, i] : 0 <= t < n and 0 <= x <= 1 }", None, None),
    ],
)
def test_which(points: str, by_number: int | None, in_turns: int | None) -> None:
    relation = isl.Map(points)
    assert plane_of(relation, 2, in_turns=False) == by_number
    assert plane_of(relation, 2, in_turns=True) == in_turns


def test_without() -> None:
    assert without_plane(isl.Map("{ [t, i] -> [t mod 2, i] }")).is_equal(isl.Map("{ [t, i] -> [i] }"))
