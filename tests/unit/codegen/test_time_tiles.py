"""The function of tiles that do several iterations: what it is made of, and trees broken by hand, which are refused."""

from __future__ import annotations

from pencilc.codegen.cexpr import expression
from pencilc.codegen.hostloops import launches_in
from pencilc.ir.host import Fallback
from pencilc.ir.launches import LaunchLoop
from pencilc.ir.nodes import If, Sync
from pencilc.ir.source import Assign
from pencilc.ir.time_nodes import EachIteration, PointsOfStep, TimeTile
from tests.unit.codegen.in_time import made


def test_a_block_fetches_does_its_iterations_and_stores() -> None:
    _, function = made()
    kinds = [type(node) for node in function.body if not isinstance(node, Sync)]
    assert kinds.index(TimeTile) < kinds.index(EachIteration) and kinds[-1] is PointsOfStep
    (iterations,) = (node for node in function.body if isinstance(node, EachIteration))
    assert [type(node) for node in iterations.body] == [PointsOfStep, Sync, PointsOfStep, Sync]
    names = [each.name for each in function.parameters]
    assert names == ["n", "a", "b", "@a_taken", "@a_left", "@steps", "@is_last"]
    assert not any(each.restrict for each in function.parameters if each.name in ("a", "@a_taken", "@a_left"))


def test_elements_that_are_written_come_from_the_launch_before_and_others_from_the_array() -> None:
    (either,) = (node for node in made()[1].body if isinstance(node, If) and node.otherwise)
    inner, border = (
        expression(each.value)
        for points in (*either.then, *either.otherwise) if isinstance(points, PointsOfStep)
        for each in points.body if isinstance(each, Assign)
    )  # fmt: skip
    assert inner.startswith("@a_taken[") and "? @a_taken[" in border and ": a[" in border


def test_the_entry_point_launches_as_often_as_leaves_the_array_where_it_was() -> None:
    (entry,) = made()[0].entries
    (whole,) = (each for each in launches_in(entry.items) if isinstance(each, LaunchLoop))
    assert whole.in_time is not None and isinstance(entry.items[-1], Fallback)
    assert [each.array for each in whole.in_time.arrays] == ["a"] and whole.in_time.asks_last
    assert not whole.in_time.asks_first and entry.uses_scratch
