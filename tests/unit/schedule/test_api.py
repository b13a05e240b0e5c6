"""The scheduling stage: what it does where the search gives up."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
import pytest

from pencilc.diagnostics.diagnostic import CompilerLimitation
from pencilc.ir.schedule import Sequence
from pencilc.schedule.api import schedule
from tests.unit.records import ROW_SUMS, dependences, modelled
from tests.unit.schedule.problems import text

TWO = "FOR(i, n) a[i] = b[i]; FOR(i, n) c[i] = a[i];"


def test_the_search_is_taken() -> None:
    done = schedule(modelled(ROW_SUMS), dependences(ROW_SUMS))
    assert text(done.tree) == "[P]{ [R]{ S1 }; M0 }" and not done.fallback and not done.sequential


def test_the_source_order_where_the_search_takes_too_long() -> None:
    done = schedule(modelled(TWO), dependences(TWO), quota=1)
    assert text(done.tree) == "[P]{ S0 }; [P]{ S1 }" and done.fallback == "scheduling took too long"


def test_loops_are_fused_if_that_is_asked_for() -> None:
    assert text(schedule(modelled(TWO), dependences(TWO)).tree) == "[P]{ S0; S1 }"
    assert text(schedule(modelled(TWO), dependences(TWO), fuses=False).tree) == "[P]{ S0 }; [P]{ S1 }"


def test_rows_of_one_value_are_left_out() -> None:
    body = "FOR(k, 1) FOR(i, n) a[i] = k;"
    assert text(schedule(modelled(body), dependences(body)).tree) == "[P]{ S0 }"


def test_nothing_is_scheduled_whose_dependences_are_not_known() -> None:
    unknown = replace(dependences(TWO), unknown="isl takes too long")
    done = schedule(modelled(TWO), unknown)
    assert done.sequential == "isl takes too long" and isinstance(done.tree, Sequence) and not done.tree.children


def test_a_region_without_statements() -> None:
    done = schedule(modelled("int k;"), dependences("int k;"))
    assert isinstance(done.tree, Sequence) and not done.tree.children and not done.sequential


def test_an_order_that_even_the_source_does_not_have() -> None:
    body = "FOR(i, n) a[i] = 1;"
    wrong = replace(dependences(body), flow=isl.UnionMap("[n] -> { S0[i] -> S0[i - 1]; S0[i] -> S0[i + 1] }"))
    with pytest.raises(CompilerLimitation, match="no schedule found"):
        schedule(modelled(body), wrong)
