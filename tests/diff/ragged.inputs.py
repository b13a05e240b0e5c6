"""Inputs of `tests/diff/ragged.c`: rows that lie side by side, many of them empty."""

from __future__ import annotations

import random


def _rows(sizes: dict[str, int], rng: random.Random) -> dict[str, object]:
    rows, elements = max(sizes["n"], 0), max(sizes["nnz"], 0)
    inner = sorted(rng.randint(0, elements) for _ in range(rows - 1))
    columns = max(sizes.get("m", 0), 0)
    filled = elements if columns or "m" not in sizes else 0
    found: dict[str, object] = {"start": [0, *(min(k, filled) for k in inner), filled] if rows else [0]}
    if "m" in sizes:
        found["col"] = [rng.randrange(columns) if columns else 0 for _ in range(elements)]
    return found


inputs_total = inputs_begins = inputs_lse = inputs_block = inputs_nested = inputs_unknown = inputs_lone = _rows
inputs_columns = inputs_histo = _rows


def inputs_lengths(sizes: dict[str, int], rng: random.Random) -> dict[str, object]:
    """Lengths, some of them beyond the columns."""
    return {"start": [rng.randint(0, max(sizes["m"], 0) + 3) for _ in range(max(sizes["n"], 0))]}
