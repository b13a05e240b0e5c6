"""Bytes and threads of contractions at large sizes: computed from launches, and the formula beside the executor."""

from __future__ import annotations

from functools import cache
from math import ceil
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.gpu.shapes.tiles import SHAPES, points_of
from pencilc.ir.shapes import TileSize
from pencilc.options import CompileOptions
from pencilc.target import TARGETS
from pencilc.verify.command import Generated, VerifySettings, executor_for, measure_traffic
from pencilc.verify.launched import launched_calls
from pencilc.verify.traffic import Traffic
from tests.diff.test_tiles import product, set_multiprocessors, with_tiles
from tests.diff.tile_choice import chosen

FLOAT = 4
SIZES = tuple(TileSize(*shape, 8, 2) for shape in SHAPES)
TRIPLES = """#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
void triples(int n, float x[static const restrict n][2][3], const float y[static const restrict n][2][3])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 3; k++)
                x[i][j][k] = 2.0f * y[i][j][k];
#pragma endscop
}
void interleaved(int n, int m, int p, int q, const float x[static const restrict n][m][p][q],
                 float r[static const restrict m])
{
#pragma scop
    for (int j = 0; j < m; j++)
        __pencil_reduction_var_init(&r[j], zero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                for (int l = 0; l < q; l++)
                    __pencil_reduction(&r[j], 2 * x[i][j][k][l] + 1, add);
#pragma endscop
}
"""


@cache
def compiled(text: str, arch: str = "sm_90") -> Compilation:
    return compile_source(SourceFile("contraction.c", text), CompileOptions(target=TARGETS[arch]))


def bytes_of_tiles(m: int, n: int, p: int, points: tuple[int, int]) -> int:
    """What blocks with tiles of so many points, down and across, read, each operand once, and what they write."""
    down, across = points
    tiles = ceil(m / down) * ceil(n / across)
    return (tiles * (down + across) * p + m * n) * FLOAT


def bytes_alone(m: int, n: int, p: int) -> int:
    """What points that share nothing read and write."""
    return (2 * p + 1) * m * n * FLOAT


def measured(m: int, n: int, p: int, shape: tuple[int, int] = (16, 8)) -> Traffic:
    done = compile_source(SourceFile("contraction.c", product()), with_tiles(product(), shape))
    settings = VerifySettings(sizes={"m": (m,), "n": (n,), "p": (p,)}, orders=("fwd",), traffic=True)
    (call,) = measure_traffic(Generated(done.parsed, done.cuda, None), done.options, settings, executor_for(settings))
    return call


@pytest.mark.parametrize(("size", "share"), [(4096, 100), (1024, 50)])
@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
def test_a_product_moves_a_small_share_of_what_points_would_alone(
    arch: str, size: int, share: int, tmp_path: Path
) -> None:
    """What blocks that share a tile leave for each other counts: it is written once and read once."""
    multiprocessors = TARGETS[arch].multiprocessors
    (found,) = chosen(compiled(product(), arch).cuda, tmp_path, [(size, size, size, multiprocessors)])
    assert found.blocks(size, size) >= multiprocessors
    left = 2 * found.splits * size * size * FLOAT if found.splits > 1 else 0
    moved = bytes_of_tiles(size, size, size, (16 * found.down, 16 * found.across)) + left
    assert moved * share <= bytes_alone(size, size, size)


@pytest.mark.full
@pytest.mark.parametrize("size", SIZES)
def test_the_formula_is_what_the_executor_counts(size: TileSize, monkeypatch: pytest.MonkeyPatch) -> None:
    set_multiprocessors(monkeypatch, 1)
    down, across = points_of(size)
    counted = measured(down, 2 * across, 32, (size.down, size.across)).moved
    assert counted == bytes_of_tiles(down, 2 * across, 32, (down, across))


@pytest.mark.full
def test_odd_sizes_move_little_more_than_whole_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of odd length begin at every place of a sector, the base of an array off by an element among them.

    These are bytes; sectors of requests are counted in `test_requests.py`.
    """
    set_multiprocessors(monkeypatch, 1)
    odd, whole = measured(125, 127, 129, (4, 4)), measured(128, 128, 160, (4, 4))
    assert odd.moved <= 1.5 * whole.moved


@pytest.mark.full
def test_points_of_short_rows_have_threads() -> None:
    found = launched_calls(compiled(TRIPLES), {"n": (400, 10**6), "m": (20, 64), "p": (100,), "q": (50,)})
    kernels = [kernel for calls in found.values() for call in calls for kernel in call.kernels]
    assert len(kernels) >= 6 and all(kernel.short == 0 for kernel in kernels if kernel.points is not None)
