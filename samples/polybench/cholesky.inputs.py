"""Inputs of `pencilc verify samples/polybench/cholesky.c`: a positive definite matrix."""

from __future__ import annotations

import random


def inputs_cholesky(sizes: dict[str, int], rng: random.Random) -> dict[str, object]:
    """A symmetric matrix whose diagonal dominates."""
    n = max(sizes["n"], 0)
    return {
        "A": [[(n + 1.0 if i == j else rng.random()) for j in range(n)] for i in range(n)],
    }
