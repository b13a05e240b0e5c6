"""Inputs of `pencilc verify samples/csr.c`: rows that lie side by side, some of them empty."""

from __future__ import annotations

import random


def _starts(rows: int, elements: int, rng: random.Random) -> list[int]:
    """Where each row begins, and where the last one ends."""
    inner = sorted(rng.randint(0, elements) for _ in range(rows - 1))
    return [0, *inner, elements] if rows > 0 else [0]


def inputs_csr(sizes: dict[str, int], rng: random.Random) -> dict[str, object]:
    """As many elements as `elements` says; none where there is no column that they could be in."""
    rows, columns, elements = (max(sizes[name], 0) for name in ("rows", "columns", "elements"))
    filled = elements if columns else 0
    return {
        "start": _starts(rows, filled, rng),
        "column": [rng.randrange(columns) if columns else 0 for _ in range(elements)],
    }


inputs_csr_transposed = inputs_csr


def inputs_csr_norm(sizes: dict[str, int], rng: random.Random) -> dict[str, object]:
    """Rows that hold all of the elements."""
    return {"start": _starts(max(sizes["rows"], 0), max(sizes["elements"], 0), rng)}
