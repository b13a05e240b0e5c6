"""What waits in a region as it is cut into parts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.gpu.records import MappingSettings
from pencilc.gpu.waiting import Waiting, waiting
from tests.unit.records import DEFAULT, ROW_SUMS, scheduled

ONE_THREAD = "for (int i = 1; i < n; i++) a[i] = a[i] + a[i - 1] * b[i];"
HOST = "for (int k = 1; k < m; k++) { FOR(i, n) a[i] = b[i] + k; FOR(i, n) b[i] = a[n - 1 - i]; }"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (ROW_SUMS, Waiting(0, 0)),
        (HOST, Waiting(1, 0)),
        (ONE_THREAD, Waiting(0, 1)),
        (f"FOR(i, n) c[i] = 0; {ONE_THREAD}", Waiting(0, 1)),  # a part of a region whose other part is parallel
        (f"float s = 0; {HOST} {ONE_THREAD} b[0] = s;", Waiting(1, 1)),  # what has one instance waits for nobody
        ("for (int i = 1; i < 9; i++) a[i] = a[i] + a[i - 1] * b[i];", Waiting(0, 0)),
        ("int k;", Waiting(0, 0)),
    ],
)
def test_what_waits(body: str, expected: Waiting) -> None:
    found = waiting(scheduled(body), MappingSettings.of(DEFAULT))
    assert replace(found, loops=frozenset()) == expected and found.is_none == (expected == Waiting(0, 0))


@pytest.mark.parametrize(
    ("body", "loops"),
    [
        (ROW_SUMS, ""),
        (HOST, ""),
        (ONE_THREAD, "i"),
        ("for (int k = 1; k < n; k++) if (a[k - 1] > 0) FOR(j, n) a[j] += b[j];", "k j"),  # of a statement, and in it
        (
            "for (int k = 1; k < n; k++) { a[k - 1] = b[k]; FOR(j, n) b[j] += a[k - 1]; }",
            "",
        ),  # one statement on the host
    ],
)
def test_loops_in_one_thread(body: str, loops: str) -> None:
    assert waiting(scheduled(body), MappingSettings.of(DEFAULT)).loops == set(loops.split())


def test_less_of_one_kind_and_no_more_of_the_other() -> None:
    one = Waiting(1, 1)
    assert Waiting(0, 1).is_less_than(one) and Waiting(1, 0).is_less_than(one) and Waiting(0, 0).is_less_than(one)
    assert not one.is_less_than(one) and not Waiting(0, 2).is_less_than(one) and not Waiting(2, 0).is_less_than(one)


def test_fewer_loops_in_one_thread_are_worth_loops_on_the_host() -> None:
    one = Waiting(0, 1, frozenset({"k", "i", "j"}))
    assert Waiting(1, 1, frozenset({"k"})).is_less_than(one) and Waiting(2, 3).is_less_than(one)
    assert not Waiting(1, 1, frozenset({"k", "i", "j"})).is_less_than(one)
    assert not Waiting(1, 1, frozenset({"m"})).is_less_than(one)


def test_a_statement_that_is_part_of_another_one_waits_no_less() -> None:
    assert not Waiting(0, 1).is_less_than(Waiting(0, 2), gone=1) and Waiting(0, 0).is_less_than(Waiting(0, 2), gone=1)
    assert Waiting(1, 0).is_less_than(Waiting(2, 0), gone=1) and not Waiting(1, 3).is_less_than(Waiting(2, 2), gone=1)
