"""The function of tiles that do several iterations: what it is made of, and trees broken by hand, which are refused."""

from __future__ import annotations

from pencilc.codegen.cexpr import expression
from pencilc.codegen.hostloops import launches_in
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.host import Fallback
from pencilc.ir.launches import LaunchLoop
from pencilc.ir.nodes import If, Sync
from pencilc.ir.source import Assign
from pencilc.ir.time_nodes import EachIteration, PointsOfStep, TimeTile
from pencilc.options import CompileOptions
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


TURNS = """void turns(int n, int steps, double u[static const restrict n], double v[static const restrict n])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) v[i] = 0.5 * (u[i - 1] + u[i + 1]);
        if (t % 2 == 0) {
            for (int i = 1; i < n - 1; i++) u[i] = 0.5 * (v[i - 1] + v[i + 1]);
        } else {
            for (int i = 1; i < n - 1; i++) u[i] = v[i];
        }
    }
#pragma endscop
}
"""


def test_kernels_that_ask_for_the_iteration_share_its_declaration() -> None:
    cuda = compile_source(SourceFile("turns.c", TURNS), CompileOptions()).cuda
    tile = cuda.partition("void __launch_bounds__(256, 1) turns_loop0_tiles(")[2].partition("\n}\n")[0]
    assert tile.count("const int t = first_iteration + step;") == 1 and tile.count(" % 2 == 0)") == 2
