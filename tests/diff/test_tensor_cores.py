"""Tiles of tensor cores: each size, tiles that several blocks share, unaligned bases, older GPUs, and the SASS.

The sample `gemm_tensor` runs in every order in tests/diff/test_samples.py; what the executor finds is tried in
tests/unit/test_cudacpu_tensor.py and by the mutants of tests/mutation.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from bench import evidence, sass
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from pencilc.target import TARGETS
from pencilc.verify import cudacpu
from pencilc.verify.command import VerifySettings, verify
from pencilc.verify.sizes import SizeLimits
from tests.conftest import run

HEAD = """#include <pencil.h>
#include <stdint.h>
#define float_of_half(x) pencil_half_to_float(x)
#define float_of_bfloat16(x) pencil_bfloat16_to_float(x)
#define int_of_char(x) (x)
#define float_of_float(x) (x)
static void zero_float(float *v) { *v = 0; }
static void zero_int(int *v) { *v = 0; }
static float add_float(float a, float b) { return a + b; }
static int add_int(int a, int b) { return a + b; }
"""
PRODUCT = """
void product_{name}(int m, int n, int p, const {t} a[static const restrict {rows_of_a}],
    const {t} b[static const restrict {rows_of_b}], {s} c[static const restrict m][n])
{{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {{
            {s} sum;
            __pencil_reduction_var_init(&sum, zero_{s});
            for (int k = 0; k < p; k++)
                __pencil_reduction(&sum, {convert}(a{at_a}) * {convert}(b{at_b}), add_{s});
            c[i][j] = sum;
        }}
#pragma endscop
}}
"""
TYPES = {
    "half": ("pencil_half", "float", "float_of_half"),
    "bfloat16": ("pencil_bfloat16", "float", "float_of_bfloat16"),
    "int8": ("int8_t", "int", "int_of_char"),
    "tf32": ("float", "float", "float_of_float"),
}
OPTIONS = CompileOptions(allow_tf32=True)
LAYOUTS = ("nn", "nt", "tn", "tt")


def product(kind: str, layout: str) -> str:
    """The product of matrices of a type; `t` stands for a factor that lies the other way round."""
    t, s, convert = TYPES[kind]
    of_a, of_b = (("m][p", "[i][k]") if layout[0] == "n" else ("p][m", "[k][i]")), (
        ("p][n", "[k][j]") if layout[1] == "n" else ("n][p", "[j][k]")
    )  # fmt: skip
    return PRODUCT.format(
        name=f"{kind}_{layout}", t=t, s=s, convert=convert, rows_of_a=of_a[0], at_a=of_a[1], rows_of_b=of_b[0],
        at_b=of_b[1],
    )  # fmt: skip


def text_of(*products: tuple[str, str]) -> str:
    return HEAD + "".join(product(*each) for each in products)


def checked(text: str, sizes: dict[str, tuple[int, ...]], arch: str = "sm_90", order: str = "rand:5") -> None:
    settings = VerifySettings(sizes=sizes, orders=(order,), limits=SizeLimits(iterations=2**23))
    report = verify(SourceFile("products.c", text), replace(OPTIONS, target=TARGETS[arch]), settings)
    assert report.ok, report.table()
    assert any(row.status == "ok" for row in report.rows)


@pytest.mark.full
@pytest.mark.parametrize("kind", TYPES)
def test_every_layout(kind: str) -> None:
    """Tiles of 64 x 64: more than one each way, edges within a fragment, a part of a stage and more than there are."""
    checked(text_of(*((kind, layout) for layout in LAYOUTS)), {"m": (20, 72), "n": (65, 80), "p": (7, 168)})


UNEVEN = """
void turned(int m, int n, int p, const pencil_half a[static const restrict m][p],
    const pencil_half b[static const restrict 3][n], float c[static const restrict m][n])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum;
            __pencil_reduction_var_init(&sum, zero_float);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&sum, float_of_half(a[i][k]) * float_of_half(b[k % 3][j]), add_float);
            c[i][j] = sum;
        }
#pragma endscop
}
void of_planes(int m, int n, int p, int q, const pencil_half a[static const restrict m][p][q],
    const pencil_half b[static const restrict p][q][n], float c[static const restrict m][n])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum;
            __pencil_reduction_var_init(&sum, zero_float);
            for (int k = 0; k < p; k++)
                for (int l = 0; l < q; l++)
                    __pencil_reduction(&sum, float_of_half(a[i][k][l]) * float_of_half(b[k][l][j]), add_float);
            c[i][j] = sum;
        }
#pragma endscop
}
"""


@pytest.mark.full
def test_operands_that_move_unevenly_are_looked_at_each_time() -> None:
    """Lines of 65 halves: which of them are aligned does not follow from the first ones."""
    programs = compile_source(SourceFile("uneven.c", HEAD + UNEVEN), OPTIONS, "mapping").programs
    tilings = [kernel.tiling for program in programs for kernel in program.kernels() if kernel.tiling is not None]
    assert [[each.is_even for each in tiling.operands] for tiling in tilings] == [[True, False], [False, False]]
    checked(HEAD + UNEVEN, {"m": (70,), "n": (65, 72), "p": (40,), "q": (5, 8)})


@pytest.mark.full
def test_the_largest_tile(monkeypatch: pytest.MonkeyPatch) -> None:
    """One multiprocessor, which a tile of 128 x 128 is enough for; lines that begin with 4 bytes, with 8, anywhere."""
    for name, value in cudacpu.environment(sm_count=1).items():
        monkeypatch.setenv(name, value)
    products = text_of(("half", "nt"), ("bfloat16", "tn"), ("tf32", "nn"), ("int8", "tn"))
    checked(products, LARGE)


# Of these tiles of 128 x 128 cover no more than those of 64 x 64.
LARGE = {"m": (197,), "n": (120,), "p": (50, 52, 163)}


@pytest.mark.full
def test_the_largest_tile_on_an_older_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """By ordinary instructions: the other branch of the same kernel."""
    for name, value in cudacpu.environment(sm_count=1).items():
        monkeypatch.setenv(name, value)
    checked(text_of(("half", "nt"), ("half", "tn")), LARGE, "sm_75")


@pytest.mark.full
@pytest.mark.parametrize("arch", ["sm_75", "sm_90"])
def test_the_largest_tile_that_several_blocks_share(arch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two multiprocessors for one tile, with points enough for both."""
    for name, value in cudacpu.environment(sm_count=2).items():
        monkeypatch.setenv(name, value)
    checked(text_of(("half", "nn")), {"m": (100,), "n": (68,), "p": (1040,)}, arch)


@pytest.mark.full
def test_tiles_that_several_blocks_share(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in cudacpu.environment(sm_count=6).items():
        monkeypatch.setenv(name, value)
    checked(text_of(("half", "nn"), ("int8", "nt")), {"m": (17,), "n": (40,), "p": (520,)})


@pytest.mark.full
def test_an_older_gpu_does_the_same_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same file on sm_75: what the host chooses fits both forms."""
    for sm_count in (1, 40):
        for name, value in cudacpu.environment(sm_count=sm_count).items():
            monkeypatch.setenv(name, value)
        checked(text_of(("half", "nt"), ("int8", "nn")), {"m": (70,), "n": (40,), "p": (33, 600)}, "sm_75")


# ---- the same values ----------------------------------------------------------------------------------

MAIN = """
#include <cstdio>
#include <cstdlib>

int main() {
    const int m = 35, n = 40, p = 72;
    static signed char a[35 * 72 + 16], b[40 * 72 + 16];
    unsigned seed = 20;
    for (signed char &x : a) x = (signed char)((seed = seed * 1664525u + 1013904223u) >> 24);
    for (signed char &x : b) x = (signed char)((seed = seed * 1664525u + 1013904223u) >> 24);
    for (int offset = 0; offset < 16; offset += 5) {
        signed char *da, *db;
        int *dc, c[35 * 40];
        unsigned hash = 17;
        cudaMalloc((void **)&da, sizeof(a));
        cudaMalloc((void **)&db, sizeof(b));
        cudaMalloc((void **)&dc, sizeof(c));
        cudaMemcpy(da + offset, a, m * p, cudaMemcpyHostToDevice);
        cudaMemcpy(db + (offset + 8) % 16, b, n * p, cudaMemcpyHostToDevice);
        if (product_int8_nt_device(m, n, p, da + offset, db + (offset + 8) % 16, dc, 0) != cudaSuccess) return 1;
        cudaMemcpy(c, dc, sizeof(c), cudaMemcpyDeviceToHost);
        for (int x : c) hash = hash * 31 + (unsigned)x;
        printf("%08x\\n", hash);
        cudaFree(da);
        cudaFree(db);
        cudaFree(dc);
    }
    return 0;
}
"""


@pytest.mark.full
def test_the_same_at_every_offset_and_on_every_gpu(tmp_path: Path) -> None:
    """Bases that no 16 bytes begin at; bytes have one sum, by tensor cores and without them."""
    source, found = tmp_path / "products.cu", set[str]()
    source.write_text(compile_source(SourceFile("products.c", text_of(("int8", "nt"))), CompileOptions()).cuda + MAIN)
    for arch in (750, 900):
        program = tmp_path / f"products{arch}"
        cudacpu.build(source, program, mode="check", arch=arch)
        done = subprocess.run([str(program)], env=os.environ, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        found |= set(done.stdout.split())
    assert len(found) == 1


# ---- what nvcc makes of it ----------------------------------------------------------------------------


def main_loop(function: sass.Function) -> Counter[str]:
    """The instructions of the run without a jump that has the most products of fragments."""
    best: list[str] = []
    current: list[str] = []
    for instruction in function.instructions:
        if instruction.name in ("BRA", "EXIT", "BAR", "BSYNC"):
            current = []
            continue
        current.append(instruction.opcode)
        if products(Counter(current)) > products(Counter(best)):
            best = list(current)
    return Counter(best)


def products(found: Counter[str]) -> int:
    return sum(count for opcode, count in found.items() if opcode.startswith(("HMMA", "IMMA")))


@pytest.mark.parametrize(
    ("kind", "arch"),
    [
        pytest.param(kind, arch, marks=[pytest.mark.full] * ((kind, arch) != ("half", "sm_90")))
        for kind in TYPES for arch in ("sm_80", "sm_90")
    ],
)  # fmt: skip
def test_tensor_cores_do_the_main_loop(kind: str, arch: str, nvcc: str, nvdisasm: Path, tmp_path: Path) -> None:
    """A share of products, operands by asynchronous copies of 16 bytes, no spill, two blocks of a multiprocessor.

    The share is that of the run without a jump that holds the products, and of all instructions of a stage that is
    fetched as it is.

    Floats of 16 bits are loaded from shared memory as matrices, 16 bytes a lane.  nvcc 13 loads bytes otherwise where
    their lines lie along the places, and each factor of tf32 is rounded: less is promised of these.
    """
    cuda, cubin = tmp_path / "products.cu", tmp_path / "products.cubin"
    text = text_of(*((kind, layout) for layout in LAYOUTS))
    cuda.write_text(compile_source(SourceFile("products.c", text), OPTIONS).cuda)
    strict = ("-Xptxas", "-v,-warn-spills", "-Werror", "all-warnings")
    result = run(nvcc, f"-arch={arch}", "-cubin", *strict, cuda, "-o", cubin)
    assert result.returncode == 0, result.stderr
    figures = evidence.figures(result.stderr)
    code = sass.functions(run(nvdisasm, "-c", cubin).stdout)
    for layout in LAYOUTS:
        (name,) = (each for each in code if re.search(rf"product_{kind}_{layout}_\w+_tilesILi8E", each))
        function, found = code[name], main_loop(code[name])
        multiprocessor = evidence.MULTIPROCESSORS[arch]
        assert figures[name].spills == 0 and not sass.has(function, "LDL", "STL")
        assert multiprocessor.resident_blocks(256, figures[name].registers, figures[name].shared) >= 2
        assert any(each.opcode.startswith("LDGSTS") and each.opcode.endswith(".128") for each in function.instructions)
        assert products(found) / found.total() >= LEAST[kind, layout], (name, found)
        if kind != "int8":
            stage = sass.shortest_round(function, "HMMA", copies=4)
            share = sum(each.name == "HMMA" for each in stage) / len(stage)
            assert share >= (0.11 if kind == "tf32" else 0.27), (name, share)
        if kind in ("half", "bfloat16"):
            fetched = {opcode for opcode in found if opcode.startswith("LDS")}
            assert fetched and all(re.fullmatch(r"LDSM\.16\.MT?88\.4", opcode) for opcode in fetched), fetched


# The share of the main loop's instructions that are products of fragments, at least.
LEAST = {
    **{(kind, layout): 0.48 for layout in LAYOUTS for kind in ("half", "bfloat16")},
    # Where both are turned around, places of loads are found anew beside the products, in place of those of copies.
    **{(kind, "tt"): 0.42 for kind in ("half", "bfloat16")},
    **{("tf32", layout): 0.15 for layout in LAYOUTS},
    **{("int8", layout): 0.10 for layout in LAYOUTS}, ("int8", "nt"): 0.25,
}  # fmt: skip
