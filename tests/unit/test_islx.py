"""Questions to isl that pencilc asks in its own way."""

from __future__ import annotations

import islpy as isl

from pencilc import islx


def test_distances_of_remainders_are_found() -> None:
    points = isl.Set("[n] -> { [i, x, y] : 0 <= i < n and x = i mod 2 and y = i + 3 }")
    assert islx.distance(points, islx.constant(points, 0), 1) == (0, 1)
    assert islx.distance(points, islx.variable(points, 0), 2) == (3, 3)
    assert islx.distance(points, islx.variable(points, 1), 0) == (0, None)


def test_parts_of_a_union_in_the_order_of_their_names() -> None:
    """Where names are the same, of their text."""
    maps = islx.maps_of(isl.UnionMap("{ S10[i] -> A[i]; S2[i] -> B[i]; S2[i] -> A[i, 1]; S2[i] -> A[i] }"))
    assert [str(each) for each in maps] == [
        "{ S2[i] -> A[i, 1] }", "{ S2[i] -> A[i] }", "{ S2[i] -> B[i] }", "{ S10[i] -> A[i] }",
    ]  # fmt: skip
    sets = islx.sets_of(isl.UnionSet("{ S10[i]; S2[i, j]; S2[i] }"))
    assert [str(each) for each in sets] == ["{ S2[i, j] }", "{ S2[i] }", "{ S10[i] }"]
