"""Inputs of `tests/diff/ragged_forms.c`: rows that lie side by side, many of them empty."""

from __future__ import annotations

import random


def _rows(sizes: dict[str, int], rng: random.Random) -> list[int]:
    rows, elements = max(sizes["n"], 0), max(sizes["nnz"], 0)
    inner = sorted(rng.randint(0, elements) for _ in range(rows - 1))
    return [0, *inner, elements] if rows else [0]


def _start(sizes: dict[str, int], rng: random.Random) -> dict[str, object]:
    return {"start": _rows(sizes, rng)}


inputs_wide = inputs_natural = inputs_narrow = inputs_steps = inputs_steps_on = inputs_down = inputs_called = _start


def inputs_two(sizes: dict[str, int], rng: random.Random) -> dict[str, object]:
    """Two sets of rows."""
    return {"start": _rows(sizes, rng), "other": _rows(sizes, rng)}


def inputs_guarded(sizes: dict[str, int], rng: random.Random) -> dict[str, object]:
    """Rows of which some are left out, and then may lie anywhere."""
    start = _rows(sizes, rng)
    return {"start": start, "on": [rng.randint(-1, 1) for _ in range(max(sizes["n"], 0))]}


def inputs_bins(sizes: dict[str, int], rng: random.Random) -> dict[str, object]:
    """Rows as above, and the bins of their elements."""
    return {**inputs_guarded(sizes, rng), "bin": [rng.randrange(37) for _ in range(max(sizes["nnz"], 0))]}
