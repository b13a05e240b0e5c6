"""What PolyBench's kernels move beside tiles, as `docs/polybench_traffic.md` tells it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bench.polybench import MINI, mapped
from bench.polybench_traffic import HEAD, PAGE, SIZES, WIDTH, compared, known, needed

DOUBLE = 8


def test_all_programs_are_there() -> None:
    assert list(known()) == list(MINI)
    text = PAGE.read_text()
    assert text == HEAD + "".join(f"{line.told(name)}\n" for name, lines in known().items() for line in lines)


def test_no_block_moves_more_than_tiles() -> None:
    assert not [line for lines in known().values() for line in lines if line.by_blocks > line.tiles]


def test_what_the_tiles_of_a_product_need() -> None:
    """gemm: each tile has its part of both factors once, and its part of the result twice."""
    m, n, k = (SIZES["gemm"][name] for name in ("ni", "nj", "nk"))
    down, across, deep = (-(-extent // WIDTH) for extent in (m, n, k))
    elements = m * k * across + k * n * down + 2 * m * n * deep
    assert needed(mapped("gemm"), SIZES["gemm"]) == {"gemm_parallel0": elements * DOUBLE}


def test_references_to_one_element_count_once() -> None:
    """jacobi-1d: a tile of 32 points reads 34 elements, not 96, and each step has tiles of its own."""
    steps, n = SIZES["jacobi-1d"]["tsteps"], SIZES["jacobi-1d"]["n"]
    points = n - 2
    # Rows begin at iteration 1: the first tile has 31 points.
    tiles = (n - 2) // WIDTH + 1
    of_a_step = points + 2 * tiles + points
    found = needed(mapped("jacobi-1d"), SIZES["jacobi-1d"])
    assert found["jacobi_1d_parallel0"] == found["jacobi_1d_parallel1"] == steps * of_a_step * DOUBLE


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.full] * (name not in ("gemm", "jacobi-1d"))) for name in MINI]
)
def test_the_table_tells_what_tiles_need(name: str) -> None:
    tiles: Mapping[str, int] = needed(mapped(name), SIZES[name])
    for line in known()[name]:
        assert line.tiles in tiles.values(), line


@pytest.mark.full
@pytest.mark.parametrize("name", MINI)
def test_the_table_tells_what_is_moved(name: str) -> None:
    assert compared(name) == known()[name]


# By how much blocks that are narrower than a tile may fetch more at its edges.
EDGES = 0.1


def test_what_blocks_need_is_what_tiles_need() -> None:
    lines = [line for program in known().values() for line in program]
    assert not [line.kernel for line in lines if line.by_blocks > (1 + EDGES) * line.tiles]
