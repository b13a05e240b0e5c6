"""Launches that put values in bins: copies of these where they fit."""

from __future__ import annotations

from pencilc.options import CompileOptions
from tests.unit.codegen.launched import does
from tests.unit.codegen.test_indirect import LARGE, ORDERED
from tests.unit.records import BINS

FIXED = CompileOptions(determinism="fixed-tree")


def at(lines: list[str], beginning: str) -> int:
    """Where the first line stands that begins so."""
    return next(number for number, line in enumerate(lines) if line.startswith(beginning))


def test_few_bins_are_copied_whatever_the_sizes_are() -> None:
    lines = does(BINS)
    assert not [line for line in lines if line.startswith("if (@")]
    start = at(lines, "start f_indirect1_shared")
    assert lines[start - 1].startswith("allow shared") and lines[start - 2].endswith("shared @used")


def test_more_bins_than_fit_are_added_to_where_they_are() -> None:
    lines = does(LARGE)
    chosen = at(lines, "if (@bytes <= @limit")
    otherwise = chosen + lines[chosen:].index("else")
    assert chosen < at(lines, "start f_indirect1_shared") < otherwise < at(lines, "start f_indirect1_global")


def test_what_several_blocks_leave_is_brought_together_where_there_are_several() -> None:
    lines = does(ORDERED)
    assert "let long long @left = @splits > 1 ? @splits * @rows : 0" in lines
    finish = at(lines, "start f_indirect1_b_finish")
    assert "if (@splits > 1)" in lines[finish - 3 : finish]
    assert at(lines, "sort, f_indirect1_b_pairs before and f_indirect1_b_buckets behind") > finish


def test_the_blocks_of_a_fixed_tree_follow_from_the_points() -> None:
    lines = does(ORDERED, FIXED)
    assert "@multiprocessors" not in lines[at(lines, "let long long @blocks")]
