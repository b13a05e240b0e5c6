"""Inputs of `tests/diff/ragged_bins.c`: rows side by side, many of them empty; bins that a few values share."""

from __future__ import annotations

import random


def _rows(sizes: dict[str, int], rng: random.Random) -> dict[str, object]:
    rows, elements, bins = max(sizes["n"], 0), max(sizes["nnz"], 0), max(sizes["m"], 0)
    filled = elements if bins else 0
    inner = sorted(rng.randint(0, filled) for _ in range(rows - 1))
    start = [0, *inner, filled] if rows else [0]
    return {"start": start, "col": [rng.randrange(bins) if bins else 0 for _ in range(elements)]}


inputs_counts = inputs_each = inputs_several = inputs_cells = inputs_twice = inputs_steps = _rows


def inputs_lengths(sizes: dict[str, int], rng: random.Random) -> dict[str, object]:
    """Lengths, some of them below the first value."""
    return {"length": [rng.randint(0, max(sizes["w"], 0)) for _ in range(max(sizes["n"], 0))]}
