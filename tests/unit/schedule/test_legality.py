"""The check of a finished schedule refuses what is wrong with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.schedule import Band, Flag, Leaf, Row, ScheduledScop, Sequence, Tree
from pencilc.schedule.legality import verify, verify_coverage
from tests.unit.records import ROW_SUMS, SUM, scheduled

CHAIN = "FOR(i, n) a[i] = b[i]; FOR(i, n) c[i] = a[i] + a[n - 1 - i];"


def flagged(tree: Tree, flag: Flag) -> Tree:
    """The tree with this flag on all rows."""
    match tree:
        case Band():
            return Band(tuple(Row(flag, row.function) for row in tree.rows), flagged(tree.child, flag))
        case Sequence():
            return Sequence(tuple(flagged(child, flag) for child in tree.children))
    return tree


def refused(done: ScheduledScop, message: str) -> None:
    """The check refuses the schedule."""
    with pytest.raises(CompilerBug, match=message):
        verify(done)


@pytest.mark.parametrize("body", [SUM, ROW_SUMS, CHAIN, "a[0] = 1;"])
def test_what_the_scheduler_makes(body: str) -> None:
    verify(scheduled(body))


def test_an_order_against_a_dependence() -> None:
    done = scheduled(CHAIN)
    assert isinstance(done.tree, Sequence)
    refused(replace(done, tree=Sequence(done.tree.children[::-1])), "violates")


def test_a_row_in_the_wrong_direction() -> None:
    done = scheduled("for (int i = 1; i < n; i++) a[i] = a[i - 1];")
    assert isinstance(done.tree, Band)
    row = done.tree.rows[0]
    refused(replace(done, tree=Band((Row("s", row.function.neg()),), done.tree.child)), "violates")


def test_a_row_that_is_missing() -> None:
    refused(replace(scheduled("for (int i = 1; i < n; i++) a[i] = a[i - 1];"), tree=Leaf("S0")), "violates")


def test_a_reduction_row_that_is_called_parallel() -> None:
    done = scheduled(SUM)
    refused(replace(done, tree=flagged(done.tree, "P")), "flagged P and is R")


def test_a_sequential_row_that_is_called_a_reduction() -> None:
    done = scheduled("for (int i = 1; i < n; i++) a[i] = a[i - 1];")
    refused(replace(done, tree=flagged(done.tree, "R")), "flagged R and is s")


def test_more_caution_than_needed_is_legal() -> None:
    done = scheduled(ROW_SUMS)
    verify(replace(done, tree=flagged(done.tree, "s")))


def test_a_statement_that_is_missing_or_there_twice() -> None:
    done = scheduled(SUM)
    refused(replace(done, tree=Leaf("M0")), "covers")
    refused(replace(done, tree=Sequence((done.tree, Leaf("M0")))), "covers")


def test_a_region_without_a_tree_keeps_the_order_of_the_source() -> None:
    done = replace(scheduled(SUM), tree=Sequence(()), sequential="for a reason")
    verify(done)
    with pytest.raises(CompilerBug, match="covers"):
        verify_coverage(replace(done, sequential=""))
