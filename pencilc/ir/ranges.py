"""Runs of neighbouring numbers."""

from __future__ import annotations

from collections.abc import Sequence as Seq


def ranges(values: Seq[int]) -> list[tuple[int, int]]:
    """The runs of neighbouring numbers among sorted ones."""
    found: list[tuple[int, int]] = []
    for value in values:
        if found and found[-1][1] == value - 1:
            found[-1] = (found[-1][0], value)
        else:
            found.append((value, value))
    return found
