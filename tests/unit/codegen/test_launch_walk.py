"""Bodies of launches that are broken by hand."""

from __future__ import annotations

import re
from contextlib import nullcontext
from dataclasses import replace

import pytest

from pencilc.codegen.kernel_types import FileScope
from pencilc.codegen.launch_nodes import blocks_for, values
from pencilc.codegen.launch_walk import LaunchWalk
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.build import number, variable
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.launching import (
    CopyBack,
    EachLaunch,
    GridSides,
    HeldForm,
    HeldForms,
    ReserveBytes,
    StartCase,
    StartedFunction,
    StartHeld,
    StartKernel,
    StartOneOf,
)
from pencilc.ir.nodes import Node, Sync
from pencilc.ir.source import INT, LLONG
from pencilc.target import MAX_GRID, MAX_WIDE
from tests.unit.codegen.launched import CONFIG
from tests.unit.codegen.programs import functions
from tests.unit.records import SUM

(FUNCTION,) = functions(SUM).values()
KERNEL = StartedFunction(FUNCTION.name, FUNCTION.block, ())


def bare(function: KernelFunction, numbers: tuple[str, ...] = ()) -> KernelFunction:
    """The function without parameters."""
    return replace(function, parameters=(), numbers=numbers)


def walk(*body: Node, numbers: tuple[str, ...] = ()) -> LaunchWalk:
    made = LaunchWalk(FileScope(), "f", {FUNCTION.name: bare(FUNCTION, numbers)})
    made.launch(body, made.file.inner())
    return made


def refused(why: str, *body: Node, numbers: tuple[str, ...] = ()) -> None:
    with pytest.raises(CompilerBug, match=re.escape(why)):
        walk(*body, numbers=numbers)


def test_what_is_started_is_known_and_configured() -> None:
    assert walk(CONFIG, StartKernel(KERNEL)).found == {FUNCTION.name}
    refused("nothing says with how many blocks", StartKernel(KERNEL))
    refused("`g` is launched, and is no kernel", CONFIG, StartKernel(StartedFunction("g", 1, ())))
    refused("another number of arguments", CONFIG, StartKernel(StartedFunction(KERNEL.name, 1, (number(1),))))


def test_functions_are_made_for_the_numbers_that_they_have() -> None:
    assert walk(CONFIG, StartKernel(KERNEL, (8,)), numbers=("LANES",)).found
    refused("for 0 numbers and has 1", CONFIG, StartKernel(KERNEL), numbers=("LANES",))
    one = StartCase(1, StartKernel(KERNEL, (1,)))
    refused("stands twice", CONFIG, StartOneOf(number(1), (one, one)), numbers=("LANES",))
    wrong = StartCase(2, StartKernel(KERNEL, (1,)))
    refused("is started for 2", CONFIG, StartOneOf(number(1), (wrong,)), numbers=("LANES",))
    refused("no forms to choose from", HeldForms(()))
    forms = HeldForms((HeldForm(1, "f<1>"),))
    start = StartHeld(KERNEL, number(32), 4, number(1), number(1), number(1))
    refused("several rows of a warp want 4 chunks of a lane, which no form has", forms, start, numbers=("ITEMS",))


def test_what_is_computed_is_declared_and_taken() -> None:
    one, other = variable("@one", LLONG), variable("@other", LLONG)
    refused("`@other` is not declared", values(LLONG, (one, other)))
    refused("a launch declares `@one`, which nothing uses", values(LLONG, (one, number(1))))
    refused("`@one` is declared twice", values(LLONG, (one, number(1)), (one, number(1))))
    refused("`@other` is not declared", ReserveBytes("@memory", other))
    refused("`@launches` is not declared", EachLaunch(()))
    refused("`@ends` is not declared", CopyBack("@ends", number(1)))


def test_blocks_of_kernels_are_the_devices() -> None:
    refused("a Sync stands where the host launches kernels", Sync("block"))


def test_a_const_is_not_written() -> None:
    one = variable("@one", INT)
    walk(values(INT, (one, number(1)), varies=True), CopyBack("@one", one))


def test_points_that_have_a_thread_each_have_all_their_blocks() -> None:
    covering = {FUNCTION.name: replace(bare(FUNCTION), covers=True)}
    width, start = variable("n", LLONG), StartKernel(KERNEL)
    for side, why in (
        (blocks_for(width, 32, MAX_WIDE), ""),
        (blocks_for(width, 32, MAX_GRID), "is launched with fewer"),
        (number(8), "is launched with fewer"),
    ):
        made = LaunchWalk(FileScope(), "f", covering)
        scope = made.file.inner()
        scope.provide(("n",), LLONG)
        with pytest.raises(CompilerBug, match=why) if why else nullcontext():
            made.launch((GridSides((side, number(1))), CONFIG, start), scope)
    with pytest.raises(CompilerBug, match="is launched with fewer"):
        LaunchWalk(FileScope(), "f", covering).launch((CONFIG, start), made.file.inner())
