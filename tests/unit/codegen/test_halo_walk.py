"""Tiles with what is around their points, broken by hand: the verifier refuses each tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from pencilc.codegen.kernel_verifier import verify_kernels
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.build import ONE, THREAD, binary, plus, variable
from pencilc.ir.halo import CopyTile, EachPlane, HaloTile, LoadPlane, PlanePlaces, PointsOfTile, StorePlane
from pencilc.ir.host import KernelFile
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.nodes import If, Node, Sync
from pencilc.ir.source import DOUBLE, Expr
from pencilc.options import CompileOptions
from tests.unit.gpu.verifiers.test_halo import HEAT

BLUR = """#include <pencil.h>
void blur(int m, int n, const float a[static const restrict m][n], float b[static const restrict m][n]) {
#pragma scop
    for (int i = 1; i < m - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[i][j] = a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
#pragma endscop
}
"""
FIRST_THREAD = binary("==", THREAD["x"], variable("n"))


@cache
def tiled(text: str) -> tuple[KernelFile, KernelFunction]:
    """The file of a program, and its function whose blocks have tiles."""
    kernels = compile_source(SourceFile("f.c", text), CompileOptions(), "kernels").kernels
    assert kernels is not None
    (found,) = (each for each in kernels.kernels if each.shape == "halo")
    return kernels, found


def refused(message: str, change: Callable[[Node], tuple[Node, ...]], text: str = BLUR) -> None:
    """The verifier says so where each node of the function is what `change` makes of it."""
    made, function = tiled(text)
    changed = replace(function, body=tuple(new for node in function.body for new in change(node)))
    assert changed != function
    kernels = tuple(changed if each is function else each for each in made.kernels)
    with pytest.raises(CompilerBug, match=message):
        verify_kernels(replace(made, kernels=kernels))


@pytest.mark.parametrize("text", [BLUR, HEAT])
def test_what_the_compiler_makes_is_taken(text: str) -> None:
    verify_kernels(tiled(text)[0])


def test_a_tile_is_copied_before_its_points_are_done() -> None:
    refused("no barrier stands between what writes `@a_tile` and who reads it",
            lambda node: () if isinstance(node, Sync) else (node,))  # fmt: skip


def test_each_plane_is_copied_before_its_points_are_done() -> None:
    def change(node: Node) -> tuple[Node, ...]:
        if isinstance(node, EachPlane):
            return (replace(node, fetch=tuple(each for each in node.fetch if not isinstance(each, Sync))),)
        return (node,)

    refused("no barrier stands between what writes `@a_tile` and who reads it", change, HEAT)


def fetching(change: Callable[[Node], tuple[Node, ...]]) -> Callable[[Node], tuple[Node, ...]]:
    """What makes of each node that a step fetches what `change` does."""

    def changed(node: Node) -> tuple[Node, ...]:
        if isinstance(node, EachPlane):
            return (replace(node, fetch=tuple(new for each in node.fetch for new in change(each))),)
        return (node,)

    return changed


def test_a_plane_that_is_loaded_ahead_is_stored() -> None:
    message = "not every plane that is loaded to `@a_ahead` is stored"
    refused("`@a_ahead` is loaded twice, and not stored between",
            fetching(lambda node: () if isinstance(node, StorePlane) else (node,)), HEAT)  # fmt: skip
    refused(message, fetching(lambda node: () if isinstance(node, LoadPlane) else (node,)), HEAT)
    refused(message, fetching(lambda node: () if isinstance(node, LoadPlane | StorePlane) else (node,)), HEAT)


def test_a_plane_is_stored_when_it_is_there() -> None:
    refused("`@a_ahead` is stored, and nothing has been loaded to it",
            lambda node: () if isinstance(node, LoadPlane) else (node,), HEAT)  # fmt: skip
    refused("`@a_ahead` is loaded twice, and not stored between",
            fetching(lambda node: (node, node) if isinstance(node, LoadPlane) else (node,)), HEAT)  # fmt: skip


def test_no_plane_is_loaded_behind_the_last_one() -> None:
    message = "what is loaded ahead to `@a_ahead` is not the next plane of the block"
    step, count = plus(variable("@step"), ONE), plus(variable("@ours"), plus(plus(ONE, ONE), ONE))
    is_there = binary("<", step, plus(variable("@ours"), plus(ONE, ONE)))
    wrong: list[tuple[Expr, Expr | None]] = [
        (step, None),
        (step, binary("<", step, count)),
        (variable("@step"), is_there),
    ]
    for number, condition in wrong:

        def change(node: Node, number: Expr = number, condition: Expr | None = condition) -> tuple[Node, ...]:
            return (replace(node, step=number, condition=condition),) if isinstance(node, LoadPlane) else (node,)

        refused(message, fetching(change), HEAT)


def test_the_first_plane_is_loaded_first() -> None:
    refused("what is loaded first to `@a_ahead` is not the first plane of the block",
            lambda node: (replace(node, step=ONE),) if isinstance(node, LoadPlane) else (node,), HEAT)  # fmt: skip


def test_planes_are_loaded_and_stored_by_all_threads() -> None:
    refused("not all threads come to the loads to `@a_ahead`",
            lambda node: (If(FIRST_THREAD, (node,)),) if isinstance(node, LoadPlane) else (node,), HEAT)  # fmt: skip
    refused("not all threads come to the stores to `@a_tile`",
            fetching(lambda node: (If(FIRST_THREAD, (node,)),) if isinstance(node, StorePlane) else (node,)),
            HEAT)  # fmt: skip


def test_planes_are_elements_of_one_type() -> None:
    refused("`@a_ahead` is no place for what is loaded to it",
            lambda node: (replace(node, type=DOUBLE),) if isinstance(node, PlanePlaces) else (node,), HEAT)  # fmt: skip
    refused("`@a_tile` is no place for what is stored to it",
            fetching(lambda node: (replace(node, type=DOUBLE),) if isinstance(node, StorePlane) else (node,)),
            HEAT)  # fmt: skip
    refused("`@a_places` is not declared", lambda node: () if isinstance(node, PlanePlaces) else (node,), HEAT)


def test_a_tile_has_elements_of_the_type_that_is_copied() -> None:
    refused("`@a_tile` is no place for what is copied to it",
            lambda node: (replace(node, type=DOUBLE),) if isinstance(node, CopyTile) else (node,))  # fmt: skip


def test_all_threads_copy() -> None:
    refused("not all threads come to the copies to `@a_tile`",
            lambda node: (If(FIRST_THREAD, (node,)),) if isinstance(node, CopyTile) else (node,))  # fmt: skip


def test_points_have_a_tile() -> None:
    refused("`@first_row` is not declared", lambda node: () if isinstance(node, HaloTile) else (node,))


def test_planes_are_those_of_a_block() -> None:
    refused("`@first_plane` is not declared",
            lambda node: (replace(node, planes=None),) if isinstance(node, HaloTile) else (node,), HEAT)  # fmt: skip


def test_rows_are_given_to_one_tile() -> None:
    refused("rows are given to tile, and dealt out again",
            lambda node: (node, node) if isinstance(node, HaloTile) else (node,))  # fmt: skip


def test_a_point_is_one_of_the_tile() -> None:
    refused("`@row` is not declared", lambda node: node.body if isinstance(node, PointsOfTile) else (node,))
