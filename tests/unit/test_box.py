"""Boxes around points."""

from __future__ import annotations

import islpy as isl
import pytest

from pencilc.analysis.box import box_around, hull_of

UNIVERSE = isl.Set("[n, m] -> { : }")


def test_of_several_ends_the_one_that_holds_for_all_sizes_is_taken() -> None:
    """The least box ends at n - 2 where m is 1; one that ends at n - 1 is around it too."""
    points = isl.Set("[n, m] -> { [i] : 0 <= i < n - 1; [i] : 0 <= i < n and m > 1 }")
    found = box_around(points, UNIVERSE)
    assert hull_of(points, UNIVERSE) is None and found is not None
    (side,) = found
    assert side.lower.is_equal(isl.PwAff("[n, m] -> { [(0)] }"))
    assert side.upper.is_equal(isl.PwAff("[n, m] -> { [(n - 1)] }"))


@pytest.mark.parametrize("points", ["[n, m] -> { [i] : 0 <= i < n; [i] : 0 <= i < m }", "[n, m] -> { [i] : 2 > 3 }"])
def test_no_one_end_holds_for_all_sizes(points: str) -> None:
    assert box_around(isl.Set(points), UNIVERSE) is None
