"""Inputs of `pencilc verify samples/srad.c`: an image of positive pixels, as Rodinia's.

With pixels of both signs the coefficients blow up and rounding differences with them; that is no test of anything.
"""

from __future__ import annotations

import random


def inputs_srad(sizes: dict[str, int], rng: random.Random) -> dict[str, object]:
    """Pixels between 1 and 2, clamped neighbour indices; `lambda` as in Rodinia."""
    rows, columns = max(sizes["nr"], 0), max(sizes["nc"], 0)
    return {
        "lambda": 0.5,
        "image": [[1.0 + rng.random() for _ in range(columns)] for _ in range(rows)],
        "iN": [max(i - 1, 0) for i in range(rows)],
        "iS": [min(i + 1, rows - 1) for i in range(rows)],
        "jW": [max(j - 1, 0) for j in range(columns)],
        "jE": [min(j + 1, columns - 1) for j in range(columns)],
    }
