"""The flag of a row, from the distances of the pairs on it."""

from __future__ import annotations

import islpy as isl

from pencilc.schedule.flags import flag_of, forward_along, zero_along
from pencilc.schedule.problem import Relations, by_pair
from tests.unit.schedule.problems import functions

ROW = functions("{ S[i] -> [(i)] }")


def pairs(text: str) -> Relations:
    """The relation, by pairs of statements."""
    return by_pair(isl.UnionMap(text))


NOTHING = pairs("{ }")
SAME = pairs("{ S[i] -> S[i] }")
NEXT = pairs("{ S[i] -> S[i + 1] : 0 <= i < 9 }")
BEFORE = pairs("{ S[i] -> S[i - 1] : 0 < i < 10 }")


def test_a_row_without_dependences_is_parallel() -> None:
    assert flag_of(NOTHING, NOTHING, ROW) == "P"
    assert flag_of(SAME, SAME, ROW) == "P"


def test_updates_of_one_variable_make_a_reduction_row() -> None:
    assert flag_of(SAME, NEXT, ROW) == "R"


def test_a_dependence_makes_a_sequential_row_whatever_is_reduced() -> None:
    assert flag_of(NEXT, NEXT, ROW) == "s"
    assert flag_of({**NEXT, **pairs("{ S[i] -> T[i] }")}, NOTHING, both()) == "s"


def test_a_dependence_that_runs_backwards_forbids_the_row() -> None:
    assert flag_of(BEFORE, NOTHING, ROW) is None
    assert flag_of({**BEFORE, **pairs("{ S[i] -> T[i] }")}, NOTHING, both()) is None


def both() -> dict[str, isl.PwAff]:
    """The row on a second statement as well."""
    return {**ROW, **functions("{ T[i] -> [(i)] }")}


def test_the_distance_is_that_of_the_row_not_of_the_iterators() -> None:
    shifted = {**ROW, **functions("{ T[i] -> [(i - 1)] }")}
    relation = pairs("{ S[i] -> T[i + 1] }")
    assert zero_along(relation, shifted) and not zero_along(relation, both())
    assert forward_along(relation, both())


def test_one_pair_among_many_is_enough() -> None:
    assert not zero_along(pairs("[n] -> { S[i] -> S[i] : 0 <= i < n; S[n] -> S[n + 1] }"), ROW)
    assert not forward_along(pairs("[n] -> { S[i] -> S[i + 1] : 0 <= i < n; S[n] -> S[n - 1] }"), ROW)


def test_an_empty_relation_says_nothing() -> None:
    assert flag_of(pairs("{ S[i] -> S[i - 1] : 1 < i < 2 }"), NOTHING, ROW) == "P"
