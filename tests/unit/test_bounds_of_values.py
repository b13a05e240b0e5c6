"""Bounds that are read where a variable says are read where its value says, if that stays what it is."""

from __future__ import annotations

import pytest

from pencilc.ir.source_printer import print_stmt
from pencilc.poly.model.bounds_of_values import with_bounds_of_values
from tests.unit.test_detect import compiled

ROWS = "for (int k = a[c]; k < a[c + 1]; k++) t[i] += k;"


@pytest.mark.parametrize(
    ("value", "bounds"),
    [
        ("int c = i * s;", "k = a[i * s]; k < a[i * s + 1]"),
        ("int c = a[i];", "k = a[a[i]]; k < a[a[i] + 1]"),
        ("int c = i * s; c++;", "k = a[c]; k < a[c + 1]"),
        ("int c = s * i; s = s + 1;", "k = a[c]; k < a[c + 1]"),
        ("int c = t[i];", "k = a[c]; k < a[c + 1]"),
    ],
)
def test_what_the_bounds_are(value: str, bounds: str) -> None:
    done = compiled(f"for (int i = 0; i < n; i++) {{ {value} {ROWS} }}")
    made = with_bounds_of_values(done.parsed.regions[0])
    assert bounds in " ".join(print_stmt(made.body).split())
