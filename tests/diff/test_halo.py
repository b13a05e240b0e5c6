"""Tiles with a halo: what they compute, what they fetch, what a lost barrier or a halo that is too small does."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from bench import sass
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions, TileChoice, Tuning
from pencilc.verify import cudacpu
from pencilc.verify.command import (
    Generated,
    VerifySettings,
    executor_for,
    measure_traffic,
    verify,
    verify_generated,
)
from pencilc.verify.report import VerifyReport
from tests.conftest import run

TRANSPOSED = """#include <pencil.h>
void transposed(int m, int n, const float a[static const restrict m][n], float b[static const restrict n][m])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            b[j][i] = a[i][j];
#pragma endscop
}
"""
JACOBI = """
void jacobi(int m, int n, const float a[static const restrict m][n], float b[static const restrict m][n])
{
#pragma scop
    for (int i = 1; i < m - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[i][j] = 0.2f * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
#pragma endscop
}
"""
HEAT = """
void heat(int p, int m, int n, const float a[static const restrict p][m][n], float b[static const restrict p][m][n])
{
#pragma scop
    for (int i = 1; i < p - 1; i++)
        for (int j = 1; j < m - 1; j++)
            for (int k = 1; k < n - 1; k++)
                b[i][j][k] = a[i][j][k] + a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k]
                           + a[i][j][k - 1] + a[i][j][k + 1];
#pragma endscop
}
"""
RAGGED = {"m": (35,), "n": (69,)}
PLANES = {**RAGGED, "p": (18,)}


def verified(text: str, settings: VerifySettings, options: CompileOptions | None = None) -> VerifyReport:
    return verify(SourceFile("halo.c", text), options or CompileOptions(), settings)


def test_ragged_tiles() -> None:
    report = verified(TRANSPOSED + JACOBI, VerifySettings(sizes=RAGGED, orders=("rand:5",)))
    assert report.ok and any(row.status == "ok" for row in report.rows), report.table()


TURNS = """
void turns(int steps, int m, int n, float u[static const restrict 2][m][n])
{
#pragma scop
    int now = 0;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < m - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[1 - now][i][j] = 0.2f * (u[now][i - 1][j] + u[now][i + 1][j] + u[now][i][j - 1] + u[now][i][j + 1]);
        now = 1 - now;
    }
#pragma endscop
}
"""


def test_planes_that_take_turns() -> None:
    """Each step by launches, whose tiles hold one plane of the array and write the other."""
    report = verified(TURNS, VerifySettings(sizes={**RAGGED, "steps": (3,)}, orders=("rand:5",)))
    assert report.ok and any("by launches" in row.form for row in report.rows if row.status == "ok"), report.table()


@pytest.mark.full
def test_small_and_large_sizes_in_every_order() -> None:
    sizes = {"m": (0, 1, 16, 18, 33), "n": (1, 17, 66, 131), "p": (3, 37)}
    settings = VerifySettings(sizes=sizes, orders=("fwd", "rev", "rand:3", "rand:4"))
    report = verified(TRANSPOSED + JACOBI + HEAT, settings)
    assert report.ok, report.table()


@pytest.mark.full
def test_sizes_of_tiles_that_a_search_tries() -> None:
    changes = (("halo_across", 128), ("halo_down", 8), ("halo_depth", 16), ("halo_side", 8))
    tuning = Tuning(tuple((f"{name}_parallel0", changes) for name in ("transposed", "jacobi", "heat")))
    text = compile_source(SourceFile("halo.c", HEAT), CompileOptions(tuning=tuning)).cuda
    assert "8 x 128 points" in text and "rows >= 8" in text and "depth = 16" in text
    settings = VerifySettings(sizes={"m": (9, 21), "n": (131,), "p": (37,)}, orders=("rand:5",))
    report = verified("#include <pencil.h>\n" + TRANSPOSED + JACOBI + HEAT, settings, CompileOptions(tuning=tuning))
    assert report.ok, report.table()


@pytest.mark.full
@pytest.mark.parametrize("points", [(2, 8, 128), (8, 16, 32), (64, 32, 16)])
def test_planes_that_the_user_chooses(points: tuple[int, ...]) -> None:
    """More of them than a block would take by itself, and fewer; columns that no tile of these has whole."""
    options = CompileOptions(tiles=(TileChoice("heat_parallel0", points),))
    assert f"int depth = {points[0]};" in compile_source(SourceFile("halo.c", HEAT), options).cuda
    settings = VerifySettings(sizes={"m": (35,), "n": (69,), "p": (3, 37)}, orders=("rand:5",))
    report = verified(HEAT, settings, options)
    assert report.ok and any(row.status == "ok" for row in report.rows), report.table()


# ---- what is wrong is found ----------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (TRANSPOSED, r"__syncthreads\(\);", ";"),
        (JACOBI, r"__syncthreads\(\);", ";"),
        (HEAT, r"__syncthreads\(\);", ";"),
        (JACOBI, r"at < 2244", "at < 2178"),
        (JACOBI, r"a_first1 = first_column", "a_first1 = 1 + first_column"),
        (HEAT, r"& 3\)", "& 1)"),
        (HEAT, r"step < ours \+ 2", "step < ours + 1"),
        (HEAT, r"step \+ 1 < ours \+ 2 && a_first0 \+ step \+ 1 < p", "step < ours + 2"),
        (HEAT, r"a_first0 \+ step \+ 1\) \* m", "a_first0 + step) * m"),
        (HEAT, r"if \(a_places\[e\] >= 0\) a_ahead", "a_ahead"),
        (JACOBI, r"if \(x0 < m && x1 < n\) ", ""),
    ],
    ids=[
        "transposed without a barrier", "no barrier", "planes without a barrier", "a row less", "a column less",
        "two planes", "a step less", "a plane too far", "a plane twice", "what no thread has a place for",
        "beyond the array",
    ],
)  # fmt: skip
def test_a_mutant_is_found(text: str, old: str, new: str) -> None:
    options = CompileOptions()
    settings = VerifySettings(sizes=PLANES if text == HEAT else RAGGED, orders=("fwd", "rand:5"))
    done = compile_source(SourceFile("halo.c", text), options)
    before, tiles, behind = done.cuda.partition("_tiles(")
    body, end, rest = behind.partition("\n}\n")
    changed, count = re.subn(old, new, body)
    assert count, body
    mutant = Generated(done.parsed, before + tiles + changed + end + rest, done.host)
    assert not verify_generated(mutant, options, settings, executor_for(settings)).ok


# ---- what is fetched -----------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize(
    ("text", "sizes", "tiles"),
    [
        (TRANSPOSED, {"m": 64, "n": 96}, 64 * 96),
        # 2 x 3 tiles of 32 x 64 points, each with a border of one, but for what lies outside.
        (JACOBI, {"m": 66, "n": 194}, 2 * 3 * 34 * 66),
        # 4 x 3 of 16 x 64 for two lots of 16 planes, and a plane before and behind each of them.
        (HEAT, {"p": 34, "m": 66, "n": 194}, 4 * 3 * 18 * 66 * 36),
    ],
    ids=["transposed", "jacobi", "heat"],
)
def test_a_tile_fetches_each_value_once(
    text: str, sizes: dict[str, int], tiles: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What all tiles fetch, value by value; what is stored is stored once."""
    for name, value in cudacpu.environment(sm_count=12).items():
        monkeypatch.setenv(name, value)
    options = CompileOptions()
    settings = VerifySettings(sizes={name: (value,) for name, value in sizes.items()}, orders=("fwd",), traffic=True)
    done = compile_source(SourceFile("halo.c", text), options)
    (call,) = measure_traffic(Generated(done.parsed, done.cuda, None), options, settings, executor_for(settings))
    moved = {each.array: each for each in call.device.moved}
    assert moved["a"].read == 4 * tiles
    assert moved["b"].written == 4 * _points(sizes, 0 if text == TRANSPOSED else 2)


def _points(sizes: dict[str, int], border: int) -> int:
    count = 1
    for value in sizes.values():
        count *= value - border
    return count


MAIN = """
#include <cstdio>
#include <cstdlib>
#include <cstring>

int main() {
    const int m = 70, n = 133;
    static float a[70 * 133 + 4], back[70 * 133];
    unsigned seed = 20;
    for (float &x : a) x = (float)((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216;
    for (int offset = 0; offset < 4; offset++) {
        float *da, *db;
        unsigned hash = 17;
        cudaMalloc((void **)&da, sizeof(a));
        cudaMalloc((void **)&db, sizeof(a));
        cudaMemset(db, 0, sizeof(a));
        cudaMemcpy(da + offset, a, sizeof(back), cudaMemcpyHostToDevice);
        if (jacobi_device(m, n, da + offset, db + (offset + 1) % 4, 0) != cudaSuccess) return 1;
        cudaMemcpy(back, db + (offset + 1) % 4, sizeof(back), cudaMemcpyDeviceToHost);
        for (float x : back) {
            unsigned bits;
            memcpy(&bits, &x, sizeof(bits));
            hash = hash * 31 + bits;
        }
        printf("%08x\\n", hash);
        cudaFree(da);
        cudaFree(db);
    }
}
"""


@pytest.mark.full
def test_the_same_bits_at_every_offset_and_without_tiles(tmp_path: Path) -> None:
    found: set[str] = set()
    never = CompileOptions(tuning=Tuning((("jacobi_parallel0", (("halo_side", 1 << 20),)),)))
    for options in (CompileOptions(), never):
        source, program = tmp_path / "halo.cu", tmp_path / "halo"
        source.write_text(compile_source(SourceFile("halo.c", JACOBI), options).cuda + MAIN)
        cudacpu.build(source, program, mode="check", extra=("-O1",))
        variables = {**os.environ, **cudacpu.environment(order="rand:2")}
        done = subprocess.run([str(program)], env=variables, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        found |= set(done.stdout.split())
    assert len(found) == 1


# ---- what nvcc makes of it -----------------------------------------------------------------------------


def opcodes_of_tiles(text: str, arch: str, nvcc: str, nvdisasm: Path, tmp_path: Path) -> list[str]:
    """The instructions of the first kernel with tiles, compiled without a warning and without a spill."""
    cuda, cubin = tmp_path / "halo.cu", tmp_path / "halo.cubin"
    cuda.write_text(compile_source(SourceFile("halo.c", text), CompileOptions()).cuda)
    strict = ("-Xptxas", "-warn-spills", "-Werror", "all-warnings")
    result = run(nvcc, f"-arch={arch}", "-cubin", *strict, cuda, "-o", cubin)
    assert result.returncode == 0, result.stderr
    code = sass.functions(run(nvdisasm, "-c", cubin).stdout)
    tiles = next(function for name, function in code.items() if "_tiles" in name)
    return [instruction.opcode.split(".")[0] for instruction in tiles.instructions]


@pytest.mark.full
@pytest.mark.parametrize("arch", ["sm_80", "sm_90", "sm_100"])
def test_each_value_comes_from_memory_once(arch: str, nvcc: str, nvdisasm: Path, tmp_path: Path) -> None:
    """No spill; the points of a tile read shared memory alone.

    Of a whole tile a thread has 8 points: 10 elements below each other, and two beside each point; else one at a time.
    """
    opcodes = opcodes_of_tiles(JACOBI, arch, nvcc, nvdisasm, tmp_path)
    behind = opcodes[opcodes.index("BAR") :]
    assert "LDG" not in behind and behind.count("LDS") <= 10 + 2 * 8 + 5 and behind.count("STG") == 8 + 1


WINDOW = """
void window(int m, int n, const float a[static const restrict m + 4][n + 4], const float f[static const restrict 5][5],
            float b[static const restrict m][n])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int p = 0; p < 5; p++)
                for (int q = 0; q < 5; q++)
                    s += a[i + p][j + q] * f[p][q];
            b[i][j] = s;
        }
#pragma endscop
}
"""


@pytest.mark.parametrize("arch", ["sm_90", pytest.param("sm_80", marks=pytest.mark.full)])
def test_points_of_a_thread_share_weights_and_values(arch: str, nvcc: str, nvdisasm: Path, tmp_path: Path) -> None:
    """Four points of a whole tile: 25 weights, and 8 x 5 values around them; else 25 of each for a point."""
    opcodes = opcodes_of_tiles(WINDOW, arch, nvcc, nvdisasm, tmp_path)
    behind = opcodes[opcodes.index("BAR") :]
    assert behind.count("FFMA") >= 5 * 25 - 5
    assert behind.count("LDG") <= 2 * 25 and behind.count("LDS") <= 8 * 5 + 25


@pytest.mark.full
@pytest.mark.parametrize("arch", ["sm_80", "sm_90", "sm_100"])
def test_the_next_plane_is_on_its_way_before_points_are_done(
    arch: str, nvcc: str, nvdisasm: Path, tmp_path: Path
) -> None:
    """A thread has 5 of the 18 x 66 elements of a plane: loaded in front of the planes, the next ones in each step."""
    opcodes = opcodes_of_tiles(HEAT, arch, nvcc, nvdisasm, tmp_path)
    assert (opcodes.count("LDG"), opcodes.count("STS"), opcodes.count("BAR")) == (2 * 5, 5, 1)
    # What is stored has been loaded a step before, so no load is waited for where it stands.
    loaded, stored = ([k for k, code in enumerate(opcodes) if code == kind] for kind in ("LDG", "STS"))
    assert loaded[4] < stored[0] < stored[-1] < loaded[5]
    # The points of a whole tile have 6 values below each other, and four around each; a point at the border has 7.
    assert opcodes.count("LDS") <= 6 + 4 * 4 + 7 and "LDL" not in opcodes
