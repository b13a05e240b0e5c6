"""Where windows are whole."""

from __future__ import annotations

import islpy as isl
import pytest

from pencilc.analysis.interior import interior

KNOWN = "[n, m, y] -> { : 0 <= y < n }"


@pytest.mark.parametrize(
    ("windows", "where"),
    [
        (["-1 <= d <= 1 and 0 <= y + d < n"], "1 <= y <= n - 2"),
        (["y - 2 <= d <= y + 2 and 0 <= d < n"], "2 <= y <= n - 3"),
        (["-1 <= d <= 1 and y + d < n", "0 <= d <= 3 and y + d < n"], "y <= n - 4"),
        (["-1 <= d <= 1 and y + d >= 0", "0 <= d < m"], "y >= 1"),
    ],
)
def test_where_windows_are_whole(windows: list[str], where: str) -> None:
    sets = [isl.Set(f"[n, m, y] -> {{ S[d] : 0 <= y < n and {text} }}") for text in windows]
    found = interior(sets, isl.Set(KNOWN))
    assert found is not None
    inhabited = isl.Set(KNOWN).intersect(isl.Set("[n, m, y] -> { : n >= 9 }"))
    assert found.intersect(inhabited).is_subset(isl.Set(f"[n, m, y] -> {{ : {where} }}"))
    # No whole row of points is given away for nothing: one at most, where two ends are the same there.
    closer = isl.Set(f"[n, m, y] -> {{ : {where} and 3 <= y <= n - 5 }}").intersect(inhabited)
    assert closer.is_subset(found)


@pytest.mark.parametrize("window", ["-1 <= d <= 1", "0 <= d < m", "y - 1 <= d <= y + 1", "0 <= d <= y"])
def test_nothing_cuts_them(window: str) -> None:
    assert interior([isl.Set(f"[n, m, y] -> {{ S[d] : 0 <= y < n and {window} }}")], isl.Set(KNOWN)) is None


def test_no_constant_number_of_values() -> None:
    window = isl.Set("[n, m, y] -> { S[d] : 0 <= y < n and 0 <= d < m and d <= y }")
    assert interior([window], isl.Set(KNOWN)) is None
