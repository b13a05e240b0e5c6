"""The bytes that the report expects tiles of triangles to fetch, beside those that the CPU executor counts.

`by blocks` are the different bytes that each block reads: where operands are arrays of their own these are what the
report says, to the byte.  Where two operands read the same array, as both sides of `a a^T` do, tiles on the diagonal
read the same rows for both, which the report counts twice; and what follows a point may read an operand's array too,
which the report does not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from pencilc.analysis.affinity import base_name
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.gpu.report.contractions import contractions
from pencilc.gpu.shapes.tiles import points_of
from pencilc.options import CompileOptions, TileChoice
from pencilc.verify.command import Generated, VerifySettings, executor_for, measure_traffic

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "tests" / "diff" / "programs"
POLYBENCH = ROOT / "samples" / "polybench"
SIZES = {"n": 70, "m": 75, "h": 2}


def told_and_counted(path: Path, side: int, sizes: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """By kernel with tiles of that side: bytes of operands by the report, and by the executor, of each block alone."""
    file = SourceFile(str(path), path.read_text())
    tiled = [
        kernel.name
        for program in compile_source(file, CompileOptions(), "mapping").programs
        for kernel in program.kernels()
        if kernel.tiling is not None and any(points_of(size) == (side, min(side, 128)) for size in kernel.tiling.sizes)
    ]
    choices = tuple(TileChoice(name, (side, min(side, 128))) for name in tiled)
    options = CompileOptions(sizes=tuple(sizes.items()), tiles=choices)
    done = compile_source(file, options)
    told = {each.kernel: each.sizes[0].uneven for program in done.programs for each in contractions(program)}
    operands = {
        kernel.name: {base_name(each.index) for each in kernel.tiling.operands}
        for program in done.programs
        for kernel in program.kernels()
        if kernel.tiling is not None
    }
    settings = VerifySettings(sizes={name: (size,) for name, size in sizes.items()}, orders=("fwd",), traffic=True)
    counted = dict.fromkeys(tiled, 0)
    for call in measure_traffic(Generated(done.parsed, done.cuda, None), options, settings, executor_for(settings)):
        for moved in call.device.moved:
            kernel = moved.kernel.removesuffix("_tiles")
            if kernel in counted and moved.array.strip("()").removesuffix("_1") in operands[kernel]:
                counted[kernel] += moved.block_read
    return {name: (found.fetched, counted[name]) for name in tiled if (found := told[name]) is not None}


@pytest.mark.parametrize("side", [32, 64, 256])
@pytest.mark.parametrize("name", ["triangular_products", "triangular_halves"])
def test_each_block_fetches_what_the_report_says(name: str, side: int) -> None:
    found = told_and_counted(PROGRAMS / f"{name}.c", side, SIZES)
    assert len(found) == {"triangular_products": 6 - (side > 64), "triangular_halves": 6}[name]
    assert all(told == counted for told, counted in found.values()), found


@pytest.mark.parametrize("side", [32, 64])
@pytest.mark.parametrize("name", ["syrk", "syr2k", "covariance"])
def test_two_operands_of_one_array(name: str, side: int) -> None:
    rows = -(-(75 if name == "covariance" else 70) // side)
    on_diagonal = rows / (rows * (rows + 1) // 2)  # of the tiles that have points
    (found,) = told_and_counted(POLYBENCH / f"{name}.c", side, {"m": 75, "n": 70}).values()
    told, counted = found
    assert round(told * (1 - on_diagonal / 2)) <= counted < told


@pytest.mark.parametrize("side", [32, 64])
def test_what_follows_a_point_reads_an_operand_too(side: int) -> None:
    found = told_and_counted(POLYBENCH / "symm.c", side, {"m": 75, "n": 70})
    (told, counted), (told_of_later, counted_of_later) = found.values()
    assert told < counted < 1.05 * told and told_of_later == counted_of_later
