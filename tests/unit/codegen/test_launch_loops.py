"""Launches of whole loops."""

from __future__ import annotations

from pencilc.codegen.cexpr import expression
from pencilc.codegen.launch_loops import loop
from pencilc.ir.build import UNSIGNED, number, variable
from pencilc.ir.launches import KernelInLoop, LaunchesInTime, LaunchLoop, SwappedArray
from pencilc.ir.launching import AskResident, Configure, EachLaunch, HostValues, TwoPlaces
from pencilc.ir.nodes import If, Parameter, blocks_in
from pencilc.ir.source import FLOAT, INT, Assign
from pencilc.options import LoopLaunch, TimeLaunch
from tests.unit.codegen.launched import KERNEL, N

GIVEN = tuple(Parameter(f"@{name}0", UNSIGNED) for name in ("across", "wide", "high"))
TIME = LaunchesInTime(
    KERNEL, (SwappedArray("a", FLOAT, N, "@a_taken", "@a_left"),), N, number(0), INT, (N,), (64,), 4, 1, False, False,
    TimeLaunch(),
)  # fmt: skip


def launch(*inside: KernelInLoop, in_time: LaunchesInTime | None = None) -> LaunchLoop:
    return LaunchLoop(name="f", block=512, inside=inside, in_time=in_time, launch=LoopLaunch())


FLAT, DEEP = KernelInLoop(0, N, (N,), ()), KernelInLoop(0, N, (N, variable("m")), GIVEN)


def test_one_block_or_all_that_are_resident() -> None:
    nodes = tuple(blocks_in(loop(launch(FLAT))))
    of_grid, start = (each for each in nodes if isinstance(each, If))
    assert expression(of_grid.condition) == "!@f_fits && @points <= 4096ll * @multiprocessors"
    assert isinstance(of_grid.then[0], AskResident) and expression(start.condition) == "@f_fits"
    (config,) = (each for each in nodes if isinstance(each, Configure))
    assert config.together is not None and expression(config.together) == "@blocks > 1"


def test_the_largest_kernel_of_an_iteration_decides() -> None:
    nodes = tuple(blocks_in(loop(launch(FLAT, KernelInLoop(1, variable("k"), (N,), ())))))
    told = [expression(each.value) for each in nodes if isinstance(each, Assign)]
    assert "pencilc_max(@points, k)" in told


def test_kernels_of_several_directions_are_told_where_blocks_stand() -> None:
    named = {
        each.name for node in blocks_in(loop(launch(DEEP))) if isinstance(node, HostValues) for each in node.values
    }
    assert named >= {"@across0", "@wide0", "@high0"}


def test_an_even_number_of_launches_in_time() -> None:
    nodes = tuple(blocks_in(loop(launch(FLAT, in_time=TIME))))
    (many,) = (each for each in nodes if isinstance(each, If) and "@iterations >= 2" in expression(each.condition))
    (launches,) = (
        each.value
        for node in many.then
        if isinstance(node, HostValues)
        for each in node.values
        if each.name == "@launches"
    )
    assert expression(launches) == "(@iterations + 7) / 8 * 2"
    assert [type(each) for each in nodes if isinstance(each, TwoPlaces | EachLaunch)] == [TwoPlaces, EachLaunch]
