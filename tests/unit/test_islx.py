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


def test_how_many_values_a_dimension_has() -> None:
    points = isl.Set("[n] -> { [i, j, k] : 2 <= i < n and i <= j < n }")
    found = islx.count_along(points, 0)
    assert found is not None and found.is_equal(isl.PwAff("[n] -> { [(n - 2)] : n > 2 }"))
    assert islx.count_along(points, 2) is None


def test_room_for_a_box_in_another_one() -> None:
    def sides(*texts: str) -> list[isl.PwAff]:
        return [isl.PwAff(f"[n, m] -> {{ [({text})] }}") for text in texts]

    where = isl.Set("[n, m] -> { : 0 < m <= n }")
    assert islx.has_room(where, sides("m", "n"), sides("m - 1", "n")) and islx.has_room(where, sides("n"), [])
    assert not islx.has_room(where, sides("m"), sides("n"))
    assert not islx.has_room(where, sides("n"), sides("m", "m"))  # each in an extent of its own
    assert islx.has_room(where, [None, *sides("n")], sides("m"))
    assert not islx.has_room(where, sides("n", "n"), [*sides("m"), None])
