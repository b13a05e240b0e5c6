"""Neighbouring parts of one thread become one part."""

from __future__ import annotations

import pytest

from pencilc.parts.one_thread import with_neighbours
from pencilc.parts.part import SequentialLoop
from tests.unit.records import cut_items, modelled, told

CHAIN = "for (int i = 1; i < n; i++) a[i] = a[i - 1] * 3;"
OTHER = "for (int i = 1; i < n; i++) b[i] = b[i - 1] * 3;"


@pytest.mark.parametrize(
    ("body", "before", "after"),
    [
        (f"a[0] = 1; {CHAIN} b[0] = a[n - 1];", ["|: S0", "|: S1", "|: S2"], ["|: S0 S1 S2"]),
        # What has nothing to do with each other may run side by side, and what waits for both comes behind both.
        (f"{CHAIN} {OTHER}", ["|: S0", "|: S1"], ["|: S0", "|: S1"]),
        (f"{CHAIN} {OTHER} a[0] = b[1];", ["|: S0", "|: S1", "|: S2"], ["|: S0", "|: S1", "|: S2"]),
        (f"{CHAIN} {OTHER} {CHAIN}", ["|: S0", "|: S1", "|: S2"], ["|: S0 S2", "|: S1"]),
        # A kernel of many threads in between.
        (f"{CHAIN} FOR(i, n) x[0][i] = a[i]; {CHAIN}", ["|: S0", "P|: S1", "|: S2"], ["|: S0", "P|: S1", "|: S2"]),
    ],
)
def test_what_is_one_part(body: str, before: list[str], after: list[str]) -> None:
    items = cut_items(body)
    assert told(items) == before
    assert told(with_neighbours(modelled(body), items)) == after


def test_inside_of_loops_on_the_host() -> None:
    body = f"FOR(t, 9) {{ {CHAIN} a[0] = a[n - 1] + t; FOR(j, m) x[t][j] = a[0]; }}"
    (loop,) = cut_items(body)
    assert isinstance(loop, SequentialLoop)
    (after,) = with_neighbours(modelled(body), (loop,))
    assert isinstance(after, SequentialLoop)
    assert (told(loop.items), told(after.items)) == (["|: S0", "|: S1", "P|: S2"], ["|: S0 S1", "P|: S2"])
