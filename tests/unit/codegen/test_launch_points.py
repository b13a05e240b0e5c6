"""Launches of points that need not wait for each other."""

from __future__ import annotations

from pencilc.codegen import launch_points
from pencilc.codegen.cexpr import expression
from pencilc.ir.build import NULL, variable
from pencilc.ir.launches import LaunchHalo, LaunchLeave, LaunchParallel
from pencilc.ir.launching import CopyBack, GridSides, StartKernel
from pencilc.ir.nodes import Braces, If, blocks_in
from pencilc.ir.source import Jump
from pencilc.options import HaloLaunch, ParallelLaunch
from pencilc.target import MAX_GRID, MAX_WIDE
from tests.unit.codegen.launched import KERNEL, N

M = variable("m")
FLAT = LaunchParallel(name="f", block=256, extents=(N,), launch=ParallelLaunch())


def test_points_of_one_row_go_to_blocks_that_are_resident() -> None:
    (braces,) = launch_points.parallel(FLAT)
    assert isinstance(braces, Braces)
    (start,) = (each for each in blocks_in(braces) if isinstance(each, StartKernel))
    assert start.is_resident


def test_a_direction_of_the_grid_for_each_row() -> None:
    for extents in ((N, M), (N, M, N)):
        launch = LaunchParallel(name="f", block=256, extents=extents, launch=ParallelLaunch())
        (grid,) = (each for each in blocks_in(launch_points.parallel(launch)) if isinstance(each, GridSides))
        assert len(grid.sides) == len(extents)
        assert [expression(side).rpartition(", ")[2] for side in grid.sides] == [f"{MAX_WIDE})"] + [
            f"{MAX_GRID})" for _ in extents[1:]
        ]


def test_the_host_asks_whether_a_loop_ends() -> None:
    *_, asked = launch_points.leave(LaunchLeave(name="f", block=1, told=NULL))
    assert isinstance(asked, If)
    _, copied, left = asked.otherwise
    assert isinstance(copied, CopyBack) and isinstance(left, If) and isinstance(left.then[0], Jump)
    assert not [each for each in blocks_in(asked.then) if isinstance(each, CopyBack)]


def test_tiles_where_no_side_is_narrow() -> None:
    for planes in (None, N):
        launch = LaunchHalo(
            name="f", block=256, rows=N, columns=M, planes=planes, outers=N, tiles=KERNEL, launch=HaloLaunch(),
            narrow=FLAT,
        )  # fmt: skip
        (braces,) = launch_points.halo(launch)
        assert isinstance(braces, Braces)
        chosen = braces.body[-1]
        assert isinstance(chosen, If) and chosen.otherwise == launch_points.parallel(FLAT)
        wide = expression(chosen.condition)
        assert "@rows >= 16 && @columns >= 16" in wide and ("@planes > 0" in wide) == (planes is not None)
