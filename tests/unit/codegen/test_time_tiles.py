"""The function of tiles that do several iterations: what it is made of, and trees broken by hand, which are refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from pencilc.codegen.cexpr import expression
from pencilc.codegen.hostloops import launches_in
from pencilc.codegen.kernel_verifier import verify_kernels
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.build import THREAD, binary, variable
from pencilc.ir.host import Fallback, KernelFile
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.launches import LaunchLoop
from pencilc.ir.nodes import If, Node, Sync
from pencilc.ir.source import Assign
from pencilc.ir.time_nodes import EachIteration, PointsOfStep, TimeTile
from pencilc.options import CompileOptions

JACOBI = """#include <pencil.h>
void jacobi(int steps, int n, float a[static const restrict n][n], float b[static const restrict n][n]) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j - 1] + b[i][j + 1];
    }
#pragma endscop
}
"""


@cache
def made() -> tuple[KernelFile, KernelFunction]:
    """The file, and the function whose blocks have tiles."""
    kernels = compile_source(SourceFile("f.c", JACOBI), CompileOptions(), "kernels").kernels
    assert kernels is not None
    (found,) = (each for each in kernels.kernels if each.shape == "time")
    return kernels, found


def refused(message: str, change: Callable[[Node], tuple[Node, ...]]) -> None:
    """The verifier says so where each node of the function, and of its iterations, is what `change` makes of it."""
    file, function = made()
    body = []
    for node in function.body:
        for new in change(node):
            if isinstance(new, EachIteration):
                new = replace(new, body=tuple(inner for each in new.body for inner in change(each)))
            body.append(new)
    changed = replace(function, body=tuple(body))
    assert changed != function
    kernels = tuple(changed if each is function else each for each in file.kernels)
    with pytest.raises(CompilerBug, match=message):
        verify_kernels(replace(file, kernels=kernels))


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


def test_all_is_fetched_before_it_is_read() -> None:
    refused("no barrier stands between what writes `@a_tile` and who reads it",
            lambda node: () if isinstance(node, Sync) else (node,))  # fmt: skip


def test_a_barrier_stands_between_steps() -> None:
    synced: list[Node] = []

    def change(node: Node) -> tuple[Node, ...]:
        if isinstance(node, Sync):
            synced.append(node)
            return () if len(synced) == 2 else (node,)
        return (node,)

    refused("no barrier stands between what writes `@b_tile` and who reads it", change)


def test_a_barrier_stands_between_iterations() -> None:
    def change(node: Node) -> tuple[Node, ...]:
        return (replace(node, body=node.body[:-1]),) if isinstance(node, EachIteration) else (node,)

    refused("no barrier stands between an iteration of a tile and the next one", change)


def test_all_threads_come_to_the_elements() -> None:
    first = binary("==", THREAD["x"], variable("n"))
    refused("not all threads come to the elements of a tile",
            lambda node: (If(first, (node,)),) if isinstance(node, PointsOfStep) else (node,))  # fmt: skip


def test_a_step_says_what_it_writes() -> None:
    def change(node: Node) -> tuple[Node, ...]:
        return (replace(node, writes=("@c_tile",)),) if isinstance(node, PointsOfStep) else (node,)

    refused("no element writes `@c_tile`", change)


def test_a_block_has_a_tile_before_it_does_its_elements() -> None:
    refused("`@at0` is not declared", lambda node: () if isinstance(node, TimeTile) else (node,))
