"""Rules for tiles of several iterations: nodes that are broken by hand are refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from pencilc.codegen.kernel_verifier import verify_kernels
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.build import THREAD, binary, variable
from pencilc.ir.nodes import If, Node, Sync
from pencilc.ir.time_nodes import EachIteration, PointsOfStep, TimeTile
from tests.unit.codegen.in_time import made


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
