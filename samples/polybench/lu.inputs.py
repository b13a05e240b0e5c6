"""Inputs of `pencilc verify samples/polybench/lu.c`: a matrix that needs no pivots."""

from __future__ import annotations

import random


def inputs_lu(sizes: dict[str, int], rng: random.Random) -> dict[str, object]:
    """A diagonal that dominates its rows."""
    n = max(sizes["n"], 0)
    return {
        "A": [[(n + 1.0 if i == j else rng.random()) for j in range(n)] for i in range(n)],
    }
