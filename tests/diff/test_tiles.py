"""Points in tiles: each size of tile, tiles that several blocks share, unaligned bases, the same bits, and the SASS."""

from __future__ import annotations

import os
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from bench import sass
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.gpu.shapes.tiles import SHAPES, points_of
from pencilc.ir.shapes import TileSize
from pencilc.options import CompileOptions, Determinism, TileChoice, Tuning
from pencilc.verify import cudacpu
from pencilc.verify.command import VerifySettings, verify
from tests.conftest import run

PRODUCT = """#include <pencil.h>
static void zero({t} *v) {{ *v = 0; }}
static {t} add({t} a, {t} b) {{ return a + b; }}
void product(int m, int n, int p, const {t} a[static const restrict m][p], const {t} b[static const restrict p][n],
             {t} c[static const restrict m][n])
{{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {{
            __pencil_reduction_var_init(&c[i][j], zero);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&c[i][j], {element}, add);
        }}
#pragma endscop
}}
"""
PLAIN = """
void plain(int m, int n, int p, const float a[static const restrict m][p], const float b[static const restrict n][p],
           float c[static const restrict m][n])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float s = c[i][j];
            for (int k = 0; k < p; k++)
                s = 0.5f * s + a[i][k] * b[j][k];
            c[i][j] = s;
        }
#pragma endscop
}
"""


NEAREST = """
#include <math.h>
void nearest(int m, int n, int p, const float a[static const restrict m][p], const float b[static const restrict n][p],
             int label[static const restrict m])
{
#pragma scop
    for (int i = 0; i < m; i++) {
        float best = INFINITY;
        int where = -1;
        for (int j = 0; j < n; j++) {
            float distance = 0.0f;
            for (int k = 0; k < p; k++)
                distance += (a[i][k] - b[j][k]) * (a[i][k] - b[j][k]);
            if (distance < best) {
                best = distance;
                where = j;
            }
        }
        label[i] = where;
    }
#pragma endscop
}
"""


TRIANGLES = """#include <pencil.h>
static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }
void lower(int n, int m, const float a[static const restrict n][n], const float b[static const restrict n][m],
           float c[static const restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            __pencil_reduction_var_init(&c[i][j], zero);
            for (int k = 0; k <= i; k++)
                __pencil_reduction(&c[i][j], a[i][k] * b[k][j], add);
        }
#pragma endscop
}
void upper(int n, int m, const float a[static const restrict n][n], const float b[static const restrict n][m],
           float c[static const restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = i + 1; k < n; k++)
                c[i][j] += a[k][i] * b[k][j];
#pragma endscop
}
"""


def product(t: str = "float", element: str = "a[i][k] * b[k][j]") -> str:
    return PRODUCT.format(t=t, element=element)


def with_tiles(text: str, shape: tuple[int, int]) -> CompileOptions:
    """Options for which each kernel with tiles has one size: of so many points of a thread, or the largest below."""
    done = compile_source(SourceFile("tiles.c", text), CompileOptions(), "mapping")
    tiled = {kernel.name: kernel.tiling for program in done.programs for kernel in program.kernels() if kernel.tiling}
    allowed = SHAPES[SHAPES.index(shape) :]
    fitting = {
        name: next(size for size in found.sizes if (size.down, size.across) in allowed) for name, found in tiled.items()
    }
    return CompileOptions(tiles=tuple(TileChoice(name, points_of(size)) for name, size in fitting.items()))


def set_multiprocessors(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    for name, value in cudacpu.environment(sm_count=count).items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        pytest.param((16, 8), product(), id="16-reduced"),
        pytest.param((4, 4), PLAIN, id="4-in order"),
        pytest.param((4, 4), NEAREST, id="4-folded"),
        pytest.param((2, 8), product(), id="2-8-reduced"),
        *(
            pytest.param(shape, text, id=f"{shape[0]}-{shape[1]}-{what}", marks=pytest.mark.full)
            for shape, text, what in (
                ((16, 8), PLAIN, "in order"), ((8, 8), product(), "reduced"), ((8, 8), PLAIN, "in order"),
                ((8, 8), NEAREST, "folded"), ((4, 4), product(), "reduced"), ((2, 2), product(), "reduced"),
                ((2, 2), PLAIN, "in order"), ((2, 2), NEAREST, "folded"), ((2, 8), PLAIN, "in order"),
                ((2, 8), NEAREST, "folded"), ((8, 2), product(), "reduced"), ((8, 2), PLAIN, "in order"),
                ((8, 2), NEAREST, "folded"),
            )
        ),
    ],
)  # fmt: skip
def test_every_size_of_tile(shape: tuple[int, int], text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tile and a part of one each way, stages that are whole and one that is not, by chunks and by elements."""
    set_multiprocessors(monkeypatch, 1)
    text = "#include <pencil.h>\n" + text
    down, across = points_of(TileSize(*shape, 0, 0))
    for m, n, p in ((down + 3, across + 1, 19), (down + 4, across + 4, 20)):
        settings = VerifySettings(sizes={"m": (m,), "n": (n,), "p": (p,)}, orders=("rand:5",))
        report = verify(SourceFile("tiles.c", text), with_tiles(text, shape), settings)
        assert report.ok, report.table()
        assert any(row.status == "ok" for row in report.rows)


@pytest.mark.full
@pytest.mark.parametrize("multiprocessors", [1, 6])
@pytest.mark.parametrize("shape", SHAPES)
def test_triangles_in_every_size_of_tile(
    shape: tuple[int, int], multiprocessors: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stages before the diagonal, on it and behind it, by chunks and by elements, in blocks that share a tile too."""
    set_multiprocessors(monkeypatch, multiprocessors)
    down, _ = points_of(TileSize(*shape, 0, 0))
    settings = VerifySettings(sizes={"n": (down + 20, down + 21), "m": (5, 8)}, orders=("rand:5",))
    report = verify(SourceFile("tiles.c", TRIANGLES), with_tiles(TRIANGLES, shape), settings)
    assert report.ok, report.table()
    assert all(row.status == "ok" for row in report.rows)


def test_tiles_that_several_blocks_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few tiles and many points: the last block combines; an uneven share, and one that nothing is left for."""
    set_multiprocessors(monkeypatch, 6)
    settings = VerifySettings(sizes={"m": (17,), "n": (40,), "p": (520,)}, orders=("rand:5",))
    report = verify(SourceFile("tiles.c", product("int")), CompileOptions(), settings)
    assert report.ok, report.table()


@pytest.mark.full
@pytest.mark.parametrize("determinism", ["run", "fixed-tree"])
def test_blocks_that_share_the_tiles_of_their_rows(determinism: Determinism, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few rows and many columns: each block has a share of the tiles, the last ones less or none."""
    set_multiprocessors(monkeypatch, 6)
    settings = VerifySettings(sizes={"m": (17, 150), "n": (40, 1300), "p": (5,)}, orders=("rand:5",))
    report = verify(SourceFile("tiles.c", NEAREST), CompileOptions(determinism=determinism), settings)
    assert report.ok, report.table()


MAIN = """
#include <cstdio>
#include <cstdlib>
#include <cstring>

int main() {
    const int m = 33, n = 40, p = 600;
    static float a[33 * 600 + 4], b[600 * 40 + 4];
    unsigned seed = 20;
    for (float &x : a) x = (float)((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216;
    for (float &x : b) x = (float)((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216;
    for (int offset = 0; offset < 4; offset++) {
        float *da, *db, *dc, c[33 * 40];
        unsigned hash = 17;
        cudaMalloc((void **)&da, sizeof(a));
        cudaMalloc((void **)&db, sizeof(b));
        cudaMalloc((void **)&dc, sizeof(c) + 16);
        cudaMemcpy(da + offset, a, m * p * sizeof(float), cudaMemcpyHostToDevice);
        cudaMemcpy(db + (offset + 1) % 4, b, p * n * sizeof(float), cudaMemcpyHostToDevice);
        if (product_device(m, n, p, da + offset, db + (offset + 1) % 4, dc + offset, 0) != cudaSuccess) return 1;
        cudaMemcpy(c, dc + offset, sizeof(c), cudaMemcpyDeviceToHost);
        for (float x : c) {
            unsigned bits;
            memcpy(&bits, &x, sizeof(bits));
            hash = hash * 31 + bits;
        }
        printf("%08x\\n", hash);
    }
}
"""


def bits(options: CompileOptions, sm_count: int, folder: Path) -> set[str]:
    """What the product hashes to, for bases at four offsets, on a device with so many multiprocessors."""
    source, program = folder / "tiles.cu", folder / "tiles"
    source.write_text(compile_source(SourceFile("tiles.c", product()), options).cuda + MAIN)
    cudacpu.build(source, program, mode="plain", extra=("-O1",))
    variables = {**os.environ, **cudacpu.environment(sm_count=sm_count, order=f"rand:{sm_count}")}
    found = subprocess.run([str(program)], env=variables, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    return set(found.stdout.split())


@pytest.mark.full
def test_the_same_bits_at_every_offset(tmp_path: Path) -> None:
    assert len(bits(CompileOptions(), 8, tmp_path)) == 1


def test_a_fixed_tree_is_the_same_on_every_device(tmp_path: Path) -> None:
    found: set[str] = set()
    for sm_count in (1, 132):
        found |= bits(CompileOptions(determinism="fixed-tree"), sm_count, tmp_path)
    assert len(found) == 1


# ---- what nvcc makes of it ---------------------------------------------------------------------------


def main_loop(function: sass.Function) -> Counter[str]:
    """The instructions of the longest run without a jump: the unrolled use of the operands."""
    longest: list[str] = []
    current: list[str] = []
    for instruction in function.instructions:
        if instruction.name in ("BRA", "EXIT", "BAR", "BSYNC"):
            current = []
            continue
        current.append(instruction.opcode)
        if len(current) > len(longest):
            longest = list(current)
    return Counter(longest)


@pytest.mark.parametrize(
    "arch", ["sm_90", *(pytest.param(arch, marks=pytest.mark.full) for arch in ("sm_80", "sm_100"))]
)
@pytest.mark.parametrize(
    ("element", "of_a_point"),
    [("a[i][k] * b[k][j]", 1), pytest.param("fabsf(a[i][k] - b[k][j])", 2, marks=pytest.mark.full)],
    ids=["products", "differences"],
)
def test_most_of_a_stage_computes(
    element: str, of_a_point: int, arch: str, nvcc: str, nvdisasm: Path, tmp_path: Path
) -> None:
    """Of what a thread executes for a stage, its fetch and its barrier included, nine tenths are arithmetic with 16 x 8
    points, 86 of 100 with 8 x 8; operands come 16 bytes at a time, and nothing is spilled with the most points.
    """
    cuda, cubin = tmp_path / "tiles.cu", tmp_path / "tiles.cubin"
    text = "#include <math.h>\n" + product(element=element)
    cuda.write_text(compile_source(SourceFile("tiles.c", text), CompileOptions()).cuda)
    result = run(nvcc, f"-arch={arch}", "-cubin", "-Xptxas", "-v", "-Werror", "all-warnings", cuda, "-o", cubin)
    assert result.returncode == 0, result.stderr
    code = sass.functions(run(nvdisasm, "-c", cubin).stdout)
    for items, points, wanted in ((16, 16 * 8, 0.90), (8, 8 * 8, 0.86)):
        function = next(function for name, function in code.items() if f"tilesILi{items}ELi8E" in name)
        computing, executed = 8 * points * of_a_point, sass.of_a_round(function, "FFMA", "FADD")
        assert computing / executed >= wanted, (items, executed)
        assert {opcode for opcode in main_loop(function) if opcode.startswith("LDS")} <= {"LDS.128", "LDS.U.128"}
        assert items == 8 or not sass.has(function, "STL", "LDL")


@pytest.mark.full
@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
def test_distances_are_folded_in_registers(arch: str, nvcc: str, nvdisasm: Path, tmp_path: Path) -> None:
    """The main loop is that of a product, with as many blocks resident, though its rows are kept beside it."""
    cuda, cubin = tmp_path / "tiles.cu", tmp_path / "tiles.cubin"
    cuda.write_text(compile_source(SourceFile("tiles.c", NEAREST), CompileOptions()).cuda)
    result = run(
        nvcc, f"-arch={arch}", "-cubin", "-Xptxas", "-warn-spills", "-Werror", "all-warnings", cuda, "-o", cubin
    )
    assert result.returncode == 0, result.stderr
    code = sass.functions(run(nvdisasm, "-c", cubin).stdout)
    found = main_loop(next(function for name, function in code.items() if "tilesILi8ELi8E" in name))
    computing = sum(count for opcode, count in found.items() if opcode.split(".")[0] in ("FFMA", "FADD"))
    assert computing >= 1024 and computing / found.total() >= 0.80, found


@pytest.mark.full
@pytest.mark.parametrize("points", [(128, 128), (64, 64), (32, 128), (128, 32), (32, 32)])
def test_tiles_that_the_user_chooses(points: tuple[int, int]) -> None:
    """Whatever the device: where there are few, blocks share them."""
    settings = VerifySettings(sizes={"m": (35,), "n": (130,), "p": (40,)}, orders=("rand:5",))
    options = CompileOptions(tiles=(TileChoice("product_column0", points),))
    report = verify(SourceFile("tiles.c", product("int")), options, settings)
    assert report.ok, report.table()
    assert any(row.status == "ok" for row in report.rows)


def test_a_search_takes_the_parameters_of_tiles() -> None:
    tuning = Tuning((("product_column0", (("tile_down", 4), ("tile_side", 32))),))
    text = compile_source(SourceFile("tiles.c", product()), CompileOptions(tuning=tuning)).cuda
    assert set(re.findall(r"product_column0_tiles<(\d+)", text)) == {"4"} and "rows >= 32" in text


SYMMETRIC = """#include <pencil.h>
void symmetric(int n, int p, const int a[static const restrict n][p], int c[static const restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            c[i][j] = 0;
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * a[j][k];
        }
#pragma endscop
}
"""


def test_tiles_that_have_points_of_a_triangle_are_counted(tmp_path: Path) -> None:
    """The runtime's count beside one point by point, rows and columns that end amid a tile, diagonals anywhere."""
    whole = compile_source(SourceFile("f.c", SYMMETRIC), CompileOptions()).cuda
    (function,) = re.findall(r"inline long long pencilc_tiles_with_points\(.*?\n}\n", whole, re.DOTALL)
    cases = [
        (rows, columns, 2, down, across, offset, below)
        for rows, columns in ((1, 1), (64, 64), (65, 130), (300, 40), (33, 257))
        for down, across in ((32, 32), (64, 64), (256, 128))
        for offset in (-70, -1, 0, 1, 40, 300)
        for below in (0, 1)
    ]
    calls = "".join(f'    std::printf("%lld\\n", pencilc_tiles_with_points{case});\n' for case in cases)
    source, program = tmp_path / "count.cpp", tmp_path / "count"
    source.write_text(f"#include <cstdio>\n{function}int main()\n{{\n{calls}}}\n")
    assert run("g++", "-Wall", "-Werror", source, "-o", program).returncode == 0
    found = [int(line) for line in run(program).stdout.split()]
    assert found == [_tiles_with_points(*case) for case in cases]


def _tiles_with_points(rows: int, columns: int, outers: int, down: int, across: int, offset: int, below: int) -> int:
    points = (
        (row // down, column // across)
        for row in range(rows)
        for column in range(columns)
        if (column <= row + offset if below else column >= row + offset)
    )
    return max(1, len(set(points))) * outers
