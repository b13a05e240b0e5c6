"""Inputs of `pencilc verify samples/polybench/floyd-warshall.c`: distances whose sums are numbers of C."""

from __future__ import annotations

import random


def inputs_floyd_warshall(sizes: dict[str, int], rng: random.Random) -> dict[str, object]:
    """Distances up to 7 and far ones, and one below zero: a cycle that gets shorter with every turn."""
    n = max(sizes["n"], 0)
    path = [[rng.choice((1, 2, 3, 4, 5, 6, 7, 999)) for _ in range(n)] for _ in range(n)]
    if n > 2:
        path[1][2] = -3
    return {"path": path}
