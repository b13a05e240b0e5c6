"""Which locals of loops need a dimension for a loop of their scope."""

from __future__ import annotations

import islpy as isl
import pytest

from pencilc.analysis.box import live_domains
from pencilc.parts.expansion import expansion
from pencilc.parts.part import Unmappable, part_statements, parts_of
from tests.unit.records import SOFTMAX, cut_items, modelled


def expanded(body: str, symbol: str) -> dict[str, isl.PwAff]:
    """The iterators that need a dimension, with the largest value of each."""
    scop = modelled(body)
    (array,) = scop.arrays_of(symbol)
    users = [
        (name, part.host)
        for part in parts_of(cut_items(body))
        for name in part_statements(part)
        if any(access.array == array.name for access in scop.statement(name).accesses)
    ]
    return {d.iterator: d.largest for d in expansion(scop, array, users, live_domains(scop))}


def test_a_value_of_each_row() -> None:
    found = expanded(SOFTMAX, "max")
    assert list(found) == ["i"]
    assert (
        found["i"]
        .gist_params(isl.Set("[n, m] -> { : n > 0 and m > 0 }"))
        .plain_is_equal(isl.PwAff("[n, m] -> { [(n - 1)] }"))
    )


def test_a_loop_on_the_host_around_all_users_needs_none() -> None:
    body = """FOR(t, 9) {
        float s; INIT(&s, zero);
        FOR(i, n) UPDATE(&s, a[i], add);
        FOR(i, n) a[i] = b[n - 1 - i] * s;
        FOR(i, n) b[i] = a[i];
    }"""
    assert expanded(body, "s") == {}


def test_a_local_of_the_region_needs_none() -> None:
    assert expanded("float s = a[0]; FOR(i, n) b[i] = s;", "s") == {}


def test_the_largest_value_is_that_of_all_users() -> None:
    scop = modelled(SOFTMAX)
    (array,) = scop.arrays_of("max")
    domains = live_domains(scop)
    shorter = {**domains, "S3": domains["S3"].intersect(isl.Set("{ S3[i, j] : i < 5 }"))}
    (both,) = expansion(scop, array, [("S3", ()), ("S6", ())], shorter)
    (one,) = expansion(scop, array, [("S3", ())], shorter)
    at = isl.Set("[n, m] -> { : n = 20 and m = 1 }")
    assert both.largest.intersect_params(at).max_val().to_python() == 19
    assert one.largest.intersect_params(at).max_val().to_python() == 4


def test_a_loop_that_begins_below_zero_counts_from_the_least_value_of_all_users() -> None:
    scop = modelled(SOFTMAX)
    (array,) = scop.arrays_of("max")
    domains = live_domains(scop)
    below = {**domains, "S3": isl.Set("[n, m] -> { S3[i, j] : -3 <= i < n and 0 <= j < m }")}
    (found,) = expansion(scop, array, [("S3", ()), ("S6", ())], below)
    assert found.least is not None and found.least.min_val().to_python() == -3
    (from_zero,) = expansion(scop, array, [("S6", ())], below)
    assert from_zero.least is None


def test_a_local_that_no_statement_touches_or_without_bounds_is_refused() -> None:
    scop = modelled(SOFTMAX)
    (array,) = scop.arrays_of("max")
    domains = live_domains(scop)
    empty = {name: domain.subtract(domain) for name, domain in domains.items()}
    with pytest.raises(Unmappable, match="no statement touches"):
        expansion(scop, array, [("S3", ())], empty)
    without_least = {**domains, "S3": isl.Set("[n, m] -> { S3[i, j] : i < n and 0 <= j < m }")}
    with pytest.raises(Unmappable, match="without a known bound"):
        expansion(scop, array, [("S3", ())], without_least)
    unbounded = {**domains, "S3": isl.Set("[n, m] -> { S3[i, j] : 0 <= i and 0 <= j < m }")}
    with pytest.raises(Unmappable, match="without a known bound"):
        expansion(scop, array, [("S3", ())], unbounded)
