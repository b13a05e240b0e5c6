"""Questions to isl that pencilc asks in its own way."""

from __future__ import annotations

import islpy as isl

from pencilc import islx


def test_distances_of_remainders_are_found() -> None:
    points = isl.Set("[n] -> { [i, x, y] : 0 <= i < n and x = i mod 2 and y = i + 3 }")
    assert islx.distance(points, islx.constant(points, 0), 1) == (0, 1)
    assert islx.distance(points, islx.variable(points, 0), 2) == (3, 3)
    assert islx.distance(points, islx.variable(points, 1), 0) == (0, None)
