"""Inputs of `pencilc verify samples/polybench/floyd-warshall.c`: distances whose sums are numbers of C."""

from __future__ import annotations

import random


def inputs_floyd_warshall(sizes: dict[str, int], rng: random.Random) -> dict[str, object]:
    """Distances up to 7 and far ones; a cycle below zero, which gets shorter with every turn, while few are made."""
    n = max(sizes["n"], 0)
    path = [[rng.choice((1, 2, 3, 4, 5, 6, 7, 999)) for _ in range(n)] for _ in range(n)]
    if 2 < n <= 12:
        path[1][2], path[2][1] = -3, 1
    return {"path": path}
